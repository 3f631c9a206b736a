/** A decimal number without rounding: `digits × 10^-scale`. */
export interface DisplayDecimal {
  readonly digits: bigint
  readonly scale: number
}

const pattern = /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,2}))?$/i

/** Reads plain or scientific decimal text; zero for anything else, because receipts of other programs may be incomplete. */
export const decimal = (value: string | number | undefined): DisplayDecimal => {
  const [whole, sign = '', integer = '', fraction = '', exponent = '0'] = pattern.exec(String(value ?? '')) ?? []
  if (whole === undefined) return { digits: 0n, scale: 0 }
  const digits = BigInt(`${sign}${integer}${fraction}`)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

export const multiply = (...factors: readonly DisplayDecimal[]): DisplayDecimal =>
  factors.reduce((product, factor) => ({
    digits: product.digits * factor.digits,
    scale: product.scale + factor.scale,
  }))

const digitsAt = (value: DisplayDecimal, scale: number): bigint => value.digits * 10n ** BigInt(scale - value.scale)

export const add = (left: DisplayDecimal, right: DisplayDecimal): DisplayDecimal => {
  const scale = Math.max(left.scale, right.scale)
  return { digits: digitsAt(left, scale) + digitsAt(right, scale), scale }
}

export const subtract = (left: DisplayDecimal, right: DisplayDecimal): DisplayDecimal =>
  add(left, { ...right, digits: -right.digits })

export const isZero = (value: DisplayDecimal): boolean => value.digits === 0n

/** Rounded at so many decimals, halves away from zero. */
const roundedAt = (value: DisplayDecimal, places: number): bigint => {
  if (value.scale <= places) return digitsAt(value, places)
  const unit = 10n ** BigInt(value.scale - places)
  const size = value.digits < 0n ? -value.digits : value.digits
  const rounded = (size * 2n + unit) / (unit * 2n)
  return value.digits < 0n ? -rounded : rounded
}

/** A quotient rounded at so many decimals. */
export const divide = (value: DisplayDecimal, by: DisplayDecimal, places: number): DisplayDecimal => {
  if (isZero(by)) return { digits: 0n, scale: 0 }
  const wide = places + 1 + by.scale
  const raised = value.scale >= wide ? value.digits : digitsAt(value, wide)
  const scale = Math.max(value.scale, wide)
  return { digits: roundedAt({ digits: raised / by.digits, scale: scale - by.scale }, places), scale: places }
}

/** `1,234.5`: at least `least` and at most `most` decimals, thousands separated. */
export const printDecimal = (value: DisplayDecimal, least = 0, most = 10): string => {
  const digits = roundedAt(value, most)
  const text = String(digits < 0n ? -digits : digits).padStart(most + 1, '0')
  const integer = BigInt(text.slice(0, text.length - most)).toLocaleString('en-US')
  const fraction = text
    .slice(text.length - most)
    .replace(/0+$/, '')
    .padEnd(least, '0')
  return `${digits < 0n ? '−' : ''}${integer}${fraction === '' ? '' : `.${fraction}`}`
}
