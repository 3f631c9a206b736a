import { type DisplayDecimal, decimal, divide, isZero, multiply, printDecimal } from '../../../lib/decimal.ts'

/** A typed price or ratio: plain digits, at least 0. */
const pattern = /^\d+(\.\d*)?$|^\.\d+$/

const million = decimal(1_000_000)
const shownPlaces = 10
/** A quotient gets as many digits as a stored number can hold. */
const ratioPlaces = 16

/** The number that a field holds; null when it is empty, undefined when it is no number or one beyond all prices. */
export const readNumber = (text: string): number | null | undefined => {
  const typed = text.trim()
  if (typed === '') return null
  return pattern.test(typed) && Number(typed) <= Number.MAX_SAFE_INTEGER ? Number(typed) : undefined
}

const plain = (value: DisplayDecimal, places: number): string => printDecimal(value, 0, places).replaceAll(',', '')

/** Currency per million tokens at a ratio: ratio 1 is one quota unit per token. */
export const priceOfRatio = (ratio: number, quotaPerUnit: number): string =>
  plain(divide(multiply(decimal(ratio), million), decimal(quotaPerUnit), ratioPlaces), shownPlaces)

/** The ratio of a price per million tokens. Exact: the price is only multiplied and its point moved. */
export const ratioOfPrice = (price: number, quotaPerUnit: number): number => {
  const quota = multiply(decimal(price), decimal(quotaPerUnit))
  return Number(plain({ digits: quota.digits, scale: quota.scale + 6 }, quota.scale + 6))
}

/** The price of a kind of token whose ratio is relative to the model's. */
export const relativePrice = (ratio: number, relative: number, quotaPerUnit: number): string =>
  plain(divide(multiply(decimal(ratio), decimal(relative), million), decimal(quotaPerUnit), ratioPlaces), shownPlaces)

/** The relative ratio that makes this price; undefined where the model's own ratio is 0. */
export const relativeOfPrice = (price: number, ratio: number, quotaPerUnit: number): number | undefined => {
  const base = multiply(decimal(ratio), million)
  if (isZero(base)) return undefined
  return Number(plain(divide(multiply(decimal(price), decimal(quotaPerUnit)), base, ratioPlaces), ratioPlaces))
}

/** The relative ratio that leaves a price where it is when the model's own ratio changes. */
export const rescaled = (relative: number, before: number, after: number): number =>
  Number(plain(divide(multiply(decimal(relative), decimal(before)), decimal(after), ratioPlaces), ratioPlaces))
