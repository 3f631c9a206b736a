import type { Receipt } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { receiptOf, recompute } from '../../../billing/cost.ts'
import { print } from '../../../billing/decimal.ts'

import { unknownItems } from '../../../billing/declared/declarations.ts'
import type { UnknownKind, UsageDialect } from '../../../billing/declared/meanings.ts'
import { declaredMembers } from '../../../billing/declared/members.ts'
import type { UnknownFigure } from '../../../billing/declared/unknown-members.ts'

import { priceAtLength } from '../../../billing/overrides/tier-rates.ts'
import { type Price, parentOf } from '../../../billing/price.ts'
import { noUsage, type Usage } from '../../../billing/usage.ts'
import { repricedModels } from './reprice-models.ts'

type Line = Receipt['lines'][number]

/** Tokens of a call as its log has them, for calls whose receipt names none. */
export interface LoggedTokens {
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly audioInput: number
  readonly audioOutput: number
}

const baseKinds = {
  input: 'input',
  cache_read: 'cacheRead',
  cache_write: 'cacheWrite',
  cache_write_1h: 'cacheWrite1h',
  audio_input: 'audioInput',
  output: 'output',
  audio_output: 'audioOutput',
} as const

const moreKinds: ReadonlySet<string> = new Set(Object.keys(parentOf))
const measureKinds: ReadonlySet<string> = new Set(['duration', 'characters', 'pages', 'queries'])

/** True for lines that follow from the usage; a fee by request does, too. */
const isMeasured = (item: string): boolean =>
  ownMember(baseKinds, item) !== undefined || moreKinds.has(item) || measureKinds.has(item) || item === 'request'

/** Lines that hold what no table declared, and follow from the reasons of the receipt. */
const isUnknown: ReadonlySet<string> = new Set(Object.values(unknownItems))

/** Usage in a receipt's lines; reasoning that had a price of its own is part of the output again. */
export const usageOfLines = (lines: readonly Line[]): Usage => {
  const tokens = { ...noUsage }
  const more = new Map<string, number>()
  const measures = new Map<string, number>()
  for (const { item, quantity } of lines) {
    const base = ownMember(baseKinds, item)
    if (base !== undefined) tokens[base] += quantity
    else if (item === 'reasoning') {
      tokens.output += quantity
      tokens.reasoning += quantity
    } else if (moreKinds.has(item)) more.set(item, quantity)
    else if (measureKinds.has(item)) measures.set(item, quantity)
  }
  return {
    ...tokens,
    ...(more.size > 0 ? { more: Object.fromEntries(more) } : {}),
    ...(measures.size > 0 ? { measures: Object.fromEntries(measures) } : {}),
  }
}

const tierOf = ({ tier }: Receipt): Pick<Usage, 'tier'> => (tier === undefined ? {} : { tier: tier.name })

const placeOf = ({ place }: Receipt): Pick<Usage, 'place'> => (place === undefined ? {} : { place: place.name })

const figureKinds: ReadonlySet<string> = new Set<UnknownKind>(['usage', 'cache', 'geo', 'tool'])
const allKinds: ReadonlySet<string> = new Set<UnknownKind>(['usage', 'cache', 'geo', 'tool', 'tier'])

const isDialect = (place: string): place is UsageDialect => ownMember(declaredMembers, place) !== undefined

/** Figures that no table declared when the call was charged; of tools, those that a member of the usage counted. */
const unknownOf = ({ provisional = [] }: Receipt): readonly UnknownFigure[] =>
  provisional.flatMap(({ kind, place, name, value, quantity = 0 }) =>
    figureKinds.has(kind) && isDialect(place)
      ? [{ kind: kind as UnknownKind, dialect: place, name, value, count: quantity }]
      : [],
  )

/** The tools of a receipt, without those that stand among its unknown figures. */
const toolsOf = ({ tools = [] }: Receipt, unknown: readonly UnknownFigure[]): Pick<Usage, 'tools'> => {
  const known = tools.filter(({ tool }) => !unknown.some(({ kind, name }) => kind === 'tool' && name === tool))
  return known.length === 0 ? {} : { tools: Object.fromEntries(known.map(({ tool, quantity }) => [tool, quantity])) }
}

