import type { Receipt, ReceiptPart } from '@tollgate/contract'
import { plainCharge, plainReceipt } from './compiled-price.ts'
import { decimal, multiply, add as plus, print, roundHalfUp, zero } from './decimal.ts'
import { markedWrites } from './declared/assumed-writes.ts'
import type { Reason } from './declared/declarations.ts'
import { toolPrice } from './declared/hosted-tools.ts'
import { placeRatio } from './declared/places.ts'
import { unknownCharge, unknownExtras } from './declared/provisional.ts'
import { tierFactor } from './declared/tiers.ts'
import { type PricedUsage, pricedModels } from './named-models/priced-models.ts'
import { priceInTier } from './overrides/tier-rates.ts'
import type { Decimal, Price } from './price.ts'
import { linesOf, type ReceiptLine, ratesFor } from './receipt-lines.ts'
import { type DisputedFigures, promptTokens, type Usage } from './usage.ts'

interface ToolLine {
  readonly tool: string
  readonly quantity: number
  /** Currency units per thousand calls. */
  readonly price: Decimal
}

/** Tools are billed also beside a fixed price, because providers bill them separately from the model. */
const toolLines = ({ tools }: Usage, price: Price): ToolLine[] =>
  tools === undefined
    ? []
    : Object.entries(tools).map(([tool, quantity]) => ({
        tool,
        quantity,
        price: decimal(toolPrice(tool, price).price),
      }))

const tierRatio = (tier: string, price: Price): Decimal => decimal(tierFactor(tier, price).ratio)

const sum = (lines: readonly Pick<ReceiptLine, 'quantity' | 'price'>[]): Decimal =>
  lines.reduce<Decimal>(
    (total, { quantity, price }) => plus(total, { digits: BigInt(quantity) * price.digits, scale: price.scale }),
    zero,
  )

/** Bill of one model's counts: token or call lines with their factors, and tool lines. */
interface PartBill {
  readonly lines: readonly ReceiptLine[]
  readonly factors: readonly Decimal[]
  readonly tools: readonly ToolLine[]
}

/** Everything that a charge is computed from. */
interface Bill extends PartBill {
  readonly quotaPerUnit: Decimal
  readonly groupRatio: Decimal
  /** Bills of other models; absent for almost all calls. */
  readonly others?: readonly PartBill[]
  /** Why the charge is provisional; empty for almost all. */
  readonly reasons: readonly Reason[]
}

const perThousand: Decimal = { digits: 1n, scale: 3 }

/** Quota units of the counts of one model, exact. */
const amountOf = (
  { lines, factors, tools }: PartBill,
  { quotaPerUnit, groupRatio }: Pick<Bill, 'quotaPerUnit' | 'groupRatio'>,
): Decimal => {
  const used = multiply(sum(lines), ...factors)
  return tools.length === 0 ? used : plus(used, multiply(sum(tools), perThousand, quotaPerUnit, groupRatio))
}

/** Rounds the charge; nothing else does. */
const charge = (bill: Omit<Bill, 'reasons'>): number => {
  const own = amountOf(bill, bill)
  if (bill.others === undefined) return roundHalfUp(own)
  return roundHalfUp(bill.others.reduce((total, other) => plus(total, amountOf(other, bill)), own))
}

const factorsOf = (usage: Usage, price: Price): Decimal[] => {
  if (price.perCall !== undefined) return [price.perCall, price.quotaPerUnit, price.groupRatio]
  if (usage.place !== undefined) {
    const tier = usage.tier === undefined ? [] : [tierRatio(usage.tier, price)]
    return [price.unit, ...tier, placeRatio(usage.place, price), price.groupRatio]
  }
  return usage.tier === undefined
    ? [price.unit, price.groupRatio]
    : [price.unit, tierRatio(usage.tier, price), price.groupRatio]
}

const noReasons: readonly Reason[] = []

const reasonsOf = (usage: Usage, price: Price, lines: readonly ReceiptLine[]): readonly Reason[] => {
  const extras = usage.tier === undefined && usage.tools === undefined ? noReasons : unknownExtras(usage, price)
  return price.provisional === undefined || lines.length === 0 ? extras : [price.provisional, ...extras]
}

/** The bill of an answer on which other models worked, or that another model wrote. */
interface ModelsBill extends Bill {
  /** Price of the counts of the answer itself, and the model of that price where it is not the requested one. */
  readonly price: Price
  readonly served: string | undefined
  readonly others: readonly (PartBill & { readonly priced: PricedUsage })[]
}

