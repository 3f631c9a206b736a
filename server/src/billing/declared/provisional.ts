import { ownMember } from '@tollgate/contract/own-member'
import { add, compare, decimal, multiply } from '../decimal.ts'
import type { Decimal, Price, Rates } from '../price.ts'
import { completionTokens, promptTokens, type Usage } from '../usage.ts'
import { type DeclaredAs, dearestSurcharge, declaredKey, placeItem, type Reason, unknownItems } from './declarations.ts'
import { familyOf } from './families.ts'
import { dearestTool, toolPrice } from './hosted-tools.ts'
import { tierFactor } from './tiers.ts'
import { furtherMembers, type UnknownFigure } from './unknown-members.ts'

interface Line {
  readonly item: string
  readonly quantity: number
  readonly price: Decimal
}

interface ToolLine {
  readonly tool: string
  readonly quantity: number
  /** Currency units per thousand calls. */
  readonly price: Decimal
}

/** Provisional charge for the parts of an answer that no table knows. */
export interface UnknownCharge {
  readonly lines: readonly Line[]
  readonly tools: readonly ToolLine[]
  readonly reasons: readonly Reason[]
}

/** Most calls of a tool that are believed without a table. */
const mostCalls = 1000
/** A count of tokens is believed up to this, as a report that is compared with a count is. */
const mostTokens = (usage: Usage): number => (promptTokens(usage) + completionTokens(usage)) * 10 + 10_000

const larger = (left: Decimal, right: Decimal): Decimal => (compare(right, left) > 0 ? right : left)

/** The price of a token written to a cache for an undeclared lifetime. */
export const dearestWrite = ({ input, cache_write, cache_write_1h }: Rates): Decimal =>
  larger(input, larger(cache_write, cache_write_1h))

const sumOf = (lines: readonly Line[]): Decimal =>
  lines.reduce<Decimal>((sum, { quantity, price }) => add(sum, multiply(decimal(quantity), price)), decimal(0))

const free: Decimal = { digits: 0n, scale: 0 }

const declaredLine = (
  declared: DeclaredAs,
  { tokens, rates, known }: { readonly tokens: number; readonly rates: Rates; readonly known: readonly Line[] },
): Line[] => {
  if (declared.as === 'piece' && tokens > 0)
    return [{ item: declared.piece, quantity: tokens, price: rates[declared.piece] ?? free }]
  if (declared.as !== 'factor' || declared.factor === 1) return []
  return [{ item: placeItem, quantity: 1, price: multiply(sumOf(known), add(decimal(declared.factor), decimal(-1))) }]
}

/**
 * The charge for members of the usage that no table declares: tokens at the price of completions, cache writes at the dearest write, a
 * place at the dearest factor, calls of tools at the dearest tool of the maker. `known` are the lines of what is declared. A fixed price
 * per call depends on no member; the provider's tools are billed beside it.
 */
export const unknownCharge = (
  usage: Usage,
  price: Price,
  { rates, known }: { readonly rates: Rates; readonly known: readonly Line[] },
): UnknownCharge => {
  const lines: Line[] = []
  const tools: ToolLine[] = []
  const reasons: Reason[] = []
  const sums = new Map<string, number>()
  const most = mostTokens(usage)
  const chargeTool = ({ dialect: place, kind, name, value, count }: UnknownFigure, each: Decimal | undefined): void => {
    const quantity = Math.min(count, mostCalls)
    if (quantity > 0) tools.push({ tool: name, quantity, price: each ?? decimal(dearestTool(price)) })
    if (each === undefined) reasons.push({ kind, place, name, value, quantity })
  }
  for (const figure of usage.unknown ?? []) {
    const { kind, dialect: place, name, value, count } = figure
    // A decision about some members says nothing of those that will be left over in the next answer.
    const isNamed = name !== furtherMembers
    const declared = isNamed
      ? price.declared && ownMember(price.declared, declaredKey({ kind, place, name }))
      : undefined
    if (declared?.as === 'informative') continue
    if (kind === 'tool') {
      chargeTool(figure, declared?.as === 'call' ? multiply(decimal(declared.price), decimal(1000)) : undefined)
      continue
    }
    if (price.perCall !== undefined) continue
    const tokens = Math.min(count, most)
    if (declared !== undefined) lines.push(...declaredLine(declared, { tokens, rates, known }))
    else if (kind === 'geo') {
      lines.push({ item: unknownItems.geo, quantity: 1, price: multiply(sumOf(known), decimal(dearestSurcharge)) })
      reasons.push({ kind, place, name, value })
    } else {
      const item = kind === 'cache' ? unknownItems.cache : unknownItems.usage
      if (tokens > 0) sums.set(item, (sums.get(item) ?? 0) + tokens)
      reasons.push({ kind, place, name, value, quantity: tokens })
    }
  }
  for (const [item, quantity] of sums)
    lines.push({ item, quantity, price: item === unknownItems.cache ? dearestWrite(rates) : rates.output })
  return { lines, tools, reasons }
}

/** The tier and the tools of an answer that neither its price nor a table knows. */
export const unknownExtras = ({ tier, tools }: Usage, price: Price): Reason[] => {
  const place = familyOf(price.model)
  const reasons: Reason[] = []
  if (tier !== undefined && price.perCall === undefined && tierFactor(tier, price).unknown)
    reasons.push({ kind: 'tier', place, name: tier, value: tier })
  for (const [name, quantity] of Object.entries(tools ?? {}))
    if (toolPrice(name, price).unknown) reasons.push({ kind: 'tool', place, name, value: quantity, quantity })
  return reasons
}
