import { ownMember } from '@tollgate/contract/own-member'
import { type ModelCard, type ModelMeasures, type PricingItem, quotaType } from '../../lib/api/contract.ts'
import { readList, type Sort } from '../../lib/url/url-state.ts'
import { type ModelPrices, sizeOf } from './prices.ts'

/** A model with its prices in the group that is looked at. */
export interface PricedModel {
  readonly item: PricingItem
  readonly prices: ModelPrices
  /** True if the group serves it. */
  readonly available: boolean
  /** Facts about the model. */
  readonly card: ModelCard
  /** Absent where it was not called lately, or where the reader may not see it. */
  readonly measures: ModelMeasures | undefined
  /** True where the reader may see whether and how a model was called. */
  readonly callsShown: boolean
  /** 0 for the most called one; Infinity for one that was not called. */
  readonly rank: number
}

export const filterNames = [
  'keyword',
  'type',
  'in',
  'vendor',
  'takes',
  'kind',
  'can',
  'endpoint',
  'tag',
  'from',
  'to',
  'context',
] as const
export type PricingFilter = (typeof filterNames)[number]

export type Filters = Readonly<Partial<Record<PricingFilter, string>>>

const isGpt = (model: PricedModel): number => Number(model.item.model_name.startsWith('gpt'))
const byName = (a: PricedModel, b: PricedModel): number => (a.item.model_name < b.item.model_name ? -1 : 1)
const compare = (a: number | string, b: number | string): number => (a === b ? 0 : a < b ? -1 : 1)

/** The most called first; of the others names that begin with gpt first, each part by name. */
const ownOrder = (a: PricedModel, b: PricedModel): number =>
  compare(a.rank, b.rank) || isGpt(b) - isGpt(a) || byName(a, b)

/** Calls after tokens: their prices cannot be compared. */
const amount =
  (price: keyof ModelPrices) =>
  (model: PricedModel): number => {
    const found = model.prices[price] ?? model.prices.call
    const apart = model.prices.call === undefined ? 0 : 1e12
    return found === undefined ? Number.POSITIVE_INFINITY : apart + sizeOf(found)
  }

const measured =
  (name: 'first_p50' | 'speed' | 'uptime') =>
  ({ measures }: PricedModel): number =>
    measures?.[name] ?? Number.POSITIVE_INFINITY

const values: Readonly<Record<string, (model: PricedModel) => number | string>> = {
  model_name: ({ item }) => item.model_name,
  quota_type: ({ item }) => item.quota_type,
  owner: ({ card }) => card.maker,
  model_ratio: ({ item }) => item.model_ratio,
  input: amount('input'),
  output: amount('output'),
  cached: amount('cached'),
  context: ({ card }) => card.context,
  first: measured('first_p50'),
  speed: measured('speed'),
  uptime: measured('uptime'),
}

const sorted = (models: readonly PricedModel[], sort: Sort | undefined): readonly PricedModel[] => {
  const value = sort && ownMember(values, sort.column)
  if (!value) return models.toSorted(ownOrder)
  const turn = sort.descending ? -1 : 1
  // Models without a value come last in both directions.
  const last = (model: PricedModel): number => Number(value(model) === Number.POSITIVE_INFINITY)
  return models.toSorted((a, b) => last(a) - last(b) || turn * compare(value(a), value(b)) || ownOrder(a, b))
}

const numberOf = (text: string | undefined, otherwise: number): number => {
  const value = Number(text)
  return text === undefined || text === '' || !Number.isFinite(value) ? otherwise : value
}

const billingOf = ({ item }: PricedModel): string => (item.quota_type === quotaType.call ? 'call' : 'usage')

/** The values of a model that each filter of chosen values looks at. */
export const valuesOf: Readonly<
  Record<
    'type' | 'in' | 'vendor' | 'takes' | 'kind' | 'can' | 'endpoint' | 'tag',
    (model: PricedModel) => readonly string[]
  >
> = {
  type: (model) => [billingOf(model)],
  in: ({ item }) => item.enable_groups,
  vendor: ({ card }) => [card.maker],
  takes: ({ card }) => card.takes,
  kind: ({ card }) => (card.kind === '' ? [] : [card.kind]),
  can: ({ card }) => card.can,
  endpoint: ({ card }) => card.endpoints,
  tag: ({ card }) => card.tags,
}
export type ValueFilter = keyof typeof valuesOf
export const valueFilters = Object.keys(valuesOf) as readonly ValueFilter[]

/** Capabilities add up: a model must have all that are chosen. Of everything else one is enough. */
const needsAll: ReadonlySet<ValueFilter> = new Set(['takes', 'can'])

const fits = (filters: Filters) => {
  const keyword = filters.keyword?.trim().toLowerCase() ?? ''
  const chosen = valueFilters
    .map((name) => ({ name, list: readList(filters[name]) }))
    .filter(({ list }) => list.length > 0)
  const [from, to] = [numberOf(filters.from, 0), numberOf(filters.to, Number.POSITIVE_INFINITY)]
  const isPriced = from > 0 || to < Number.POSITIVE_INFINITY
  const context = numberOf(filters.context, 0)
  return (model: PricedModel): boolean => {
    const { item, card, prices } = model
    const text = [item.model_name, card.maker, card.description, ...card.tags, ...card.can].join('\n').toLowerCase()
    const price = prices.input === undefined ? undefined : sizeOf(prices.input)
    return (
      text.includes(keyword) &&
      card.context >= context &&
      (!isPriced || (price !== undefined && price >= from && price <= to)) &&
      chosen.every(({ name, list }) => {
        const own = valuesOf[name](model)
        return needsAll.has(name)
          ? list.every((value) => own.includes(value))
          : own.some((value) => list.includes(value))
      })
    )
  }
}

/** The models that match the filters, in the chosen order. */
export const chooseModels = (
  models: readonly PricedModel[],
  filters: Filters,
  sort: Sort | undefined,
): readonly PricedModel[] => sorted(models.filter(fits(filters)), sort)

/** How often each value occurs, the most frequent first. */
export const countValues = (values: readonly string[]): readonly { value: string; count: number }[] => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count)
}
