/** How amounts are written in log rows; both are options. */
export interface AmountStyle {
  readonly inCurrency: boolean
  readonly quotaPerUnit: number
}

/** An amount of quota as log rows and messages show it: `＄1.000000 额度` or `500000 点额度` (server reference §8.1). */
export const amountText = (quota: number, { inCurrency, quotaPerUnit }: AmountStyle): string =>
  inCurrency ? `＄${(quota / quotaPerUnit).toFixed(6)} 额度` : `${quota} 点额度`
