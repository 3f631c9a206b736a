/** Format of amounts in log rows and messages; both members are options. */
export interface AmountStyle {
  readonly inCurrency: boolean
  readonly quotaPerUnit: number
}

/** An amount of quota as notices show it: `＄1.000000` or `500000`. */
export const bareAmountText = (quota: number, { inCurrency, quotaPerUnit }: AmountStyle): string =>
  inCurrency ? `＄${(quota / quotaPerUnit).toFixed(6)}` : String(quota)

/** An amount of quota as log rows and messages show it: `＄1.000000 额度` or `500000 点额度`. */
export const amountText = (quota: number, style: AmountStyle): string =>
  `${bareAmountText(quota, style)}${style.inCurrency ? ' 额度' : ' 点额度'}`
