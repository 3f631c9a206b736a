import type { Receipt } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { decimal, multiply, one, add as plus, print, roundHalfUp, zero } from './decimal.ts'
import type { Decimal, Price } from './price.ts'
import { completionTokens, type DisputedFigures, type Pictures, promptTokens, type Usage } from './usage.ts'

interface Line {
  readonly item: string
  readonly quantity: number
  /** Relative to a plain prompt token; for a call, to the price of one. */
  readonly price: Decimal
}

interface ToolLine {
  readonly tool: string
  readonly quantity: number
  /** Currency units per thousand calls. */
  readonly price: Decimal
}

/** False for an answer without tokens: the upstream did nothing, so the call is free even at a fixed price. */
const isUsed = (usage: Usage): boolean => promptTokens(usage) + completionTokens(usage) > 0

const callLines = (usage: Usage): Line[] => {
  const { images } = usage
  if (images !== undefined) return images.count > 0 ? [pictureLine(images, one)] : []
  return isUsed(usage) ? [{ item: 'call', quantity: usage.calls ?? 1, price: one }] : []
}

/** Prompt tokens that a picture costs where the model is billed by ratio: 0.0025 currency units × model ratio. */
export const tokensPerPicture = decimal(1250)

const pictureLine = ({ count, ratio }: Pictures, each: Decimal): Line => ({
  item: 'image',
  quantity: count,
  price: multiply(each, decimal(ratio)),
})

const tokenLines = (usage: Usage, price: Price): Line[] => {
  const { images } = usage
  // Reported tokens take precedence over the number of pictures.
  if (images !== undefined && !isUsed(usage)) return images.count > 0 ? [pictureLine(images, tokensPerPicture)] : []
  const lines: Line[] = []
  const add = (item: string, quantity: number, ratio: Decimal): void => {
    if (quantity !== 0) lines.push({ item, quantity, price: ratio })
  }
  add('input', usage.input, one)
  add('cache_read', usage.cacheRead, price.cacheRatio)
  add('cache_write', usage.cacheWrite, price.cacheWriteRatio)
  add('cache_write_1h', usage.cacheWrite1h, price.cacheWrite1hRatio)
  add('audio_input', usage.audioInput, price.audioRatio)
  add('output', usage.output, price.completionRatio)
  if (usage.audioOutput !== 0)
    add('audio_output', usage.audioOutput, multiply(price.audioRatio, price.audioCompletionRatio))
  return lines
}

const linesOf = (usage: Usage, price: Price): Line[] =>
  price.perCall === undefined ? tokenLines(usage, price) : callLines(usage)

const figure = (figures: Readonly<Record<string, number>> | undefined, name: string): number | undefined =>
  figures === undefined ? undefined : ownMember(figures, name)

/** Tools are billed also beside a fixed price, because providers bill them separately from the model. */
const toolLines = ({ tools }: Usage, price: Price): ToolLine[] =>
  tools === undefined
    ? []
    : Object.entries(tools).map(([tool, quantity]) => ({
        tool,
        quantity,
        price: decimal(figure(price.tools, tool) ?? 0),
      }))

const tierRatio = (tier: string, price: Price): Decimal => decimal(figure(price.tiers, tier) ?? 1)

const sum = (lines: readonly Pick<Line, 'quantity' | 'price'>[]): Decimal =>
  lines.reduce<Decimal>(
    (total, { quantity, price }) => plus(total, { digits: BigInt(quantity) * price.digits, scale: price.scale }),
    zero,
  )

/** Everything that a charge is computed from: token or call lines with their factors, and tool lines. */
interface Bill {
  readonly lines: readonly Line[]
  readonly factors: readonly Decimal[]
  readonly tools: readonly ToolLine[]
  readonly quotaPerUnit: Decimal
  readonly groupRatio: Decimal
}

const perThousand: Decimal = { digits: 1n, scale: 3 }

/** Rounds the charge; nothing else does. */
const charge = ({ lines, factors, tools, quotaPerUnit, groupRatio }: Bill): number => {
  const used = multiply(sum(lines), ...factors)
  if (tools.length === 0) return roundHalfUp(used)
  return roundHalfUp(plus(used, multiply(sum(tools), perThousand, quotaPerUnit, groupRatio)))
}

const factorsOf = (usage: Usage, price: Price): Decimal[] => {
  if (price.perCall !== undefined) return [price.perCall, price.quotaPerUnit, price.groupRatio]
  return usage.tier === undefined
    ? [price.modelRatio, price.groupRatio]
    : [price.modelRatio, tierRatio(usage.tier, price), price.groupRatio]
}

const billOf = (usage: Usage, price: Price): Bill => ({
  lines: linesOf(usage, price),
  factors: factorsOf(usage, price),
  tools: toolLines(usage, price),
  quotaPerUnit: price.quotaPerUnit,
  groupRatio: price.groupRatio,
})

/**
 * Quota units for one answer, rounded once, halves away from zero: tokens × their ratio ×
 * model ratio × tier ratio × group ratio, or price × quota per unit × group ratio; tools cost price × calls / 1000. A charge that
 * rounds to 0 stays 0. Throws RangeError when the charge is not a safe integer.
 */
export const cost = (usage: Usage, price: Price): number => charge(billOf(usage, price))

/** JSON has no infinite numbers: they become the largest finite ones. */
const finiteFigures = (figures: DisputedFigures): Record<string, number> =>
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE)),
    ]),
  )

/** The charge with the figures that it is computed from. A fixed price has one line, `call`. Without usage there are no lines. */
export const receiptOf = (usage: Usage, price: Price, more: { estimated: boolean }): Receipt => {
  const bill = billOf(usage, price)
  const { tier, disputed } = usage
  // Optional members are assigned, not spread, because this runs for every call.
  const receipt: Receipt = {
    mode: price.perCall === undefined ? 'tokens' : 'call',
    lines: bill.lines.map(({ item, quantity, price: each }) => ({ item, quantity, price: print(each) })),
    model_ratio: print(price.modelRatio),
    group_ratio: print(price.groupRatio),
    quota_per_unit: print(price.quotaPerUnit),
    quota: charge(bill),
    estimated: more.estimated,
  }
  if (disputed !== undefined) receipt.disputed = finiteFigures(disputed)
  if (price.perCall !== undefined) receipt.model_price = print(price.perCall)
  else if (tier !== undefined) receipt.tier = { name: tier, ratio: print(tierRatio(tier, price)) }
  if (bill.tools.length > 0) {
    receipt.tools = bill.tools.map(({ tool, quantity, price: each }) => ({ tool, quantity, price: print(each) }))
  }
  return receipt
}

/** Computes the charge from a receipt's figures; it equals `quota` unless a figure was changed. */
export const recompute = (receipt: Receipt): number => {
  const read = <T extends { readonly price: string }>(line: T) => ({ ...line, price: decimal(line.price) })
  const groupRatio = decimal(receipt.group_ratio)
  const quotaPerUnit = decimal(receipt.quota_per_unit)
  const tier = receipt.tier === undefined ? [] : [decimal(receipt.tier.ratio)]
  const factors =
    receipt.mode === 'tokens'
      ? [decimal(receipt.model_ratio), ...tier, groupRatio]
      : [decimal(receipt.model_price ?? '0'), quotaPerUnit, groupRatio]
  return charge({
    lines: receipt.lines.map(read),
    factors,
    tools: (receipt.tools ?? []).map(read),
    quotaPerUnit,
    groupRatio,
  })
}
