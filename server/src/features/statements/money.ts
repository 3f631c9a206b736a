const places = 6
const scale = 10n ** BigInt(places)

/**
 * Quota units as an amount of currency with six decimals, e.g. `-1.500000`, rounded half away from zero. Exact for prices of a
 * unit such as 500000. Empty where the site has no such price.
 */
export const currencyText = (quota: number, quotaPerUnit: number): string => {
  if (!(quotaPerUnit > 0) || !Number.isFinite(quotaPerUnit)) return ''
  if (!Number.isSafeInteger(quotaPerUnit)) return (quota / quotaPerUnit).toFixed(places)
  const [amount, unit] = [BigInt(quota) * scale, BigInt(quotaPerUnit)]
  const absolute = amount < 0n ? -amount : amount
  const rounded = (absolute * 2n + unit) / (unit * 2n)
  const sign = amount < 0n && rounded > 0n ? '-' : ''
  return `${sign}${rounded / scale}.${String(rounded % scale).padStart(places, '0')}`
}
