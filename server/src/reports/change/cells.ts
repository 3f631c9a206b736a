/** Stored sums of one cell in one stretch of time. */
export interface CellSums {
  /** Calls that were charged. */
  readonly calls: number
  /** Quota units. */
  readonly quota: number
  /** Prompt tokens, and the parts of them that were read from and written to the provider's cache. */
  readonly prompt: number
  readonly cached: number
  readonly written: number
  readonly output: number
}

/** The calls of one caller with one model, in one group and through one channel. */
export interface ChangeCell {
  readonly user: number
  /** 0 for the playground. */
  readonly key: number
  /** Name of the key when it was used. */
  readonly keyName: string
  readonly model: string
  readonly group: string
  /** 0 where channels are not told apart. */
  readonly channel: number
  readonly now: CellSums
  /** Sums of all reference periods together, not their mean. */
  readonly before: CellSums
}

/** Worth of one piece of each kind, in proportion to each other; no unit, so that any factor is the same. */
export interface Weights {
  readonly call: bigint
  readonly prompt: bigint
  readonly cached: bigint
  readonly written: bigint
  readonly output: bigint
}

export const noCellSums: CellSums = { calls: 0, quota: 0, prompt: 0, cached: 0, written: 0, output: 0 }

/** Two sums together, or the first without the second (`sign` -1). */
export const plusSums = (one: CellSums, other: CellSums, sign: 1 | -1 = 1): CellSums => ({
  calls: one.calls + sign * other.calls,
  quota: one.quota + sign * other.quota,
  prompt: one.prompt + sign * other.prompt,
  cached: one.cached + sign * other.cached,
  written: one.written + sign * other.written,
  output: one.output + sign * other.output,
})
