import type { Receipt, ReceiptPart } from '@tollgate/contract'
import { print } from './decimal.ts'
import type { BaseKind, Decimal, Price, Rates } from './price.ts'
import type { Usage } from './usage.ts'

/**
 * Prices compiled for plain calls: text at token prices, without tiers, tools, measures or anything unknown. Rates, unit and group
 * are one whole number per kind of token, so a charge is a sum of products of safe integers. Calls and prices that are not plain,
 * and sums beyond the safe integers, have no figure here; `cost` and `reservation` then compute them in exact decimals.
 */

/** Quota units × `divisor` of one token. */
interface ChargeRates {
  readonly above: number
  /** The same as receipts print them. */
  readonly texts: Readonly<Record<BaseKind, string>>
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly audioInput: number
  readonly output: number
  readonly audioOutput: number
}

/** The most that a token may cost in a prompt of more than `above` tokens, in quota units × `divisor`. */
interface HoldRates {
  readonly above: number
  readonly prompt: number
  /** The same where the prompt is written to a cache of this lifetime. */
  readonly '5m': number
  readonly '1h': number
  readonly output: number
  readonly request: number
}

interface CompiledPrice {
  /** A power of ten. */
  readonly divisor: number
  readonly charges: readonly ChargeRates[]
  readonly holds: readonly HoldRates[]
  /** True if reasoning has its own rate; `pricesRequests` if each call costs something beside its tokens. */
  readonly pricesReasoning: boolean
  readonly pricesRequests: boolean
  readonly texts: PriceTexts
}

/** Texts of receipts about a price, printed once. */
interface PriceTexts {
  readonly unit: string
  readonly groupRatio: string
  readonly quotaPerUnit: string
}

/** The largest power of ten whose products are still exact. */
const largestScale = 15

const kindsOf = (rates: Rates): readonly (Decimal | undefined)[] => Object.values(rates)

const allRates = ({ rates, contexts = [] }: Price): readonly Rates[] => [rates, ...contexts.map((tier) => tier.rates)]

const compile = (price: Price): CompiledPrice | undefined => {
  const { unit, groupRatio, contexts = [] } = price
  if (price.perCall !== undefined) return undefined
  const rates = allRates(price)
  const rateScale = Math.max(0, ...rates.flatMap((each) => kindsOf(each).map((rate) => rate?.scale ?? 0)))
  let scale = rateScale + unit.scale + groupRatio.scale
  const factor = unit.digits * groupRatio.digits
  const exact = (rate: Decimal | undefined): bigint =>
    rate === undefined ? 0n : rate.digits * 10n ** BigInt(rateScale - rate.scale) * factor
  const all = rates.flatMap((each) => kindsOf(each).map(exact))
  let shared = 1n
  while (scale > 0 && all.every((digits) => digits % (shared * 10n) === 0n)) {
    shared *= 10n
    scale -= 1
  }
  const isExact = all.every((digits) => digits >= 0n && digits / shared <= BigInt(Number.MAX_SAFE_INTEGER))
  if (!isExact || scale > largestScale) return undefined
  const whole = (rate: Decimal | undefined): number => Number(exact(rate) / shared)
  const aboves = [0, ...contexts.map(({ above }) => above)]
  const charges = rates.map((each, index) => ({
    above: aboves[index] ?? 0,
    texts: textsOf(each),
    input: whole(each.input),
    cacheRead: whole(each.cache_read),
    cacheWrite: whole(each.cache_write),
    audioInput: whole(each.audio_input),
    output: whole(each.output),
    audioOutput: whole(each.audio_output),
  }))
  const holds: HoldRates[] = []
  for (const [index, each] of rates.entries()) {
    const before = holds.at(-1)
    const prompt = Math.max(whole(each.input), whole(each.image_input), whole(each.video_input))
    const written = Math.max(prompt, whole(each.cache_write))
    holds.push({
      above: aboves[index] ?? 0,
      prompt: Math.max(prompt, before?.prompt ?? 0),
      '5m': Math.max(written, before?.['5m'] ?? 0),
      '1h': Math.max(written, whole(each.cache_write_1h), before?.['1h'] ?? 0),
      output: Math.max(whole(each.output), whole(each.reasoning), before?.output ?? 0),
      request: Math.max(whole(each.request), before?.request ?? 0),
    })
  }
  return {
    divisor: 10 ** scale,
    charges,
    holds,
    pricesReasoning: rates.some(({ reasoning }) => reasoning !== undefined),
    pricesRequests: rates.some(({ request }) => request !== undefined),
    texts: { unit: print(unit), groupRatio: print(groupRatio), quotaPerUnit: print(price.quotaPerUnit) },
  }
}

