import type { DatedPrice, StoredPrice } from '@tollgate/contract'
import { onFirstUse } from '../../lib/on-first-use.ts'
import { decimal, divide, multiply, print } from '../decimal.ts'
import type { Decimal, Kind } from '../price.ts'
import type { CatalogueModelData, CataloguePrice, CatalogueProviderData, MatchLogic } from './catalogue-data.ts'
import { tierMark } from './columns/column-rows.ts'
import { type ListedModel, listedModel } from './stored-price.ts'

/** A key of the catalogue that is a kind of ours. */
const kindOf: ReadonlyMap<string, Kind> = new Map([
  ['input_mtok', 'input'],
  ['cache_read_mtok', 'cache_read'],
  ['cache_write_mtok', 'cache_write'],
  ['cache_write_1h_mtok', 'cache_write_1h'],
  ['input_audio_mtok', 'audio_input'],
  ['cache_audio_read_mtok', 'audio_cache_read'],
  ['input_image_mtok', 'image_input'],
  ['cache_image_read_mtok', 'image_cache_read'],
  ['input_video_mtok', 'video_input'],
  ['output_mtok', 'output'],
  ['output_reasoning_mtok', 'reasoning'],
  ['output_audio_mtok', 'audio_output'],
  ['output_image_mtok', 'image_output'],
  ['output_video_mtok', 'video_output'],
])

const perHour = (dollars: number): Decimal => divide(decimal(dollars), decimal('3.6'), 18)

interface Measure {
  readonly kind: Kind
  readonly convert: (dollars: number) => Decimal
}

/** Dollars per million milliseconds and per million pages from the catalogue's hours and thousands of pages. */
const measureOf: ReadonlyMap<string, Measure> = new Map<string, Measure>([
  ['audio_hours', { kind: 'duration', convert: perHour }],
  ['input_audio_hours', { kind: 'duration', convert: perHour }],
  ['input_document_kpages', { kind: 'pages', convert: (dollars) => multiply(decimal(dollars), decimal(1000)) }],
])

/** Dollars per thousand calls, by the names that the option ToolPrices has. */
const toolOf: ReadonlyMap<string, string> = new Map([
  ['web_searches_kcount', 'web_search'],
  ['storage_searches_kcount', 'file_search'],
])

type Amount = NonNullable<CataloguePrice[string]>

const amountAt = (amount: Amount, prompt: number): number => {
  if (typeof amount === 'number') return amount
  return amount.tiers.reduce((price, tier) => (prompt > tier.start ? tier.price : price), amount.base)
}

const ratesAt = (prices: CataloguePrice, prompt: number): DatedPrice['rates'] => {
  const rates: DatedPrice['rates'] = {}
  for (const [key, amount] of Object.entries(prices)) {
    if (amount === undefined) continue
    const kind = kindOf.get(key)
    const measure = measureOf.get(key)
    if (kind !== undefined) rates[kind] = print(decimal(amountAt(amount, prompt)))
    else if (measure !== undefined) rates[measure.kind] = print(measure.convert(amountAt(amount, prompt)))
  }
  return rates
}

const contextsOf = (prices: CataloguePrice): NonNullable<DatedPrice['contexts']> => {
  const starts = Object.values(prices).flatMap((amount) =>
    typeof amount === 'object' ? amount.tiers.map(({ start }) => start) : [],
  )
  return [...new Set(starts)].sort((a, b) => a - b).map((above) => ({ above, rates: ratesAt(prices, above + 1) }))
}

const toolsOf = (prices: CataloguePrice): Record<string, number> =>
  Object.fromEntries(
    Object.entries(prices).flatMap(([key, amount]) => {
      const tool = toolOf.get(key)
      return tool === undefined || typeof amount !== 'number' ? [] : [[tool, amount]]
    }),
  )

type Constraint = Exclude<CatalogueModelData['prices'], CataloguePrice>[number]['constraint']

const conditionOf = (constraint: Constraint): Pick<DatedPrice, 'from' | 'hours'> => {
  if (constraint === undefined) return {}
  if ('start_date' in constraint) return { from: constraint.start_date }
  return { hours: { start: constraint.start_time, end: constraint.end_time } }
}

