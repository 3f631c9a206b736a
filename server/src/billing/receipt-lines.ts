import { ownMember } from '@tollgate/contract/own-member'
import { compare, decimal, multiply, one } from './decimal.ts'
import { type Decimal, type Kind, type Price, parentOf, type Rates, type TokenKind } from './price.ts'
import { completionTokens, type Pictures, promptTokens, type Usage } from './usage.ts'

/** `quantity` pieces at `price`: a rate in multiples of the price's unit, or of the price of one call. */
export interface ReceiptLine {
  readonly item: string
  readonly quantity: number
  readonly price: Decimal
}

/** False for an answer without tokens and measures: the upstream did nothing, so the call is free even at a fixed price. */
export const isUsed = (usage: Usage): boolean =>
  promptTokens(usage) + completionTokens(usage) > 0 || usage.measures !== undefined

const callLines = (usage: Usage): ReceiptLine[] => {
  const { images } = usage
  if (images !== undefined) return images.count > 0 ? [pictureLine(images, one)] : []
  return isUsed(usage) ? [{ item: 'call', quantity: usage.calls ?? 1, price: one }] : []
}

/** Prompt tokens that a picture costs where the model is billed by ratio: 0.0025 currency units × model ratio. */
export const tokensPerPicture = decimal(1250)

const pictureLine = ({ count, ratio }: Pictures, each: Decimal): ReceiptLine => ({
  item: 'image',
  quantity: count,
  price: multiply(each, decimal(ratio)),
})

/** Rate of one picture with its size and quality; undefined where the model has no price for pictures. */
const pictureRate = ({ ratio, size = '', quality = '' }: Pictures, price: Price): Decimal | undefined => {
  const { pictures = {}, rates } = price
  const listed = ownMember(pictures, `${size} ${quality}`) ?? ownMember(pictures, size) ?? ownMember(pictures, quality)
  if (listed !== undefined) return listed
  // A list names the sizes that cost more; an operator's price is that of a plain square.
  if (rates.picture !== undefined)
    return price.basis === 'dollars' ? rates.picture : multiply(rates.picture, decimal(ratio))
  return price.basis === 'ratio' ? multiply(tokensPerPicture, decimal(ratio)) : dearestPicture(price)
}

/** The largest price of a picture of any size; undefined where none has one. */
export const dearestPicture = ({ rates, pictures = {} }: Pick<Price, 'rates' | 'pictures'>): Decimal | undefined => {
  const prices = [...Object.values(pictures), ...(rates.picture === undefined ? [] : [rates.picture])]
  return prices.length === 0 ? undefined : prices.reduce((most, each) => (compare(each, most) > 0 ? each : most))
}

const pictureLines = (images: Pictures, price: Price): ReceiptLine[] => {
  const rate = pictureRate(images, price)
  return images.count > 0 && rate !== undefined ? [{ item: 'image', quantity: images.count, price: rate }] : []
}

/** The rates for a prompt of this length, and the length from which they hold; 0 for those of every prompt. */
export const ratesFor = (price: Price, prompt: number): { rates: Rates; above: number } => {
  let found: { rates: Rates; above: number } = { rates: price.rates, above: 0 }
  for (const tier of price.contexts ?? []) if (prompt > tier.above) found = tier
  return found
}

type Add = (kind: TokenKind, quantity: number) => void

/** Names tokens by the kind that they are billed as. Runs for every call, so there are no lists in between. */
const addBase = (usage: Usage, output: number, add: Add): void => {
  add('input', usage.input)
  add('cache_read', usage.cacheRead)
  add('cache_write', usage.cacheWrite)
  add('cache_write_1h', usage.cacheWrite1h)
  add('audio_input', usage.audioInput)
  add('output', output)
  add('audio_output', usage.audioOutput)
}

/** The same with parts that some models have a price of their own for; without one, a part counts as its parent. */
const addAll = (usage: Usage, rates: Rates, add: Add): void => {
  const sums = new Map<TokenKind, number>()
  const sum: Add = (kind, count) => sums.set(kind, (sums.get(kind) ?? 0) + count)
  const reasoning = rates.reasoning === undefined ? 0 : usage.reasoning
  addBase(usage, usage.output - reasoning, sum)
  sum('reasoning', reasoning)
  for (const [name, count] of Object.entries(usage.more ?? {}) as [keyof typeof parentOf, number | undefined][])
    sum(rates[name] === undefined ? parentOf[name] : name, count ?? 0)
  for (const [kind, count] of sums) add(kind, count)
}

const measureLines = (usage: Usage, rates: Rates): ReceiptLine[] => {
  const lines: ReceiptLine[] = []
  const add = (item: Kind, quantity: number, rate: Decimal | undefined): void => {
    if (quantity > 0 && rate !== undefined) lines.push({ item, quantity, price: rate })
  }
  const { duration = 0, characters = 0, pages = 0, queries = 0 } = usage.measures ?? {}
  add('duration', duration, rates.duration)
  add('characters', characters, rates.characters)
  add('pages', pages, rates.pages)
  add('queries', queries, rates.queries)
  if (isUsed(usage)) add('request', 1, rates.request)
  return lines
}

const tokenLines = (usage: Usage, price: Price): ReceiptLine[] => {
  const { images } = usage
  // Reported tokens take precedence over the number of pictures, unless the pictures have a price of their own.
  if (images !== undefined && (!isUsed(usage) || sellsPictures(price))) return pictureLines(images, price)
  const { rates } = ratesFor(price, price.contexts === undefined ? 0 : promptTokens(usage))
  const lines: ReceiptLine[] = []
  const add: Add = (item, quantity) => {
    if (quantity === 0) return
    const rate = rates[item] ?? free
    // Tokens that stand for a measure are not shown beside it.
    if (rate.digits !== 0n || usage.measures === undefined) lines.push({ item, quantity, price: rate })
  }
  if (usage.more === undefined && rates.reasoning === undefined) addBase(usage, usage.output, add)
  else addAll(usage, rates, add)
  return usage.measures === undefined && rates.request === undefined ? lines : [...lines, ...measureLines(usage, rates)]
}

const free: Decimal = { digits: 0n, scale: 0 }

/** True where pictures cost a price apiece and not their tokens. */
export const sellsPictures = ({ pictures, rates }: Pick<Price, 'rates' | 'pictures'>): boolean =>
  pictures !== undefined || rates.picture !== undefined

/** Billed lines of an answer, without tools: its tokens and measures, its pictures, or the call. */
export const linesOf = (usage: Usage, price: Price): ReceiptLine[] =>
  price.perCall === undefined ? tokenLines(usage, price) : callLines(usage)
