import { compare, decimal, divide, multiply, roundHalfUp } from '../decimal.ts'

/** Terms of a top-up's price: options, and the ratio of the buyer's group. */
export interface TopUpTerms {
  /** True when amounts are units of currency, false for quota units. */
  readonly inCurrency: boolean
  readonly quotaPerUnit: number
  /** Payment per unit of currency. */
  readonly price: number
  readonly groupRatio: number
  /** The smallest number of units of currency. */
  readonly least: number
}

export interface TopUpPrice {
  /** Quota units bought, including fractions of a unit of currency. */
  readonly quota: number
  /** Whole units of currency. */
  readonly units: number
  /** Payment with two decimals, e.g. `73.00`. */
  readonly money: string
  /** The exact price compared with one cent: negative, 0 or positive. */
  readonly againstOneCent: number
}

const hundred = decimal(100)

const printedCents = (cents: bigint): string => {
  const text = String(cents).padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}

/**
 * The payment for an amount (units × price × group ratio, rounded once to cents) and the quota that it buys. A group ratio of 0
 * counts as 1. Throws RangeError when a result is not a safe integer.
 */
export const topUpPrice = (amount: number, terms: TopUpTerms): TopUpPrice => {
  const perUnit = decimal(terms.quotaPerUnit)
  const exactAmount = decimal(amount)
  const divisor = terms.inCurrency ? decimal(1) : perUnit
  const money = multiply(
    exactAmount,
    decimal(terms.price),
    decimal(terms.groupRatio === 0 ? 1 : terms.groupRatio),
    hundred,
  )
  return {
    quota: terms.inCurrency ? roundHalfUp(multiply(exactAmount, perUnit)) : amount,
    units: terms.inCurrency ? amount : Math.floor(amount / terms.quotaPerUnit),
    money: printedCents(divide(money, divisor, 0).digits),
    againstOneCent: compare(money, divisor),
  }
}

/** The smallest amount that may be bought, in the unit of amounts: never less than the option `least`. */
export const leastTopUp = ({ inCurrency, quotaPerUnit, least }: TopUpTerms): number =>
  Math.ceil(inCurrency ? least : Number((least * quotaPerUnit).toPrecision(15)))