const text = (rate: Decimal | undefined): string => (rate === undefined ? '0' : print(rate))

const textsOf = (rates: Rates): ChargeRates['texts'] => ({
  input: text(rates.input),
  cache_read: text(rates.cache_read),
  cache_write: text(rates.cache_write),
  cache_write_1h: text(rates.cache_write_1h),
  audio_input: text(rates.audio_input),
  output: text(rates.output),
  audio_output: text(rates.audio_output),
})

const compiled = new WeakMap<Price, CompiledPrice | 'none'>()

/** Prices are frozen and shared by the calls of a model and group, so each is compiled once. */
const compiledOf = (price: Price): CompiledPrice | undefined => {
  const known = compiled.get(price)
  if (known !== undefined) return known === 'none' ? undefined : known
  const fresh = compile(price)
  compiled.set(price, fresh ?? 'none')
  return fresh
}

const ratesAt = <T extends { readonly above: number }>(all: readonly T[], prompt: number): T | undefined => {
  let found = all[0]
  for (const each of all) if (prompt > each.above) found = each
  return found
}

const isPlainUsage = (usage: Usage): boolean =>
  usage.tier === undefined &&
  usage.place === undefined &&
  usage.unknown === undefined &&
  usage.models === undefined &&
  usage.tools === undefined &&
  usage.more === undefined &&
  usage.measures === undefined &&
  usage.images === undefined &&
  usage.cacheWrite1h === 0

/** The same as `roundHalfUp` of `dividend / divisor`: whole numbers of at least 0 that are safe integers. */
const quotientHalfUp = (dividend: number, divisor: number): number => {
  const rest = dividend % divisor
  const cut = (dividend - rest) / divisor
  return rest * 2 >= divisor ? cut + 1 : cut
}

/** The same as `roundUp` of `dividend / divisor`: whole numbers of at least 0 that are safe integers. */
const quotientUp = (dividend: number, divisor: number): number => {
  const rest = dividend % divisor
  const cut = (dividend - rest) / divisor
  return rest > 0 ? cut + 1 : cut
}

/** Quota units of a plain answer, rounded as `cost` does; undefined where usage or price are not plain. */
export const plainCharge = (usage: Usage, price: Price): number | undefined => {
  if (!isPlainUsage(usage)) return undefined
  const known = compiledOf(price)
  const rates = known && ratesOf(usage, known)
  return known && rates && chargeAt(usage, rates, known.divisor)
}

/** Rates for the length of the prompt; undefined where the price bills a part that a plain sum does not have. */
const ratesOf = (usage: Usage, known: CompiledPrice): ChargeRates | undefined => {
  if (known.pricesRequests || (known.pricesReasoning && usage.reasoning !== 0)) return undefined
  return ratesAt(known.charges, usage.input + usage.cacheRead + usage.cacheWrite + usage.audioInput)
}

const chargeAt = (usage: Usage, rates: ChargeRates, divisor: number): number | undefined => {
  const { input, cacheRead, cacheWrite, audioInput, output, audioOutput } = usage
  const sum =
    input * rates.input +
    cacheRead * rates.cacheRead +
    cacheWrite * rates.cacheWrite +
    audioInput * rates.audioInput +
    output * rates.output +
    audioOutput * rates.audioOutput
  return Number.isSafeInteger(sum) ? quotientHalfUp(sum, divisor) : undefined
}

/**
 * The receipt of a plain answer whose tokens the provider reported, as `receiptOf` makes it; undefined where usage or price are not
 * plain, or the price is provisional.
 */
