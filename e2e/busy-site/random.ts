/** Numbers that a seed decides: the same in every run. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from 0 to below this. */
  below(count: number): number
  /** One of them. Throws for an empty list. */
  of<T>(values: readonly T[]): T
}

/** Numbers by Mulberry32, whose state is 32 bits: enough to choose from lists, and the same on every machine. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    next,
    below,
    of(values) {
      const value = values[below(values.length)]
      if (value === undefined) throw new Error('there is nothing to choose from')
      return value
    },
  }
}
