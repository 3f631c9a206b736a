import { tokensPerPicture } from './cost.ts'
import { add, compare, decimal, multiply, one, truncate, zero } from './decimal.ts'
import type { Decimal, Price } from './price.ts'
import type { Pictures } from './usage.ts'

export interface ExpectedPictures extends Pictures {
  /** Completion tokens of one, where they are counted. */
  readonly tokens: number
}

/** What is known before a call; sizes come from the client and may be anything. */
export interface Expected {
  readonly promptTokens: number
  /** The larger of max_tokens and max_completion_tokens; 0 when the client set none. */
  readonly maxTokens: number
  /** Tokens to reserve when the client set no maximum (option PreConsumedQuota). */
  readonly preConsumedTokens: number
  /** Tokens that it will cost at least. */
  readonly leastTokens?: number
  readonly images?: ExpectedPictures | undefined
  /** The service tier that the client asked for; undefined for the standard one. */
  readonly tier?: string | undefined
}

const whole = (integer: number): Decimal => ({ digits: BigInt(integer), scale: 0 })
const most = whole(Number.MAX_SAFE_INTEGER)

const tokens = (value: number): number => (value > 0 ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : 0)

/** In prices of one. */
const pictures = ({ count, ratio }: Pictures): Decimal => multiply(whole(count), decimal(ratio))

const largest = (...amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((most, amount) => (compare(amount, most) > 0 ? amount : most))

/** Tokens that pictures are made of cost more than others, where the model's price is one by tokens at all. */
const drawn = ({ count, tokens: each }: ExpectedPictures, { completionRatio }: Price): Decimal =>
  compare(completionRatio, one) > 0 ? multiply(whole(count), whole(each), completionRatio) : zero

/** The tokens, or what the pictures cost: nobody knows yet whether their tokens will be reported. */
const larger = (inTokens: Decimal, images: ExpectedPictures | undefined, price: Price): Decimal =>
  images === undefined
    ? inTokens
    : largest(multiply(pictures(images), tokensPerPicture), add(inTokens, drawn(images, price)))

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
  const inTokens = whole(Math.max(asked, tokens(leastTokens)))
  const quota =
    price.perCall === undefined
      ? multiply(larger(inTokens, images, price), price.modelRatio, tierRatio(expected, price), price.groupRatio)
      : multiply(price.perCall, price.quotaPerUnit, price.groupRatio, images === undefined ? one : pictures(images))
  return truncate(compare(quota, most) > 0 ? most : quota)
}