export const plainReceipt = (usage: Usage, price: Price): Receipt | undefined => {
  if (!isPlainUsage(usage) || usage.disputed !== undefined || price.provisional !== undefined) return undefined
  const known = compiledOf(price)
  const rates = known && ratesOf(usage, known)
  const quota = known && rates && chargeAt(usage, rates, known.divisor)
  if (quota === undefined || rates === undefined || known === undefined) return undefined
  const { texts } = rates
  const lines: ReceiptPart['lines'] = []
  if (usage.input !== 0) lines.push({ item: 'input', quantity: usage.input, price: texts.input })
  if (usage.cacheRead !== 0) lines.push({ item: 'cache_read', quantity: usage.cacheRead, price: texts.cache_read })
  if (usage.cacheWrite !== 0) lines.push({ item: 'cache_write', quantity: usage.cacheWrite, price: texts.cache_write })
  if (usage.audioInput !== 0) lines.push({ item: 'audio_input', quantity: usage.audioInput, price: texts.audio_input })
  if (usage.output !== 0) lines.push({ item: 'output', quantity: usage.output, price: texts.output })
  if (usage.audioOutput !== 0)
    lines.push({ item: 'audio_output', quantity: usage.audioOutput, price: texts.audio_output })
  const { unit, groupRatio, quotaPerUnit } = known.texts
  const part: ReceiptPart = { mode: 'tokens', lines, model_ratio: unit }
  if (price.basis === 'dollars') part.basis = 'dollars'
  if (price.version !== undefined) part.price_version = price.version
  if (rates.above > 0) part.context_above = rates.above
  return Object.assign(part, { group_ratio: groupRatio, quota_per_unit: quotaPerUnit, quota, estimated: false })
}

/** As the members of `UpstreamCost`. */
interface PlainCost {
  readonly quota: number
  readonly version: string
  readonly factor: string
}

/** The cost of a plain answer with tokens at a price of `ChannelPrices`, as `upstreamCost` says; undefined where usage or price are not plain. */
export const plainCost = (usage: Usage, price: Price): PlainCost | undefined => {
  if (!isPlainUsage(usage)) return undefined
  const known = compiledOf(price)
  const rates = known && ratesOf(usage, known)
  const quota = known && rates && chargeAt(usage, rates, known.divisor)
  if (known === undefined || quota === undefined) return undefined
  return { quota, version: price.version ?? '', factor: known.texts.groupRatio }
}

/** The size of a plain call. */
export interface PlainCall {
  readonly promptTokens: number
  readonly outputTokens: number
  readonly answers: number
  /** Least prompt tokens to hold. */
  readonly leastTokens: number
  /** Lifetime of the cache that the prompt is written to. */
  readonly cached: '5m' | '1h' | undefined
}

const { isSafeInteger } = Number

/**
 * Quota units to hold for a plain call, rounded up as `reservation` does; undefined where sizes or price are not plain. Fractions of
 * tokens, as in a usual length, are dropped.
 */
export const plainReservation = (call: PlainCall, price: Price): number | undefined => {
  const { promptTokens, answers, leastTokens, cached } = call
  const outputTokens = Math.floor(call.outputTokens)
  if (promptTokens < 0 || outputTokens < 0 || answers < 0 || leastTokens < 0) return undefined
  const isWhole = isSafeInteger(promptTokens) && isSafeInteger(outputTokens) && isSafeInteger(answers)
  if (!isWhole || !isSafeInteger(leastTokens)) return undefined
  const known = compiledOf(price)
  if (known === undefined) return undefined
  const { holds, charges, divisor } = known
  const rates = holds.length === 1 ? holds[0] : ratesAt(holds, promptTokens)
  const least = charges[0]?.input
  if (rates === undefined || least === undefined) return undefined
  const prompt = promptTokens * rates[cached ?? 'prompt']
  const output = outputTokens * Math.max(1, answers) * rates.output
  const sum = Math.max(prompt + output, leastTokens * least) + rates.request
  return isSafeInteger(sum) ? quotientUp(sum, divisor) : undefined
}
