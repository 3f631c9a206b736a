import { createBoundedCache } from '../lib/caches/bounded-cache.ts'
import type { Decimal } from './price.ts'

const pattern = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i
const longestText = 400
const cacheSize = 10_000

const powers: bigint[] = []
const powerOfTen = (exponent: number): bigint => {
  const cached = powers[exponent]
  if (cached !== undefined) return cached
  const power = 10n ** BigInt(exponent)
  powers[exponent] = power
  return power
}

const parse = (text: string): Decimal => {
  const [whole, sign, integer = '', fraction = '', exponent = '0'] =
    (text.length <= longestText && pattern.exec(text)) || []
  if (whole === undefined) throw new RangeError(`Not a decimal number: ${text.slice(0, 40)}`)
  const digits = BigInt(integer + fraction) * (sign === '-' ? -1n : 1n)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * powerOfTen(-scale), scale: 0 }
}

const parsed = createBoundedCache<number | string, Decimal>({ entries: cacheSize })

/**
 * Reads a number (its shortest text counts, so 0.1 is one tenth) or decimal text, exactly. Throws RangeError for anything
 * else, infinities included. Results are cached, because every request uses the same few ratios.
 */
export const decimal = (value: number | string): Decimal => {
  const cached = parsed.get(value)
  if (cached !== undefined) return cached
  const fresh = parse(String(value))
  parsed.set(value, fresh)
  return fresh
}

/** The same without a cache, for amounts that hardly ever come again. */
export const exactDecimal = (value: number | string): Decimal => parse(String(value))

export const zero: Decimal = { digits: 0n, scale: 0 }
export const one: Decimal = { digits: 1n, scale: 0 }

/** The exact product. */
export const multiply = (...factors: readonly Decimal[]): Decimal => {
  let digits = 1n
  let scale = 0
  for (const factor of factors) {
    digits *= factor.digits
    scale += factor.scale
  }
  return { digits, scale }
}

const digitsAt = (value: Decimal, scale: number): bigint =>
  value.scale === scale ? value.digits : value.digits * powerOfTen(scale - value.scale)

/** The exact sum. */
export const add = (left: Decimal, right: Decimal): Decimal => {
  const scale = Math.max(left.scale, right.scale)
  return { digits: digitsAt(left, scale) + digitsAt(right, scale), scale }
}

/** The quotient to `places` decimal places, halves away from zero. Throws RangeError for a divisor of 0. */
export const divide = (value: Decimal, by: Decimal, places: number): Decimal => {
  if (by.digits === 0n) throw new RangeError('Cannot divide by 0')
  const [left, right] = [
    digitsAt(value, Math.max(value.scale, by.scale)),
    digitsAt(by, Math.max(value.scale, by.scale)),
  ]
  const sign = left < 0n !== right < 0n ? -1n : 1n
  const [size, divisor] = [left < 0n ? -left : left, right < 0n ? -right : right]
  return { digits: (sign * (size * powerOfTen(places) * 2n + divisor)) / (divisor * 2n), scale: places }
}

/** Negative, 0 or positive, as `Array.sort` wants it. */
export const compare = (left: Decimal, right: Decimal): number => {
  const scale = Math.max(left.scale, right.scale)
  const difference = digitsAt(left, scale) - digitsAt(right, scale)
  return difference < 0n ? -1 : Number(difference > 0n)
}

const safe = (integer: bigint): number => {
  const number = Number(integer)
  if (!Number.isSafeInteger(number)) throw new RangeError(`Too large for a whole number: ${integer}`)
  return number
}

/** The nearest whole number, halves away from zero. Throws RangeError outside the safe integers. */
export const roundHalfUp = ({ digits, scale }: Decimal): number => {
  if (scale === 0) return safe(digits)
  const unit = powerOfTen(scale)
  const magnitude = ((digits < 0n ? -digits : digits) * 2n + unit) / (unit * 2n)
  return safe(digits < 0n ? -magnitude : magnitude)
}

/** The next whole number that is not smaller. Throws RangeError outside the safe integers. */
export const roundUp = ({ digits, scale }: Decimal): number => {
  if (scale === 0) return safe(digits)
  const unit = powerOfTen(scale)
  const cut = digits / unit
  return safe(digits > 0n && cut * unit !== digits ? cut + 1n : cut)
}

const printed = new WeakMap<Decimal, string>()

/** Decimal text without exponent or trailing zeros: `-0.05`, `12`. Cached, because every request uses the same few ratios. */
export const print = (value: Decimal): string => {
  const cached = printed.get(value)
  if (cached !== undefined) return cached
  const text = printFresh(value)
  printed.set(value, text)
  return text
}

const printFresh = ({ digits, scale }: Decimal): string => {
  const sign = digits < 0n ? '-' : ''
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const fraction = text.slice(text.length - scale).replace(/0+$/, '')
  const integer = text.slice(0, text.length - scale)
  return scale === 0 || fraction === '' ? `${sign}${integer}` : `${sign}${integer}.${fraction}`
}

/** The nearest floating-point number, for display only: charges use exact decimals. */
export const toNumber = (value: Decimal): number => Number(print(value))
