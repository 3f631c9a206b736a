import type { GroupCost } from '@tollgate/contract'
import { cost } from '../../billing/cost.ts'
import { decimal, multiply, roundHalfUp } from '../../billing/decimal.ts'
import type { Price } from '../../billing/price.ts'
import type { PriceBook } from '../../billing/prices.ts'
import { sellsPictures } from '../../billing/receipt-lines.ts'
import { drawnTokens } from '../../billing/tables/picture-tokens.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import { AppError } from '../../lib/app-error.ts'
import { wantedPictures } from '../../relay/usage/pictures.ts'

export interface EstimatedCalls {
  readonly model: string
  /** Tokens of one call; those read from the cache are part of the prompt. */
  readonly prompt: number
  readonly completion: number
  readonly cached: number
  /** Calls of a day. */
  readonly calls: number
  /** Pictures that one call draws; 0 for calls that draw none. */
  readonly pictures: number
  readonly size?: string | undefined
  readonly quality?: string | undefined
}

/** A model that is sold by tokens draws as many as models of OpenAI do for such a picture. */
const picturesAt = (price: Price, { model, pictures, size, quality }: EstimatedCalls, tokens: Usage): Usage => {
  const images = wantedPictures({ body: { n: pictures, size, quality } }, model)
  const isByTokens = price.basis === 'dollars' && price.perCall === undefined && !sellsPictures(price)
  return isByTokens ? { ...tokens, images, more: { image_output: drawnTokens(images) } } : { ...noUsage, images }
}

/** A call at a fixed price is charged when something was done, which need not be tokens. */
const usageAt = (price: Price, request: EstimatedCalls): Usage => {
  const { prompt, completion, cached, pictures } = request
  const tokens = { ...noUsage, input: prompt - cached, cacheRead: cached, output: completion }
  if (pictures > 0) return picturesAt(price, request, tokens)
  return price.perCall === undefined ? tokens : { ...noUsage, input: 1 }
}

/** Cost of calls of this size in each of the groups, by the arithmetic that charges. */
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
