import type { Receipt, ReceiptPart } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { add, decimal, divide, multiply, print } from '../decimal.ts'
import { answerPlace } from '../named-models/priced-models.ts'
import { priceInTier } from '../overrides/tier-rates.ts'
import { type Kind, type Price, parentOf } from '../price.ts'
import { type DeclaredAs, dearestSurcharge, declaredKey, placeItem, type Reason, unknownItems } from './declarations.ts'
import { familyOf } from './families.ts'

type Parts = Pick<Receipt, 'lines' | 'tools' | 'tier' | 'models' | 'model_price'>

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

type Part = Pick<ReceiptPart, 'lines' | 'tools' | 'tier'> & Partial<Pick<NamedPart, 'model' | 'asked'>>
type NamedPart = NonNullable<Receipt['models']>[number]

/** The parts with what a declaration changes in each, the answer's own and those of its models; undefined where it changes none. */
const eachPart = (
  parts: Parts,
  change: (part: Part) => Pick<Part, 'lines' | 'tools' | 'tier'> | undefined,
): Parts | undefined => {
  const { models, ...own } = parts
  const changed = change(own)
  const changedModels = models?.map((part) => {
    const now = change(part)
    return now === undefined ? undefined : { ...part, ...now }
  })
  if (changed === undefined && changedModels?.some((part) => part !== undefined) !== true) return undefined
  return {
    ...parts,
    ...changed,
    ...(models === undefined ? {} : { models: models.map((part, index) => changedModels?.[index] ?? part) }),
  }
}

/** A model of another maker may have a tier of the same name. */
const isOfMaker = ({ model, asked }: Part, place: string): boolean =>
  model === undefined || asked === true || familyOf(model) === place

const withFactor = (part: Part, { name, place }: Reason, declared: DeclaredAs): Part | undefined =>
  part.tier?.name === name && isOfMaker(part, place)
    ? { ...part, tier: { ...part.tier, ratio: print(decimal(declared.as === 'factor' ? declared.factor : 1)) } }
    : undefined

const withPlace = (part: Part, declared: DeclaredAs): Part | undefined => {
  if (!part.lines.some(({ item }) => item === unknownItems.geo)) return undefined
  const factor = add(decimal(declared.as === 'factor' ? declared.factor : 1), decimal(-1))
  const lines = part.lines.flatMap((line) => {
    if (line.item !== unknownItems.geo) return [line]
    if (declared.as !== 'factor') return []
    const whole = divide(decimal(line.price), decimal(dearestSurcharge), 40)
    return [{ ...line, item: placeItem, price: print(multiply(whole, factor)) }]
  })
  return { ...part, lines }
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
      return eachPart(parts, (part) => withFactor(part, reason, declared))
    case 'tool': {
      const price = declared.as === 'call' ? print(multiply(decimal(declared.price), decimal(1000))) : '0'
      return eachPart(parts, (part) =>
        part.tools?.some(({ tool }) => tool === name)
          ? { ...part, tools: part.tools.map((tool) => (tool.tool === name ? { ...tool, price } : tool)) }
          : undefined,
      )
    }
    case 'version':
      if (declared.as !== 'factor' || parts.model_price === undefined) return parts
      return { ...parts, model_price: print(multiply(decimal(parts.model_price), decimal(declared.factor))) }
    case 'geo':
      return eachPart(parts, (part) => withPlace(part, declared))
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

/** Several parts of a receipt can have the same reason, which is settled in all of them at once. */
const isOfAllParts = ({ kind }: Reason): boolean => kind === 'tier' || kind === 'tool' || kind === 'geo'

/** The surcharge of a line does not say which place it is of: where several are unknown, all must be declared, and the dearest counts. */
const declaredPlace = (
  reasons: readonly Reason[],
  declarations: Readonly<Record<string, DeclaredAs>>,
): DeclaredAs | undefined => {
  const places = reasons.filter(({ kind }) => kind === 'geo')
  const all = places.map((reason) => ownMember(declarations, declaredKey(reason)))
  const factorOf = (declared: DeclaredAs): number => (declared.as === 'factor' ? declared.factor : 1)
  return all.reduce((dearest, each) =>
    dearest === undefined || each === undefined || factorOf(dearest) >= factorOf(each) ? each && dearest : each,
  )
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
  const done = new Set<string>()
  for (const reason of provisional) {
    const key = declaredKey(reason)
    if (isOfAllParts(reason) && done.has(key)) continue
    const declared = reason.kind === 'geo' ? declaredPlace(provisional, declarations) : ownMember(declarations, key)
    const next =
      declared === undefined
        ? undefined
        : settled(parts, reason, declared, (piece, lines) =>
            rateOf(piece, { ...receipt, lines }, lines === parts.lines ? price : undefined),
          )
    if (next === undefined) left.push(reason)
    else {
      parts = next
      for (const { kind, place, name } of reason.kind === 'geo' ? provisional : [reason])
        if (kind === reason.kind) done.add(declaredKey({ kind, place, name }))
    }
  }
  if (left.length === provisional.length) return undefined
  return { ...rest, ...parts, ...(left.length === 0 ? {} : { provisional: left }) }
}
