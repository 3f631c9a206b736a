import { createRequire } from 'node:module'
import {
  type ConditionalPrice,
  type ModelInfo,
  type ModelPrice,
  type Provider,
  waitForUpdate,
} from '@pydantic/genai-prices'
import { decimal, divide, multiply } from '../decimal.ts'
import type { Decimal, Kind } from '../price.ts'
import type { ListContext, ListPrice, ListRates } from './list-price.ts'

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

type Amount = NonNullable<ModelPrice[string]>

const amountAt = (amount: Amount, prompt: number): number => {
  if (typeof amount === 'number') return amount
  return amount.tiers.reduce((price, tier) => (prompt > tier.start ? tier.price : price), amount.base)
}

const ratesAt = (prices: ModelPrice, prompt: number): ListRates => {
  const rates: { [K in Kind]?: Decimal } = {}
  for (const [key, amount] of Object.entries(prices)) {
    if (amount === undefined) continue
    const kind = kindOf.get(key)
    const measure = measureOf.get(key)
    if (kind !== undefined) rates[kind] = decimal(amountAt(amount, prompt))
    else if (measure !== undefined) rates[measure.kind] = measure.convert(amountAt(amount, prompt))
  }
  return rates
}

const contextsOf = (prices: ModelPrice): ListContext[] => {
  const starts = Object.values(prices).flatMap((amount) =>
    typeof amount === 'object' ? amount.tiers.map(({ start }) => start) : [],
  )
  return [...new Set(starts)].sort((a, b) => a - b).map((above) => ({ above, rates: ratesAt(prices, above + 1) }))
}

const toolsOf = (prices: ModelPrice): Record<string, number> =>
  Object.fromEntries(
    Object.entries(prices).flatMap(([key, amount]) => {
      const tool = toolOf.get(key)
      return tool === undefined || typeof amount !== 'number' ? [] : [[tool, amount]]
    }),
  )

const dayMs = 86_400_000

/** Milliseconds of a day at which `HH:MM:SSZ` is. */
const timeOfDay = (text: string): number => {
  const at = Date.parse(`1970-01-01T${text}`)
  return ((at % dayMs) + dayMs) % dayMs
}

const applies = ({ constraint }: ConditionalPrice, at: number): boolean => {
  if (constraint === undefined) return true
  if (constraint.type === 'start_date') return at >= Date.parse(constraint.start_date)
  const [now, start, end] = [at % dayMs, timeOfDay(constraint.start_time), timeOfDay(constraint.end_time)]
  return end < start ? now >= start || now < end : now >= start && now < end
}

/** The next moment at which a constraint may begin or cease to apply. */
const nextChange = ({ constraint }: ConditionalPrice, at: number): number => {
  if (constraint === undefined) return Number.POSITIVE_INFINITY
  if (constraint.type === 'start_date') {
    const start = Date.parse(constraint.start_date)
    return start > at ? start : Number.POSITIVE_INFINITY
  }
  const today = at - (at % dayMs)
  const times = [timeOfDay(constraint.start_time), timeOfDay(constraint.end_time)]
  return Math.min(...times.flatMap((time) => [today + time, today + dayMs + time]).filter((time) => time > at))
}

interface Current {
  readonly prices: ModelPrice
  readonly from: string | undefined
  readonly until: number
}

/** The last condition that applies counts; without one, the first price. */
const priceAt = ({ prices }: ModelInfo, at: number): Current | undefined => {
  if (!Array.isArray(prices)) return { prices, from: undefined, until: Number.POSITIVE_INFINITY }
  const current = prices.findLast((entry) => applies(entry, at)) ?? prices[0]
  if (current === undefined) return undefined
  const { constraint } = current
  return {
    prices: current.prices,
    from: constraint?.type === 'start_date' ? constraint.start_date : undefined,
    until: Math.min(...prices.map((entry) => nextChange(entry, at))),
  }
}

type Match = ModelInfo['match']

/** Says whether a name matches; expressions are compiled once. */
const compiled = (match: Match): ((name: string) => boolean) => {
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
export interface CatalogueModel {
  readonly provider: string
  readonly id: string
  matches(name: string): boolean
  at(moment: number): ListPrice | undefined
}

export interface CatalogueProvider {
  readonly id: string
  /** True if a bare name belongs to this provider. */
  owns(name: string): boolean
  readonly models: readonly CatalogueModel[]
}

/*
 * Fees by request are left out: Perplexity's depend on the size of the search context, which ToolPrices bills as the answer states it.
 */
const modelOf = (provider: Provider, model: ModelInfo, version: string): CatalogueModel => {
  const matches = compiled(model.match)
  return {
    provider: provider.id,
    id: model.id,
    matches,
    at(moment) {
      const current = priceAt(model, moment)
      if (current === undefined) return undefined
      const { prices, from, until } = current
      const [contexts, tools] = [contextsOf(prices), toolsOf(prices)]
      return {
        model: model.id,
        provider: provider.id,
        version: from === undefined ? version : `${version}, ${from}`,
        source: provider.pricing_urls?.[0] ?? '',
        rates: ratesAt(prices, 0),
        ...(contexts.length > 0 ? { contexts } : {}),
        ...(Object.keys(tools).length > 0 ? { tools } : {}),
        until,
      }
    },
  }
}

const never = (): boolean => false

/** Providers of a catalogue in our terms; `version` names it in receipts. */
export const readCatalogue = (providers: readonly Provider[], version: string): CatalogueProvider[] =>
  providers.map((provider) => ({
    id: provider.id,
    owns: provider.model_match === undefined ? never : compiled(provider.model_match),
    models: provider.models.map((model) => modelOf(provider, model, version)),
  }))

const shippedVersion = (): string => {
  const entry = createRequire(import.meta.url).resolve('@pydantic/genai-prices')
  const found = createRequire(import.meta.url)(entry.replace(/dist[\\/]index\.cjs$/, 'package.json'))
  return `genai-prices ${found.version}`
}

/** The catalogue that is shipped with this version of the product. */
export const shippedCatalogue = async (): Promise<CatalogueProvider[]> =>
  readCatalogue((await waitForUpdate()) ?? [], shippedVersion())
