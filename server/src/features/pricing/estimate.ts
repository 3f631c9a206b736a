import type { GroupCost } from '@tollgate/contract'
import { cost } from '../../billing/cost.ts'
import { decimal, multiply, roundHalfUp } from '../../billing/decimal.ts'
import type { PriceBook } from '../../billing/prices.ts'
import { noUsage } from '../../billing/usage.ts'
import { AppError } from '../../lib/app-error.ts'

export interface AskedCalls {
  readonly model: string
  /** Tokens of one call; those read from the cache are part of the prompt. */
  readonly prompt: number
  readonly completion: number
  readonly cached: number
  /** Calls of a day. */
  readonly calls: number
}

/** What calls of this size cost in each of the groups, by the arithmetic that charges. */
export const estimate = (
  asked: AskedCalls,
  groups: readonly { readonly name: string; readonly ratio: number }[],
  book: PriceBook,
): GroupCost[] => {
  const usage = { ...noUsage, input: asked.prompt - asked.cached, cacheRead: asked.cached, output: asked.completion }
  const calls = decimal(asked.calls)
  try {
    return groups.flatMap(({ name, ratio }) => {
      const price = book.of(asked.model, name, { acceptsUnpriced: true })
      if (price === undefined) return []
      const quota = cost(usage, price)
      const perDay = roundHalfUp(multiply(decimal(quota), calls))
      return { group: name, group_ratio: ratio, quota, quota_per_day: perDay }
    })
  } catch (cause) {
    // More than a whole number holds.
    if (cause instanceof RangeError) throw new AppError('invalid_parameter', { cause })
    throw cause
  }
}