/** Prices of tiers, whose keys name them: `flex/cache_read_mtok`. */
const inTiersOf = (prices: CataloguePrice): NonNullable<DatedPrice['in_tiers']> => {
  const tiers = new Map<string, CataloguePrice>()
  for (const [key, amount] of Object.entries(prices)) {
    const at = key.indexOf(tierMark)
    if (at > 0) tiers.set(key.slice(0, at), { ...tiers.get(key.slice(0, at)), [key.slice(at + 1)]: amount })
  }
  return Object.fromEntries(
    [...tiers].map(([name, of]) => {
      const contexts = contextsOf(of)
      return [name, { rates: ratesAt(of, 0), ...(contexts.length > 0 ? { contexts } : {}) }]
    }),
  )
}

const datedPrice = (prices: CataloguePrice, constraint?: Constraint): DatedPrice => {
  const [contexts, tools, inTiers] = [contextsOf(prices), toolsOf(prices), inTiersOf(prices)]
  return {
    ...conditionOf(constraint),
    rates: ratesAt(prices, 0),
    ...(contexts.length > 0 ? { contexts } : {}),
    ...(Object.keys(tools).length > 0 ? { tools } : {}),
    ...(Object.keys(inTiers).length > 0 ? { in_tiers: inTiers } : {}),
  }
}

/*
 * Fees by request are left out: Perplexity's depend on the size of the search context, which ToolPrices bills as the answer states it.
 */
const storedOf = (provider: CatalogueProviderData, { id, prices }: CatalogueModelData): StoredPrice => ({
  provider: provider.id,
  model: id,
  source: provider.pricing_urls?.[0] ?? '',
  prices: Array.isArray(prices)
    ? prices.map((entry) => datedPrice(entry.prices, entry.constraint))
    : [datedPrice(prices)],
})

/** Tests if a name matches; expressions are compiled once. */
const compiled = (match: MatchLogic): ((name: string) => boolean) => {
  if ('or' in match) {
    const any = match.or.map(compiled)
    return (name) => any.some((matches) => matches(name))
  }
  if ('and' in match) {
    const all = match.and.map(compiled)
    return (name) => all.every((matches) => matches(name))
  }
  if ('equals' in match) return matchText(match.equals, (name, text) => name === text)
  if ('starts_with' in match) return matchText(match.starts_with, (name, text) => name.startsWith(text))
  if ('ends_with' in match) return matchText(match.ends_with, (name, text) => name.endsWith(text))
  if ('contains' in match) return matchText(match.contains, (name, text) => name.includes(text))
  const expression = new RegExp(match.regex)
  return (name) => expression.test(name)
}

const matchText = (text: string, test: (name: string, text: string) => boolean): ((name: string) => boolean) => {
  const lower = text.toLowerCase()
  return (name) => test(name.toLowerCase(), lower)
}

/** A model of the catalogue with its matcher. */
export interface CatalogueModel extends ListedModel {
  matches(name: string): boolean
}

export interface CatalogueProvider {
  readonly id: string
  /** True if a bare name belongs to this provider. */
  owns(name: string): boolean
  readonly models: readonly CatalogueModel[]
}

const never = (): boolean => false

/** Parts that the lookup of a name does not need are built on first use: most models are never used. */
const catalogueModel = (
  provider: CatalogueProviderData,
  model: CatalogueModelData,
  version: string,
): CatalogueModel => {
  const listed = onFirstUse(() => listedModel(storedOf(provider, model), version))
  const matcher = onFirstUse(() => compiled(model.match))
  return {
    provider: provider.id,
    id: model.id,
    version,
    get stored() {
      return listed().stored
    },
    at: (moment) => listed().at(moment),
    matches: (name) => matcher()(name),
  }
}

/** Providers of a catalogue in our terms; `version` names it in receipts. */
export const readCatalogue = (providers: readonly CatalogueProviderData[], version: string): CatalogueProvider[] =>
  providers.map((provider) => ({
    id: provider.id,
    owns: provider.model_match === undefined ? never : compiled(provider.model_match),
    models: provider.models.map((model) => catalogueModel(provider, model, version)),
  }))

/** The prices of a catalogue without its matchers. */
export const cataloguePrices = (providers: readonly CatalogueProviderData[]): StoredPrice[] =>
  providers.flatMap((provider) => provider.models.map((model) => storedOf(provider, model)))
