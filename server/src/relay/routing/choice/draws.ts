/** Six decimal places, so that records can contain the number. */
const places = 1_000_000

/** Random number of a call in [0, 1), with six decimal places: it decides all random choices of the call. */
export const drawFrom = (random: () => number): number => Math.floor(random() * places) / places

/** Random numbers of a call, each in [0, 1): first `draw` itself, then those derived from it (mulberry32). */
export const drawsFrom = (draw: number): (() => number) => {
  let state = Math.round(draw * places)
  let isFirst = true
  return () => {
    if (isFirst) {
      isFirst = false
      return draw
    }
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}
