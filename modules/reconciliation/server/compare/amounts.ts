import { add, compare, multiply, zero } from '#server/billing/decimal.ts'
import type { Decimal } from '#server/billing/price.ts'

export const minus = (left: Decimal, right: Decimal): Decimal =>
  add(left, { digits: -right.digits, scale: right.scale })

export const magnitude = ({ digits, scale }: Decimal): Decimal => ({ digits: digits < 0n ? -digits : digits, scale })

/** List prices are exact to a quota unit per sum, and sums of floating-point numbers to some digits. */
const relativeNoise: Decimal = { digits: 1n, scale: 5 }
const absoluteNoise: Decimal = { digits: 5n, scale: 6 }

/** True if two amounts of dollars differ by no more than their own inexactness, and `more` of known inexactness. */
export const isNear = (left: Decimal, right: Decimal, more: Decimal = zero): boolean => {
  const noise = add(add(multiply(magnitude(right), relativeNoise), absoluteNoise), more)
  return compare(magnitude(minus(left, right)), noise) <= 0
}

/** True if `value` lies within this share of the distance between two amounts, counted from the first. */
export const isClose = (value: Decimal, [to, from]: readonly [Decimal, Decimal], part: Decimal): boolean =>
  compare(magnitude(minus(value, to)), multiply(magnitude(minus(to, from)), part)) <= 0
