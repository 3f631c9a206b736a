import {
  estimateCost,
  type GroupMap,
  getPriceHistory,
  listCompletionRules,
  listPricing,
  type PricingItem,
  previewPrices,
  role,
} from '@tollgate/contract'
import { createPriceBook, type PriceBook, ratiosOf } from '../../billing/prices.ts'
import { roleIn } from '../../http/access.ts'
import type { On } from '../../http/route.ts'
import { estimate } from './estimate.ts'
import { type HistoryParts, priceAt, priceHistory } from './history.ts'
import { priceList, type ServedModels } from './list.ts'
import type { Preview } from './preview.ts'
import { type PriceOptions, priceSettings, ratiosAfterReset } from './price-options.ts'

export interface PricingParts {
  /** A new object whenever an option has changed. */
  options(): PriceOptions
  /** A new object whenever a channel has changed. */
  served(): ServedModels
  /** Groups that users of a group may use; an empty one stands for visitors. */
  usableGroups(userGroup: string): GroupMap
  ownerOf(model: string): string
  readonly preview: Preview
  readonly history: Omit<HistoryParts, 'options'>
}

/** Announced prices begin, and prices by the hour change, while neither options nor channels do. */
const keptMs = 60_000

/** Lists made from the present options and channels, kept for a minute while neither has changed. */
const keptLists = ({ options, served, ownerOf }: PricingParts) => {
  let made:
    | { at: number; options: PriceOptions; served: ServedModels; book: PriceBook; lists: Map<string, PricingItem[]> }
    | undefined
  const present = () => {
    const [values, channels] = [options(), served()]
    if (made?.options !== values || made.served !== channels || Date.now() - made.at >= keptMs) {
      made = {
        at: Date.now(),
        options: values,
        served: channels,
        book: createPriceBook(priceSettings(values)),
        lists: new Map(),
      }
    }
    return made
  }
  const listFor = (groups: readonly string[]): PricingItem[] => {
    const { book, served: channels, lists } = present()
    const key = groups.toSorted().join('\n')
    const cached = lists.get(key)
    if (cached !== undefined) return cached
    const list = priceList(channels, groups, { book, ownerOf })
    lists.set(key, list)
    return list
  }
  return { listFor, book: () => present().book }
}

const mapped = <T>(groups: GroupMap, value: (group: GroupMap[string]) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, value(group)]))

/** The completion ratio of a model of which the option CompletionRatio says nothing. */
const listedCompletionRatio = (model: string, options: PriceOptions): number => {
  const book = createPriceBook(priceSettings({ ...options, CompletionRatio: {} }))
  const price = book.of(model, '', { acceptsUnpriced: true })
  return price === undefined ? 1 : ratiosOf(price).completion_ratio
}

/** Prices for everybody, and what operators need to change them. No database on the public calls. */
export const pricingRoutes = (on: On, parts: PricingParts): void => {
  const { listFor, book } = keptLists(parts)

  on(listPricing, ({ caller }) => {
    const groups = parts.usableGroups(caller?.group ?? '')
    const { ToolPrices: tool_prices, ServiceTierRatios: tier_ratios } = parts.options()
    const beside = {
      tool_prices,
      tier_ratios,
      group_ratio: mapped(groups, ({ ratio }) => ratio),
      usable_group: mapped(groups, ({ desc }) => desc),
    }
    return { data: listFor(Object.keys(groups)), beside }
  })

  on(estimateCost, ({ query, caller }) => {
    const served = parts.served()
    const groups = Object.entries(parts.usableGroups(caller?.group ?? ''))
      .filter(([name]) => served.modelsOf(name).includes(query.model))
      .map(([name, { ratio }]) => ({ name, ratio }))
    const model = served.pricedAs?.(query.model) ?? query.model
    return { data: estimate({ ...query, model }, groups, book()) }
  })

  on(getPriceHistory, async ({ query, caller }) => {
    // The trail of changes is for administrators; others see what options say today.
    const hasTrail = caller !== undefined && roleIn(caller, 'models') >= role.admin
    const history = { ...parts.history, options: parts.options, hasTrail }
    const { model, at } = query
    return { data: at === undefined ? await priceHistory(model, history) : await priceAt(model, at * 1000, history) }
  })

  on(previewPrices, async ({ body: { changes, reset } }) => {
    if (!reset) return { data: await parts.preview(changes) }
    const others = changes.filter(({ key }) => key !== 'ModelRatio')
    const value = JSON.stringify(ratiosAfterReset(parts.options()))
    return { data: await parts.preview([...others, { key: 'ModelRatio', value }]) }
  })

  on(listCompletionRules, ({ body }) => ({
    data: body.models.map((model) => ({ model, value: listedCompletionRatio(model, parts.options()) })),
  }))
}
