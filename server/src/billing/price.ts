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
   * Service tier → factor of the prices of tokens; a tier that is not named costs what the standard one does. Fixed prices are
   * the operator's own, and providers ask the same for a tool in every tier.
   */
  readonly tiers?: Readonly<Record<string, number>>
  /** Tool that runs at the provider → currency units per thousand calls; one that is not named is free. */
  readonly tools?: Readonly<Record<string, number>>
}
