import type { Receipt } from '@tollgate/contract'
import { decimal, print } from '../decimal.ts'

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

/** Digits after the point of an amount that no decimal of any length says exactly: enough to find the quota units again. */
const mostPlaces = 18

/**
 * A charge in dollars as exact decimal text, without an exponent: quota ÷ quota per unit. Where the quota per unit has a factor other
 * than 2 and 5, so that the decimal would never end, it is rounded to 18 places, halves up.
 */
export const dollarsOf = ({ quota, quota_per_unit }: Pick<Receipt, 'quota' | 'quota_per_unit'>): string => {
  const { digits: unit, scale } = decimal(quota_per_unit)
  if (unit <= 0n) return '0'
  const amount = BigInt(quota) * 10n ** BigInt(scale)
  for (let places = 0; places < mostPlaces; places += 1) {
    const shifted = amount * 10n ** BigInt(places)
    if (shifted % unit === 0n) return print({ digits: shifted / unit, scale: places })
  }
  return print({ digits: (amount * 10n ** BigInt(mostPlaces) * 2n + unit) / (2n * unit), scale: mostPlaces })
}
