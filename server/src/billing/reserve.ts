import { tokensPerPicture } from './cost.ts'
import { compare, decimal, multiply, one, truncate, zero } from './decimal.ts'
import type { Decimal, Price } from './price.ts'
import type { Pictures } from './usage.ts'

/** What is known before a call; sizes come from the client and may be anything. */
export interface Expected {
  readonly promptTokens: number
  /** The larger of max_tokens and max_completion_tokens; 0 when the client set none. */
  readonly maxTokens: number
  /** Tokens to reserve when the client set no maximum (option PreConsumedQuota). */
  readonly preConsumedTokens: number
  /** Tokens that it will cost at least. */
  readonly leastTokens?: number
  readonly images?: Pictures | undefined
  /** The service tier that the client asked for; undefined for the standard one. */
  readonly tier?: string | undefined
}

const whole = (integer: number): Decimal => ({ digits: BigInt(integer), scale: 0 })
const most = whole(Number.MAX_SAFE_INTEGER)

const tokens = (value: number): number => (value > 0 ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : 0)

const largest = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((most, amount) => (compare(amount, most) > 0 ? amount : most))

/** A dearer tier is reserved for; a cheaper one may not be granted. */
const tierRatio = ({ tier }: Expected, { tiers }: Price): Decimal => {
  if (tier === undefined || tiers === undefined || !Object.hasOwn(tiers, tier)) return one
  const ratio = decimal(tiers[tier] ?? 1)
  return compare(ratio, one) > 0 ? ratio : one
}

/**
 * Quota units to hold while a call runs (relay reference §8.2): the whole part of tokens × model ratio × tier ratio ×
 * group ratio, or of the fixed price. Never negative; never beyond the safe integers, so that an absurd max_tokens is refused,
 * not wrapped.
 */
export const reservation = (expected: Expected, price: Price): number => {
  const { promptTokens, maxTokens, preConsumedTokens, leastTokens = 0, images } = expected
  const asked = tokens(maxTokens) === 0 ? tokens(preConsumedTokens) : tokens(promptTokens) + tokens(maxTokens)
  const pictures = images === undefined ? undefined : multiply(whole(images.count), decimal(images.ratio))
  const inTokens = [whole(Math.max(asked, tokens(leastTokens))), multiply(pictures ?? zero, tokensPerPicture)]
  const quota =
    price.perCall === undefined
      ? multiply(largest(inTokens), price.modelRatio, tierRatio(expected, price), price.groupRatio)
      : multiply(price.perCall, price.quotaPerUnit, price.groupRatio, pictures ?? one)
  return truncate(compare(quota, most) > 0 ? most : quota)
}
