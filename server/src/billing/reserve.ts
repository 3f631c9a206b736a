import { type PlainCall, plainReservation } from './compiled-price.ts'
import { add, compare, decimal, multiply, one, roundUp, zero } from './decimal.ts'
import { toolPrice } from './declared/hosted-tools.ts'
import { mostPlaceRatio } from './declared/places.ts'
import { tierFactor } from './declared/tiers.ts'
import { priceInTier } from './overrides/tier-rates.ts'
import type { Decimal, Price, Rates } from './price.ts'
import { dearestPicture, tokensPerPicture } from './receipt-lines.ts'
import type { Measures, Pictures } from './usage.ts'

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
  /** Most prompt tokens of an uploaded sound, beside `promptTokens`. */
  readonly soundTokens?: number
  /** Most completion tokens of a spoken answer, where a price list sells it by them. */
  readonly spokenTokens?: number
  /** Most prompt tokens of pictures to edit, beside `promptTokens`. */
  readonly pictureTokens?: number
  /** True when the prompt may hold sound, which may cost more than text. */
  readonly mayHoldAudio?: boolean
  /** Largest measures other than tokens: characters to speak, milliseconds of sound, searches. */
  readonly measures?: Measures | undefined
  readonly images?: ExpectedPictures | undefined
  /** The service tier that the client requested, or `anyTier`; undefined for the standard one. */
  readonly tier?: string | undefined
  /** Tools at the provider that the request offers, by their names on receipts; one call of each is held, at the dearest price for an unknown one. */
  readonly tools?: readonly string[] | undefined
  /** The region that the client requested, or that the provider is known to choose; undefined for any. */
  readonly place?: string | undefined
}

const whole = (integer: number): Decimal => ({ digits: BigInt(integer), scale: 0 })
const most = whole(Number.MAX_SAFE_INTEGER)

const tokens = (value: number): number => (value > 0 ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : 0)

/** The pictures in multiples of the price of one. */
const pictures = ({ count, ratio }: Pictures): Decimal => multiply(whole(count), decimal(ratio))

const larger = (left: Decimal, right: Decimal): Decimal => (compare(right, left) > 0 ? right : left)

/** Price of the pictures' completion tokens; 0 unless the model bills more for them than for its prompt, i.e. by tokens. */
const pictureTokens = ({ count, tokens: each }: ExpectedPictures, price: Price): Decimal => {
  const rate = dearestRate(price, Number.POSITIVE_INFINITY, ({ image_output, output }) => image_output ?? output)
  return compare(rate, price.rates.input) > 0 ? multiply(whole(count), whole(each), rate) : zero
}

/** The dearest price that pictures sold apiece may have. */
const pictureRate = ({ count, ratio }: ExpectedPictures, price: Price): Decimal => {
  const listed = dearestPicture(price) ?? zero
  if (price.basis === 'dollars') return multiply(whole(count), listed)
  const plain = price.rates.picture ?? tokensPerPicture
  return multiply(whole(count), larger(multiply(plain, decimal(ratio)), listed))
}

/** The larger of the token price and the price of the pictures: the answer may report either. */
const withPictures = (tokenPrice: Decimal, images: ExpectedPictures | undefined, price: Price): Decimal =>
  images === undefined ? tokenPrice : larger(pictureRate(images, price), add(tokenPrice, pictureTokens(images, price)))

/** Tiers that `auto` never selects: only a request that names them gets them. */
const namedOnly: ReadonlySet<string> = new Set(['fast', 'ultrafast'])

/** Factor of the most expensive tier that may apply, at least 1: a cheaper tier may not be granted. */
const tierRatio = ({ tier }: Expected, price: Price): Decimal => {
  const { tiers } = price
  if (tier === undefined) return one
  if (tier !== anyTier) return larger(one, decimal(tierFactor(tier, price).ratio))
  if (tiers === undefined) return one
  return Object.entries(tiers).reduce((dearest, [name, ratio]) => {
    return namedOnly.has(name) || name.startsWith('place_') ? dearest : larger(dearest, decimal(ratio))
  }, one)
}

/** Factor of the place that may apply, at least 1. */
const placeFactor = ({ place }: Expected, price: Price): Decimal =>
  place === undefined ? one : larger(one, mostPlaceRatio(place, price))

/** The largest of a rate over all context lengths up to this number of prompt tokens. */
const dearestRate = (price: Price, prompt: number, rateOf: (rates: Rates) => Decimal): Decimal => {
  let dearest = rateOf(price.rates)
  for (const { above, rates } of price.contexts ?? []) if (prompt > above) dearest = larger(dearest, rateOf(rates))
  return dearest
}

/** The dearest that a token of the prompt may be: pictures and sound in it may cost more than text, and so do cache writes. */
const promptRate =
  ({ cached, mayHoldAudio }: Expected) =>
  (rates: Rates): Decimal => {
    const seen = larger(larger(rates.input, rates.image_input ?? zero), rates.video_input ?? zero)
    const parts = mayHoldAudio === true ? larger(seen, rates.audio_input) : seen
    if (cached === undefined) return parts
    const written = cached === '1h' ? larger(rates.cache_write, rates.cache_write_1h) : rates.cache_write
    return larger(parts, written)
  }

