import { ownMember } from '@tollgate/contract/own-member'
import { type PricingItem, quotaType } from '../../lib/api/contract.ts'
import { readList, type Sort } from '../../lib/url/url-state.ts'
import { type Prices, sizeOf } from './prices.ts'

/** A model with its prices in the group that is looked at. */
export interface PricedModel {
  readonly item: PricingItem
  readonly prices: Prices
  /** True if the group serves it. */
  readonly available: boolean
}

export const filterNames = ['keyword', 'type', 'in', 'vendor'] as const
export type PricingFilter = (typeof filterNames)[number]

type Filters = Readonly<Partial<Record<PricingFilter, string>>>

const isGpt = (model: PricedModel): number => Number(model.item.model_name.startsWith('gpt'))
const byName = (a: PricedModel, b: PricedModel): number => (a.item.model_name < b.item.model_name ? -1 : 1)

/** Names that begin with gpt first, each part by name. */
const ownOrder = (a: PricedModel, b: PricedModel): number => isGpt(b) - isGpt(a) || byName(a, b)

/** Calls after tokens: their prices cannot be compared. */
const amount =
  (price: keyof Prices) =>
  (model: PricedModel): number => {
    const found = model.prices[price] ?? model.prices.call
    const apart = model.prices.call === undefined ? 0 : 1e12
    return found === undefined ? Number.POSITIVE_INFINITY : apart + sizeOf(found)
  }

const values: Readonly<Record<string, (model: PricedModel) => number | string>> = {
  model_name: ({ item }) => item.model_name,
  quota_type: ({ item }) => item.quota_type,
  owner: ({ item }) => item.owner,
  model_ratio: ({ item }) => item.model_ratio,
  input: amount('input'),
  output: amount('output'),
  cached: amount('cached'),
}

const compare = (a: number | string, b: number | string): number => (a === b ? 0 : a < b ? -1 : 1)

const sorted = (models: readonly PricedModel[], sort: Sort | undefined): readonly PricedModel[] => {
  const value = sort && ownMember(values, sort.column)
  if (!value) return models.toSorted(ownOrder)
  const turn = sort.descending ? -1 : 1
  return models.toSorted((a, b) => turn * compare(value(a), value(b)) || ownOrder(a, b))
}

const fits = (filters: Filters) => {
  const keyword = filters.keyword?.trim().toLowerCase() ?? ''
  const [types, groups, vendors] = [readList(filters.type), readList(filters.in), readList(filters.vendor)]
  const within = (chosen: readonly string[], own: readonly string[]): boolean =>
    chosen.length === 0 || own.some((value) => chosen.includes(value))
  return ({ item }: PricedModel): boolean =>
    item.model_name.toLowerCase().includes(keyword) &&
    within(types, [item.quota_type === quotaType.call ? 'call' : 'usage']) &&
    within(groups, item.enable_groups) &&
    within(vendors, [item.owner])
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
