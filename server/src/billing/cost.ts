import type { Receipt } from '@tollgate/contract'
import { decimal, multiply, one, add as plus, print, roundHalfUp, zero } from './decimal.ts'
import type { Decimal, Price } from './price.ts'
import { completionTokens, promptTokens, type Usage } from './usage.ts'

interface Line {
  readonly item: string
  readonly quantity: number
  /** Relative to a plain prompt token; for a call, to the price of one. */
  readonly price: Decimal
}

/** Zero total tokens mean that the upstream did nothing, which is free even at a fixed price (relay reference §8.4). */
const isUsed = (usage: Usage): boolean => promptTokens(usage) + completionTokens(usage) > 0

const callLines = (usage: Usage): Line[] =>
  isUsed(usage) ? [{ item: 'call', quantity: usage.calls ?? 1, price: one }] : []

const tokenLines = (usage: Usage, price: Price): Line[] => {
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

/** The one place where a charge is rounded. */
const charge = (lines: readonly Line[], ...factors: readonly Decimal[]): number => {
  const sum = lines.reduce<Decimal>((total, { quantity, price }) => {
    return plus(total, { digits: BigInt(quantity) * price.digits, scale: price.scale })
  }, zero)
  return roundHalfUp(multiply(sum, ...factors))
}

const factorsOf = (price: Price): Decimal[] =>
  price.perCall === undefined
    ? [price.modelRatio, price.groupRatio]
    : [price.perCall, price.quotaPerUnit, price.groupRatio]

/**
 * Quota units for one answer, rounded once, halves away from zero (relay reference §8.4–8.6): tokens × their ratio ×
 * model ratio × group ratio, or price × quota per unit × group ratio. A charge that rounds to 0 stays 0 (§25, example 13).
 * Throws RangeError when the charge is no safe integer.
 */
export const cost = (usage: Usage, price: Price): number => charge(linesOf(usage, price), ...factorsOf(price))

/** The charge with everything that led to it. A fixed price has one line, `call`; nothing used, no line and no charge. */
export const receiptOf = (usage: Usage, price: Price, more: { estimated: boolean }): Receipt => {
  const lines = linesOf(usage, price)
  return {
    mode: price.perCall === undefined ? 'tokens' : 'call',
    lines: lines.map((line) => ({ ...line, price: print(line.price) })),
    model_ratio: print(price.modelRatio),
    ...(price.perCall === undefined ? {} : { model_price: print(price.perCall) }),
    group_ratio: print(price.groupRatio),
    quota_per_unit: print(price.quotaPerUnit),
    quota: charge(lines, ...factorsOf(price)),
    estimated: more.estimated,
  }
}

/** The charge that follows from a receipt's figures alone; equals its `quota` unless somebody changed one of them. */
export const recompute = (receipt: Receipt): number => {
  const lines = receipt.lines.map((line) => ({ ...line, price: decimal(line.price) }))
  const group = decimal(receipt.group_ratio)
  if (receipt.mode === 'tokens') return charge(lines, decimal(receipt.model_ratio), group)
  return charge(lines, decimal(receipt.model_price ?? '0'), decimal(receipt.quota_per_unit), group)
}