const outputRate =
  ({ spoken }: Expected) =>
  (rates: Rates): Decimal => {
    const written = larger(rates.output, rates.reasoning ?? zero)
    return spoken === true ? larger(written, rates.audio_output) : written
  }

/** The expected tokens in multiples of the price's unit. */
const tokensOf = (expected: Expected, price: Price): Decimal => {
  const { promptTokens, soundTokens = 0, pictureTokens = 0, outputTokens, spokenTokens = 0, answers = 1 } = expected
  const [sound, sent] = [tokens(soundTokens), tokens(pictureTokens)]
  const prompt = tokens(promptTokens + sound + sent)
  const soundRate = dearestRate(price, prompt, ({ input, audio_input }) => larger(input, audio_input))
  const promptPrice = add(
    multiply(whole(tokens(promptTokens)), dearestRate(price, prompt, promptRate(expected))),
    add(multiply(whole(sound), soundRate), multiply(whole(sent), dearestRate(price, prompt, promptRate(expected)))),
  )
  const output = tokens(price.basis === 'dollars' ? Math.max(outputTokens, spokenTokens) : outputTokens)
  if (output === 0) return promptPrice
  const rate = dearestRate(price, prompt, outputRate(expected))
  return add(promptPrice, multiply(whole(output), whole(Math.max(1, tokens(answers))), rate))
}

const measureKinds = ['duration', 'characters', 'pages', 'queries'] as const

/** The expected measures, and the fee of a call, in multiples of the price's unit. */
const measuresOf = ({ measures = {}, promptTokens }: Expected, price: Price): Decimal => {
  const prompt = tokens(promptTokens)
  const fee = dearestRate(price, prompt, ({ request }) => request ?? zero)
  return measureKinds.reduce((sum, kind) => {
    const rate = dearestRate(price, prompt, (rates) => rates[kind] ?? zero)
    return add(sum, multiply(whole(tokens(measures[kind] ?? 0)), rate))
  }, fee)
}

const perThousand: Decimal = { digits: 1n, scale: 3 }

/** One call of each tool, as charges count them: no factor of tokens applies. */
const toolsOf = (tools: readonly string[], price: Price): Decimal => {
  const each = tools.reduce((sum, tool) => add(sum, decimal(toolPrice(tool, price).price)), zero)
  return multiply(each, perThousand, price.quotaPerUnit, price.groupRatio)
}

const leastPrice = (leastTokens: number, { rates }: Price): Decimal => multiply(whole(tokens(leastTokens)), rates.input)

/** The prices that a call may be charged at: the usual one with the factors of tiers, and those of tiers with prices of their own. */
const pricesOf = ({ tier }: Expected, price: Price): readonly Price[] => {
  const { inTiers, tiers } = price
  if (tier === undefined || inTiers === undefined) return [price]
  const own = Object.keys(inTiers).filter((name) => name === tier || (tier === anyTier && !namedOnly.has(name)))
  // A requested tier may not be granted: then the usual price applies.
  const usual = own.includes(tier) ? { ...price, tiers: { ...tiers, [tier]: 1 } } : price
  return [usual, ...own.map((name) => ({ ...priceInTier(price, name), tiers: { [tier]: 1 } }))]
}

/** True for a call that is made of text at the usual tier. */
const isPlain = (expected: Expected): boolean =>
  expected.tier === undefined &&
  expected.place === undefined &&
  expected.tools === undefined &&
  expected.images === undefined &&
  expected.measures === undefined &&
  expected.spoken !== true &&
  expected.mayHoldAudio !== true &&
  (expected.soundTokens ?? 0) === 0 &&
  (expected.spokenTokens ?? 0) === 0 &&
  (expected.pictureTokens ?? 0) === 0

const plainCall = ({ promptTokens, outputTokens, answers = 1, leastTokens, cached }: Expected): PlainCall => ({
  promptTokens,
  outputTokens,
  answers,
  leastTokens,
  cached,
})

/**
 * Quota units to hold while a call runs: the prompt at the highest price that its tokens may have and every answer at the price
 * of completions, or the fixed price; at the most expensive service tier that may apply. Rounded up, so that no charge for these
 * tokens is larger. Between 0 and the largest safe integer, so that an absurd maximum is refused instead of overflowing.
 */
export const reservation = (expected: Expected, price: Price): number =>
  (isPlain(expected) ? plainReservation(plainCall(expected), price) : undefined) ??
  Math.max(...pricesOf(expected, price).map((each) => reservationAt(expected, each)))

const reservationAt = (expected: Expected, price: Price): number => {
  const { leastTokens, images, calls = 1 } = expected
  const tokenPrice = (): Decimal =>
    add(
      withPictures(larger(tokensOf(expected, price), leastPrice(leastTokens, price)), images, price),
      measuresOf(expected, price),
    )
  const quota =
    price.perCall === undefined
      ? multiply(tokenPrice(), price.unit, tierRatio(expected, price), placeFactor(expected, price), price.groupRatio)
      : multiply(
          price.perCall,
          price.quotaPerUnit,
          price.groupRatio,
          images === undefined ? whole(Math.max(1, tokens(calls))) : pictures(images),
        )
  const all = expected.tools === undefined ? quota : add(quota, toolsOf(expected.tools, price))
  return roundUp(compare(all, most) > 0 ? most : all)
}
