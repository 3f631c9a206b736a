import type { Receipt } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { add, decimal, divide, multiply, print } from '../decimal.ts'
import { answerPlace } from '../named-models/priced-models.ts'
import { priceInTier } from '../overrides/tier-rates.ts'
import { type Kind, type Price, parentOf } from '../price.ts'
import { type DeclaredAs, dearestSurcharge, declaredKey, placeItem, type Reason, unknownItems } from './declarations.ts'

type Parts = Pick<Receipt, 'lines' | 'tools' | 'tier' | 'models'>

const withoutQuantity = (lines: Receipt['lines'], item: string, quantity: number): Receipt['lines'] =>
  lines.flatMap((line) => {
    if (line.item !== item) return [line]
    return line.quantity > quantity ? [{ ...line, quantity: line.quantity - quantity }] : []
  })

/** The price of a piece in the receipt, or, where the answer used none of it, in the price. */
const rateOf = (
  piece: Kind,
  { lines, context_above: above, tier }: Receipt,
  price: Price | undefined,
): string | undefined => {
  const used = lines.find(({ item }) => item === piece)
  if (used !== undefined) return used.price
  const inTier = price === undefined ? undefined : priceInTier(price, tier?.name)
  const rates = inTier?.contexts?.find((context) => context.above === above)?.rates ?? inTier?.rates
  const parent = ownMember(parentOf, piece)
  const rate = rates?.[piece] ?? (parent === undefined ? undefined : rates?.[parent])
  return rate === undefined ? undefined : print(rate)
}

const quantityIn = (lines: Receipt['lines'], item: string): number =>
  lines.reduce((sum, line) => (line.item === item ? sum + line.quantity : sum), 0)

/** Without what was charged for an unknown member, in the lines of the answer and then in those of its other models. */
const withoutUnknown = (
  parts: Parts,
  { kind, quantity = 0 }: Reason,
  declared: DeclaredAs,
  rate: (piece: Kind, lines: Receipt['lines']) => string | undefined,
): Parts | undefined => {
  const item = kind === 'cache' ? unknownItems.cache : unknownItems.usage
  let left = quantity
  let isPriced = true
  const without = (lines: Receipt['lines']): Receipt['lines'] => {
    const taken = Math.min(left, quantityIn(lines, item))
    if (taken === 0) return lines
    left -= taken
    const rest = withoutQuantity(lines, item, taken)
    if (declared.as !== 'piece') return rest
    const price = rate(declared.piece, lines)
    isPriced &&= price !== undefined
    return price === undefined ? rest : [...rest, { item: declared.piece, quantity: taken, price }]
  }
  const lines = without(parts.lines)
  const models = parts.models?.map((part) => ({ ...part, lines: without(part.lines) }))
  return isPriced ? { ...parts, lines, ...(models === undefined ? {} : { models }) } : undefined
}

const settled = (
  parts: Parts,
  reason: Reason,
  declared: DeclaredAs,
  rate: (piece: Kind, lines: Receipt['lines']) => string | undefined,
): Parts | undefined => {
  const { kind, name } = reason
  switch (kind) {
    case 'tier':
      if (parts.tier === undefined) return undefined
      return {
        ...parts,
        tier: { ...parts.tier, ratio: print(decimal(declared.as === 'factor' ? declared.factor : 1)) },
      }
    case 'tool': {
      const price = declared.as === 'call' ? print(multiply(decimal(declared.price), decimal(1000))) : '0'
      return { ...parts, tools: parts.tools?.map((tool) => (tool.tool === name ? { ...tool, price } : tool)) }
    }
    case 'geo': {
      const line = parts.lines.find(({ item }) => item === unknownItems.geo)
      const lines = parts.lines.filter((each) => each !== line)
      if (line === undefined || declared.as !== 'factor') return { ...parts, lines }
      const whole = divide(decimal(line.price), decimal(dearestSurcharge), 40)
      const price = print(multiply(whole, add(decimal(declared.factor), decimal(-1))))
      return { ...parts, lines: [...lines, { item: placeItem, quantity: 1, price }] }
    }
    case 'usage':
    case 'cache':
      return withoutUnknown(parts, reason, declared, rate)
    case 'model':
      return declared.as === 'informative' ? withoutModel(parts, reason) : undefined
    default:
      return undefined
  }
}

/** Without what a model cost, which is all of the answer where it wrote that. */
const withoutModel = (parts: Parts, { place, name }: Reason): Parts => {
  if (place === answerPlace) return { ...parts, lines: [] }
  return { ...parts, models: parts.models?.filter(({ source, model }) => source !== place || model !== name) }
}

/**
 * The receipt of a provisional charge after declarations; undefined where none of them is about it. `price` is what a piece costs
 * that the answer used none of. The figures of everything else stay as they were charged; `quota` is not computed anew. A model that was
 * declared as another one has to be priced anew, which this does not do.
 */
export const settledReceipt = (
  receipt: Receipt,
  declarations: Readonly<Record<string, DeclaredAs>>,
  price: Price | undefined,
): Receipt | undefined => {
  const { provisional = [], ...rest } = receipt
  let parts: Parts = rest
  const left: Reason[] = []
  for (const reason of provisional) {
    const declared = ownMember(declarations, declaredKey(reason))
    const next =
      declared === undefined
        ? undefined
        : settled(parts, reason, declared, (piece, lines) =>
            rateOf(piece, { ...receipt, lines }, lines === parts.lines ? price : undefined),
          )
    if (next === undefined) left.push(reason)
    else parts = next
  }
  if (left.length === provisional.length) return undefined
  return { ...rest, ...parts, ...(left.length === 0 ? {} : { provisional: left }) }
}