/** Removes duplicates of the reason that the requested model lacks its price, since several parts may be priced as it. */
const pricesOnce = (reasons: readonly Reason[]): readonly Reason[] =>
  reasons.filter(({ kind }, index) => kind !== 'price' || reasons.findIndex((each) => each.kind === 'price') === index)

const modelsBill = (usage: Usage, models: NonNullable<Usage['models']>, asked: Price): ModelsBill => {
  const { models: _, ...own } = usage
  const { price, served, others, reasons } = pricedModels(models, { usage: own, price: asked, costOf: cost })
  const bill = ownBill(own, price)
  const parts = others.map((priced) => ({ ...ownBill(priced.usage, priced.price), priced }))
  return {
    ...bill,
    price,
    served,
    others: parts,
    reasons: [...pricesOnce([...bill.reasons, ...parts.flatMap((part) => part.reasons)]), ...reasons],
  }
}

const billOf = (usage: Usage, price: Price): Bill | ModelsBill =>
  usage.models === undefined ? ownBill(usage, price) : modelsBill(usage, usage.models, price)

/** Price of an answer's own counts: that of the model that wrote it, where the usage names another than the requested one. */
export const servedPrice = (usage: Usage, price: Price): Price =>
  usage.models === undefined ? price : modelsBill(usage, usage.models, price).price

/** The bill of counts of one model, at the prices that it has in the tier of these counts. */
const ownBill = (usage: Usage, listed: Price): Bill => {
  const price = priceInTier(listed, usage.tier)
  const ownLines = linesOf(usage, price)
  const marked =
    usage.cacheWrite1h > 0 ? markedWrites(ownLines, price, ratesFor(price, promptTokens(usage)).rates) : undefined
  const lines = marked?.lines ?? ownLines
  const tools = toolLines(usage, price)
  const known = reasonsOf(usage, price, lines)
  const bill = {
    lines,
    factors: factorsOf(usage, price),
    tools,
    quotaPerUnit: price.quotaPerUnit,
    groupRatio: price.groupRatio,
    reasons: marked === undefined ? known : [...known, ...marked.reasons],
  }
  if (usage.unknown === undefined) return bill
  const { rates } = ratesFor(price, promptTokens(usage))
  const more = unknownCharge(usage, price, { rates, known: lines })
  return {
    ...bill,
    lines: [...lines, ...more.lines],
    tools: [...tools, ...more.tools],
    reasons: [...bill.reasons, ...more.reasons],
  }
}

/**
 * Quota units for one answer, rounded once, halves away from zero: tokens × their rate ×
 * unit × tier ratio × group ratio, or price × quota per unit × group ratio; tools cost price × calls / 1000. A charge that
 * rounds to 0 stays 0. Throws RangeError when the charge is not a safe integer.
 */
export const cost = (usage: Usage, price: Price): number => plainCharge(usage, price) ?? charge(billOf(usage, price))

/** JSON has no infinite numbers: they become the largest finite ones. */
const finiteFigures = (figures: DisputedFigures): Record<string, number> =>
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE)),
    ]),
  )

/** Optional members are assigned, not spread: this runs for every call. */
const partOf = (usage: Usage, listed: Price, { lines, tools }: PartBill): ReceiptPart => {
  const { tier } = usage
  const price = priceInTier(listed, tier)
  const part: ReceiptPart = {
    mode: price.perCall === undefined ? 'tokens' : 'call',
    lines: lines.map(({ item, quantity, price: each }) => ({ item, quantity, price: print(each) })),
    model_ratio: print(price.unit),
  }
  if (price.basis === 'dollars') part.basis = 'dollars'
  if (price.version !== undefined) part.price_version = price.version
  if (price.contexts !== undefined && price.perCall === undefined) {
    const { above } = ratesFor(price, promptTokens(usage))
    if (above > 0) part.context_above = above
  }
  if (price.perCall !== undefined) part.model_price = print(price.perCall)
  else if (tier !== undefined) {
    part.tier = { name: tier, ratio: print(tierRatio(tier, price)) }
    if (price !== listed) part.tier.own = true
  }
  if (usage.place !== undefined && price.perCall === undefined) {
    part.place = { name: usage.place, ratio: print(placeRatio(usage.place, price)) }
  }
  if (tools.length > 0) {
    part.tools = tools.map(({ tool, quantity, price: each }) => ({ tool, quantity, price: print(each) }))
  }
  return part
}

/** The charge with the figures that it is computed from. A fixed price has one line, `call`. Without usage there are no lines. */
export const receiptOf = (usage: Usage, price: Price, more: { estimated: boolean }): Receipt =>
  (more.estimated ? undefined : plainReceipt(usage, price)) ?? anyReceipt(usage, price, more)

