import { ownMember } from '@tollgate/contract/own-member'
import { tokensPerPicture } from './cost.ts'
import { add, compare, decimal, multiply, one, roundUp, zero } from './decimal.ts'
import type { Decimal, Price } from './price.ts'
import type { Pictures } from './usage.ts'

export interface ExpectedPictures extends Pictures {
  /** Completion tokens of one picture, for models billed by tokens. */
  readonly tokens: number
}

/** Marks a call whose service tier the provider chooses. */
export const anyTier = 'auto'

/** The expected size of a call, known before it runs. Sizes come from the client and may be any number. */
export interface Expected {
  readonly promptTokens: number
  /** Completion tokens of one answer: the client's maximum, or the model's usual length; 0 for calls without text. */
  readonly outputTokens: number
  /** Number of answers that the client requests; 1 when absent. */
  readonly answers?: number
  /** Least prompt tokens to reserve (option PreConsumedQuota, or characters of speech input). */
  readonly leastTokens: number
  /** How many times a price per call may be charged; 1 when absent. */
  readonly calls?: number
  /** Lifetime of the provider's cache that the prompt is written to; cache writes may cost more than plain tokens. */
  readonly cached?: '5m' | '1h' | undefined
  /** True when the answer may be audio, which may cost more than text. */
  readonly spoken?: boolean
  readonly images?: ExpectedPictures | undefined
  /** The service tier that the client requested, or `anyTier`; undefined for the standard one. */
  readonly tier?: string | undefined
}

const whole = (integer: number): Decimal => ({ digits: BigInt(integer), scale: 0 })
const most = whole(Number.MAX_SAFE_INTEGER)

const tokens = (value: number): number => (value > 0 ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : 0)

/** The pictures in multiples of the price of one. */
const pictures = ({ count, ratio }: Pictures): Decimal => multiply(whole(count), decimal(ratio))

const larger = (left: Decimal, right: Decimal): Decimal => (compare(right, left) > 0 ? right : left)

/** Price of the pictures' completion tokens; 0 unless the model has a completion ratio, i.e. is billed by tokens. */
const pictureTokens = ({ count, tokens: each }: ExpectedPictures, { completionRatio }: Price): Decimal =>
  compare(completionRatio, one) > 0 ? multiply(whole(count), whole(each), completionRatio) : zero

/** The larger of the token price and the price of the pictures: the answer may report either. */
const withPictures = (tokenPrice: Decimal, images: ExpectedPictures | undefined, price: Price): Decimal =>
  images === undefined
    ? tokenPrice
    : larger(multiply(pictures(images), tokensPerPicture), add(tokenPrice, pictureTokens(images, price)))

/** A tier that `auto` never selects. */
const namedOnly = 'fast'

/** Factor of the most expensive tier that may apply, at least 1: a cheaper tier may not be granted. */
const tierRatio = ({ tier }: Expected, { tiers }: Price): Decimal => {
  if (tier === undefined || tiers === undefined) return one
  if (tier !== anyTier) return larger(one, decimal(ownMember(tiers, tier) ?? 1))
  return Object.entries(tiers).reduce((dearest, [name, ratio]) => {
    return name === namedOnly ? dearest : larger(dearest, decimal(ratio))
  }, one)
}

const promptRatio = ({ cached }: Expected, { cacheWriteRatio, cacheWrite1hRatio }: Price): Decimal => {
  if (cached === undefined) return one
  return larger(one, cached === '1h' ? larger(cacheWriteRatio, cacheWrite1hRatio) : cacheWriteRatio)
}

const outputRatio = ({ spoken }: Expected, price: Price): Decimal =>
  spoken === true
    ? larger(price.completionRatio, multiply(price.audioRatio, price.audioCompletionRatio))
    : price.completionRatio

/** The expected tokens in multiples of the price of a prompt token. */
const tokensOf = (expected: Expected, price: Price): Decimal => {
  const { promptTokens, outputTokens, answers = 1 } = expected
  const prompt = whole(tokens(promptTokens))
  const promptPrice = expected.cached === undefined ? prompt : multiply(prompt, promptRatio(expected, price))
  const output = tokens(outputTokens)
  return output === 0
    ? promptPrice
    : add(promptPrice, multiply(whole(output), whole(Math.max(1, tokens(answers))), outputRatio(expected, price)))
}

/**
 * Quota units to hold while a call runs: the prompt at the highest price that its tokens may have and every answer at the price
 * of completions, or the fixed price; at the most expensive service tier that may apply. Rounded up, so that no charge for these
 * tokens is larger. Between 0 and the largest safe integer, so that an absurd maximum is refused instead of overflowing.
 */
export const reservation = (expected: Expected, price: Price): number => {
  const { leastTokens, images, calls = 1 } = expected
  const tokenPrice = (): Decimal =>
    withPictures(larger(tokensOf(expected, price), whole(tokens(leastTokens))), images, price)
  const quota =
    price.perCall === undefined
      ? multiply(tokenPrice(), price.modelRatio, tierRatio(expected, price), price.groupRatio)
      : multiply(
          price.perCall,
          price.quotaPerUnit,
          price.groupRatio,
          images === undefined ? whole(Math.max(1, tokens(calls))) : pictures(images),
        )
  return roundUp(compare(quota, most) > 0 ? most : quota)
}
