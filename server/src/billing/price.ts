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
  /**
   * Service tier → factor of token prices; 1 for a tier without an entry. It does not apply to fixed prices, which the operator
   * sets, or to tools, which cost the same in every tier.
   */
  readonly tiers?: Readonly<Record<string, number>>
  /** Tool that runs at the provider → currency units per thousand calls; tools without an entry are free. */
  readonly tools?: Readonly<Record<string, number>>
}
