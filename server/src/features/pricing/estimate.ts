import type { GroupCost } from '@tollgate/contract'
import { cost } from '../../billing/cost.ts'
import { decimal, multiply, roundHalfUp } from '../../billing/decimal.ts'
import type { Price } from '../../billing/price.ts'
import type { PriceBook } from '../../billing/prices.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import { AppError } from '../../lib/app-error.ts'

export interface EstimatedCalls {
  readonly model: string
  /** Tokens of one call; those read from the cache are part of the prompt. */
  readonly prompt: number
  readonly completion: number
  readonly cached: number
  /** Calls of a day. */
  readonly calls: number
}

/** A call at a fixed price is charged when something was done, which need not be tokens. */
const usageAt = (price: Price, { prompt, completion, cached }: EstimatedCalls): Usage =>
  price.perCall === undefined
    ? { ...noUsage, input: prompt - cached, cacheRead: cached, output: completion }
    : { ...noUsage, input: 1 }

/** What calls of this size cost in each of the groups, by the arithmetic that charges. */
export const estimate = (
  request: EstimatedCalls,
  groups: readonly { readonly name: string; readonly ratio: number }[],
  book: PriceBook,
): GroupCost[] => {
  const calls = decimal(request.calls)
  try {
    return groups.flatMap(({ name, ratio }) => {
      const price = book.of(request.model, name, { acceptsUnpriced: true })
      if (price === undefined) return []
      const quota = cost(usageAt(price, request), price)
      const perDay = roundHalfUp(multiply(decimal(quota), calls))
      return { group: name, group_ratio: ratio, quota, quota_per_day: perDay }
    })
  } catch (cause) {
    // More than a whole number holds.
    if (cause instanceof RangeError) throw new AppError('invalid_parameter', { cause })
    throw cause
  }
}