/** The same in the general way, for usages and prices of every kind. */
export const anyReceipt = (usage: Usage, price: Price, more: { estimated: boolean }): Receipt => {
  const bill = billOf(usage, price)
  const { disputed } = usage
  const own = 'price' in bill ? bill.price : price
  const receipt: Receipt = {
    ...partOf(usage, own, bill),
    group_ratio: print(own.groupRatio),
    quota_per_unit: print(own.quotaPerUnit),
    quota: plainCharge(usage, price) ?? charge(bill),
    estimated: more.estimated,
  }
  if (disputed !== undefined) receipt.disputed = finiteFigures(disputed)
  if (bill.reasons.length > 0) receipt.provisional = bill.reasons.map((reason) => ({ ...reason }))
  if (!('price' in bill)) return receipt
  if (bill.served !== undefined) receipt.model = bill.served
  if (bill.others.length > 0) {
    receipt.models = bill.others.map(({ priced, ...part }) => ({
      source: priced.place,
      model: priced.model,
      ...(priced.asked === true ? { asked: true as const } : {}),
      ...partOf(priced.usage, priced.price, part),
    }))
  }
  return receipt
}

/** Quota units saved and missed by the prompt cache in an answer. */
export interface CacheMoney {
  /** Price of the cached tokens without the cache, less the price that was charged. */
  readonly saved: number
  /** Extra cost of `missed` tokens over their price from the cache. */
  readonly lost: number
}

/**
 * Savings by the cache in an answer and the extra cost of `missed` prompt tokens, which it could have contained, in quota units: at the
 * answer's price, each rounded once. Zeros where a call has a fixed price, or reading costs as much as writing.
 */
export const cacheMoney = (usage: Usage, listed: Price, missed: number): CacheMoney => {
  const price = priceInTier(listed, usage.tier)
  const { rates } = ratesFor(price, price.contexts === undefined ? 0 : promptTokens(usage))
  const { input, cache_read: read } = rates
  if (price.perCall !== undefined || input === undefined || read === undefined) return { saved: 0, lost: 0 }
  const difference = plus(input, { digits: -read.digits, scale: read.scale })
  const factors = factorsOf(usage, price)
  const of = (tokens: number): number =>
    tokens === 0 ? 0 : roundHalfUp(multiply({ digits: BigInt(tokens), scale: 0 }, difference, ...factors))
  const explicit = usage.more?.explicit_cache_read ?? 0
  if (explicit === 0) return { saved: of(usage.cacheRead), lost: of(missed) }
  const explicitRead = rates.explicit_cache_read ?? read
  const ofExplicit = plus(input, { digits: -explicitRead.digits, scale: explicitRead.scale })
  const savedByIt = roundHalfUp(multiply({ digits: BigInt(explicit), scale: 0 }, ofExplicit, ...factors))
  return { saved: of(usage.cacheRead) + savedByIt, lost: of(missed) }
}

const readLine = <T extends { readonly price: string }>(line: T) => ({ ...line, price: decimal(line.price) })

const billOfPart = (part: ReceiptPart, quotaPerUnit: Decimal, groupRatio: Decimal): PartBill => {
  const tier = part.tier === undefined ? [] : [decimal(part.tier.ratio)]
  const place = part.place === undefined ? [] : [decimal(part.place.ratio)]
  const factors =
    part.mode === 'tokens'
      ? [decimal(part.model_ratio), ...tier, ...place, groupRatio]
      : [decimal(part.model_price ?? '0'), quotaPerUnit, groupRatio]
  return { lines: part.lines.map(readLine), factors, tools: (part.tools ?? []).map(readLine) }
}

/** Quota units of one part of a receipt, rounded alone: the parts together may differ from the charge by less than one each. */
export const quotaOfPart = (part: ReceiptPart, receipt: Pick<Receipt, 'group_ratio' | 'quota_per_unit'>): number => {
  const [quotaPerUnit, groupRatio] = [decimal(receipt.quota_per_unit), decimal(receipt.group_ratio)]
  return roundHalfUp(amountOf(billOfPart(part, quotaPerUnit, groupRatio), { quotaPerUnit, groupRatio }))
}

/** Computes the charge from a receipt's figures; it equals `quota` unless a figure was changed. */
export const recompute = (receipt: Receipt): number => {
  const groupRatio = decimal(receipt.group_ratio)
  const quotaPerUnit = decimal(receipt.quota_per_unit)
  const others = (receipt.models ?? []).map((part) => billOfPart(part, quotaPerUnit, groupRatio))
  return charge({ ...billOfPart(receipt, quotaPerUnit, groupRatio), others, quotaPerUnit, groupRatio })
}