/** Everything beside its tokens that the price of a call depends on. */
const extrasOf = (receipt: Receipt): Pick<Usage, 'tools' | 'tier' | 'place' | 'unknown'> => {
  const unknown = unknownOf(receipt)
  return {
    ...toolsOf(receipt, unknown),
    ...tierOf(receipt),
    ...placeOf(receipt),
    ...(unknown.length === 0 ? {} : { unknown }),
  }
}

/** Reasons that other parts of the program gave stay; those that a price answers are asked again. */
const provisionalAt = (receipt: Receipt, { provisional = [] }: Receipt): Pick<Receipt, 'provisional'> => {
  const others = (receipt.provisional ?? []).filter(({ kind }) => !allKinds.has(kind))
  const reasons = [...provisional, ...others]
  return { provisional: reasons.length === 0 ? undefined : reasons }
}

const usageOf = (logged: LoggedTokens): Usage => ({
  ...noUsage,
  input: Math.max(0, logged.prompt - logged.cacheRead - logged.cacheWrite - logged.audioInput),
  cacheRead: logged.cacheRead,
  cacheWrite: logged.cacheWrite,
  audioInput: logged.audioInput,
  output: Math.max(0, logged.completion - logged.audioOutput),
  audioOutput: logged.audioOutput,
})

const withQuota = (receipt: Receipt): Receipt => ({ ...receipt, quota: recompute(receipt) })

/**
 * The receipt of a call at another price. The same price gives the same charge. A call billed by a fixed price has no tokens in
 * its receipt; at a price by tokens those of its log count. What was not declared is charged provisionally at the other price, too.
 */
export const repricedReceipt = (receipt: Receipt, price: Price, logged: LoggedTokens): Receipt => {
  if (receipt.models !== undefined || receipt.model !== undefined)
    return withQuota(repricedModels(receipt, price, (part, at) => repricedOwn(part, at, logged)))
  return repricedOwn(receipt, price, logged)
}

/** Of a sum of answers each has its own fee. */
const summed = (receipt: Receipt, answers: number | undefined): Receipt =>
  answers === undefined
    ? receipt
    : {
        ...receipt,
        answers,
        lines: receipt.lines.map((line) => (line.item === 'request' ? { ...line, quantity: answers } : line)),
      }

const repricedOwn = (receipt: Receipt, listed: Price, logged: LoggedTokens): Receipt => {
  if (receipt.lines.length === 0 && receipt.tools === undefined) return { ...receipt, quota: 0 }
  const { answers } = receipt
  const price = answers === undefined ? listed : priceAtLength(listed, (receipt.context_above ?? 0) + 1)
  const wasCall = receipt.mode === 'call'
  const extras = extrasOf(receipt)
  const used = wasCall ? usageOf(logged) : usageOfLines(receipt.lines)
  const calls = answers === undefined ? {} : { calls: answers }
  const fresh = summed(receiptOf({ ...used, ...extras, ...calls }, price, receipt), answers)
  const common = {
    group_ratio: print(price.groupRatio),
    quota_per_unit: print(price.quotaPerUnit),
    tools: fresh.tools,
    tier: fresh.tier,
    place: fresh.place,
    ...provisionalAt(receipt, fresh),
  }
  if (price.perCall !== undefined) {
    const one = receipt.lines.length === 0 ? [] : [{ item: 'call', quantity: answers ?? 1, price: '1' }]
    const lines = wasCall ? receipt.lines : one
    return withQuota({ ...receipt, ...common, mode: 'call', lines, model_price: print(price.perCall) })
  }
  if (wasCall) return answers === undefined ? fresh : withQuota(fresh)
  // Lines that are no tokens and no measures, such as pictures, stay at their own price.
  const others = receipt.lines.filter(({ item }) => !isMeasured(item) && !isUnknown.has(item))
  return withQuota({ ...receipt, ...common, lines: [...fresh.lines, ...others], model_ratio: print(price.unit) })
}

/** Cost of a receipt's call at another price, in quota units. */
export const reprice = (receipt: Receipt, price: Price, logged: LoggedTokens): number =>
  repricedReceipt(receipt, price, logged).quota
