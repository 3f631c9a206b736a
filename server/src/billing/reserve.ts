import { ownMember } from '@tollgate/contract/own-member'
import { tokensPerPicture } from './cost.ts'
import { add, compare, decimal, multiply, one, roundUp, zero } from './decimal.ts'
import type { Decimal, Price } from './price.ts'
import type { Pictures } from './usage.ts'

export interface ExpectedPictures extends Pictures {
  /** Completion tokens of one, where they are counted. */
  readonly tokens: number
}

/** Marks a call whose service tier the provider chooses. */
export const anyTier = 'auto'

/** What is known before a call; sizes come from the client and may be anything. */
export interface Expected {
  readonly promptTokens: number
  /** Completion tokens of one answer: the client's maximum, or what the model usually writes; 0 for calls that write none. */
  readonly outputTokens: number
  /** How many answers the client wants; once when absent. */
  readonly answers?: number
  /** Prompt tokens that are reserved at least (option PreConsumedQuota, or characters to be spoken). */
  readonly leastTokens: number
  /** How many times a price per call may be due; once when absent. */
  readonly calls?: number
  /** For how long the prompt is written to the provider's cache, which may cost more than to read it. */
  readonly cached?: '5m' | '1h' | undefined
  /** True where the answer may be spoken, which may cost more than text. */
  readonly spoken?: boolean
  readonly images?: ExpectedPictures | undefined
  /** The service tier that the client asked for, or `anyTier`; undefined for the standard one. */
  readonly tier?: string | undefined
}

const whole = (integer: number): Decimal => ({ digits: BigInt(integer), scale: 0 })
const most = whole(Number.MAX_SAFE_INTEGER)

const tokens = (value: number): number => (value > 0 ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : 0)

/** In prices of one. */
const pictures = ({ count, ratio }: Pictures): Decimal => multiply(whole(count), decimal(ratio))

const larger = (left: Decimal, right: Decimal): Decimal => (compare(right, left) > 0 ? right : left)

/** Tokens that pictures are made of cost more than others, where the model's price is one by tokens at all. */
const drawn = ({ count, tokens: each }: ExpectedPictures, { completionRatio }: Price): Decimal =>
  compare(completionRatio, one) > 0 ? multiply(whole(count), whole(each), completionRatio) : zero

/** The tokens, or what the pictures cost: nobody knows yet whether their tokens will be reported. */
const orPictures = (inTokens: Decimal, images: ExpectedPictures | undefined, price: Price): Decimal =>
  images === undefined
    ? inTokens
    : larger(multiply(pictures(images), tokensPerPicture), add(inTokens, drawn(images, price)))

/** Tiers that only those get who ask for them by name. */
const namedOnly = 'fast'

/** A dearer tier is reserved for; a cheaper one may not be granted. */
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

/** In prices of a prompt token. */
const tokensOf = (expected: Expected, price: Price): Decimal => {
  const { promptTokens, outputTokens, answers = 1 } = expected
  const prompt = whole(tokens(promptTokens))
  const asked = expected.cached === undefined ? prompt : multiply(prompt, promptRatio(expected, price))
  const output = tokens(outputTokens)
  return output === 0
    ? asked
    : add(asked, multiply(whole(output), whole(Math.max(1, tokens(answers))), outputRatio(expected, price)))
}

/**
 * Quota units to hold while a call runs: the prompt at the dearest price of its tokens, and every answer that it may have at
 * the price of completions, or the fixed price; at the dearest service tier that may be granted. Rounded up, so that no
 * charge of these tokens is larger. Never negative; never beyond the safe integers, so that an absurd maximum is refused, not
 * wrapped.
 */
export const reservation = (expected: Expected, price: Price): number => {
  const { leastTokens, images, calls = 1 } = expected
  const inTokens = (): Decimal =>
    orPictures(larger(tokensOf(expected, price), whole(tokens(leastTokens))), images, price)
  const quota =
    price.perCall === undefined
      ? multiply(inTokens(), price.modelRatio, tierRatio(expected, price), price.groupRatio)
      : multiply(
          price.perCall,
          price.quotaPerUnit,
          price.groupRatio,
          images === undefined ? whole(Math.max(1, tokens(calls))) : pictures(images),
        )
  return roundUp(compare(quota, most) > 0 ? most : quota)
}
