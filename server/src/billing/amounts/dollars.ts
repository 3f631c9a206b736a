import type { Receipt } from '@tollgate/contract'
import { decimal, print } from '../decimal.ts'

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
