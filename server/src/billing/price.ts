/** A decimal number kept exactly: `digits / 10^scale`. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/**
 * What a model costs in a group, frozen when a call begins. Ratio 1 is one quota unit per prompt token. Ratios of
 * kinds of token are relative to the input price.
 */
export interface Price {
  readonly model: string
  readonly group: string
  /** Currency units per call; undefined when billed by tokens. */
  readonly perCall: Decimal | undefined
  readonly modelRatio: Decimal
  readonly completionRatio: Decimal
  readonly cacheRatio: Decimal
  readonly cacheWriteRatio: Decimal
  readonly cacheWrite1hRatio: Decimal
  readonly audioRatio: Decimal
  readonly audioCompletionRatio: Decimal
  readonly groupRatio: Decimal
  readonly quotaPerUnit: Decimal
}
