import type { CompletionRule } from '../../lib/contract.ts'
import { priceOfRatio, ratioOfPrice, relativeOfPrice, relativePrice, rescaled } from './prices-convert.ts'
import { isSameParts, type ModelParts, type PartChanges, type PriceMaps } from './prices-maps.ts'

/** One model of the editor: the parts of its price as they are drafted. */
export interface PriceRow {
  readonly name: string
  readonly parts: ModelParts
  /** What the product itself knows of the completion ratio; undefined while it is asked for. */
  readonly rule: CompletionRule | undefined
  readonly changed: boolean
  /** Whether an enabled channel serves it. */
  readonly served: boolean
}

export type RowMode = 'usage' | 'call' | 'none'

export const modeOf = ({ parts }: PriceRow): RowMode =>
  parts.price !== undefined ? 'call' : parts.ratio !== undefined ? 'usage' : 'none'

interface RowFacts {
  readonly maps: PriceMaps
  readonly rules: ReadonlyMap<string, CompletionRule>
  readonly served: ReadonlySet<string>
}

export const priceRow = (name: string, { maps, rules, served }: RowFacts): PriceRow => {
  const parts = maps.of(name)
  return {
    name,
    parts,
    rule: rules.get(name),
    changed: !isSameParts(parts, maps.stored(name)),
    served: served.has(name),
  }
}

/** The completion ratio that counts. */
export const completionOf = ({ parts, rule }: PriceRow): number =>
  rule?.locked ? rule.value : (parts.completion ?? rule?.value ?? 1)

const defaultCache = 1

/** Currency per million tokens, as text for the fields; empty without a ratio. */
export const pricesOf = (row: PriceRow, perUnit: number): { input: string; output: string; cache: string } => {
  const { ratio, cache } = row.parts
  if (ratio === undefined) return { input: '', output: '', cache: '' }
  return {
    input: priceOfRatio(ratio, perUnit),
    output: relativePrice(ratio, completionOf(row), perUnit),
    cache: relativePrice(ratio, cache ?? defaultCache, perUnit),
  }
}

/** The relative ratios that keep the other prices where they are when the input price changes. */
const keptRelatives = (row: PriceRow, ratio: number): PartChanges => {
  const { parts, rule } = row
  const before = parts.ratio
  if (before === undefined || before === 0 || ratio === 0) return {}
  const completion =
    parts.completion === undefined || rule?.locked ? undefined : rescaled(parts.completion, before, ratio)
  const cache = parts.cache === undefined ? undefined : rescaled(parts.cache, before, ratio)
  return { ...(completion === undefined ? {} : { completion }), ...(cache === undefined ? {} : { cache }) }
}

/** What an input price does to the parts: other prices that were set stay what they were. */
export const withInputPrice = (row: PriceRow, price: number | null, perUnit: number): PartChanges => {
  if (price === null) return { ratio: null }
  const ratio = ratioOfPrice(price, perUnit)
  return { ratio, ...keptRelatives(row, ratio) }
}

/** The part that an output or cached-input price makes; undefined without an input price to relate to. */
export const withRelativePrice = (
  row: PriceRow,
  part: 'completion' | 'cache',
  price: number | null,
  perUnit: number,
): PartChanges | undefined => {
  if (price === null) return { [part]: null }
  const { ratio } = row.parts
  const relative = ratio === undefined ? undefined : relativeOfPrice(price, ratio, perUnit)
  return relative === undefined ? undefined : { [part]: relative }
}
