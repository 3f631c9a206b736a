import { useMemo } from 'react'
import { calls, type ModelCard, type PricingItem } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { type PricedGroup, type Pricing, usePricing } from '../../lib/pricing.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useStatus } from '../../lib/status.ts'
import type { PricedModel } from './catalogue.ts'
import { type PriceUnit, pricesIn } from './prices.ts'

const staleTimeMs = 60_000
const noGroup: PricedGroup = { name: 'default', ratio: 1, description: '' }

/** The group that the address asks for, else the reader's own, else the first. */
const groupOf = (groups: readonly PricedGroup[], chosen: string | undefined, own: string | undefined): PricedGroup => {
  const named = (name: string | undefined) => groups.find((group) => group.name === name)
  return named(chosen) ?? named(own) ?? groups[0] ?? noGroup
}

/** A model of which nothing is known but its prices. */
const plainCard = (item: PricingItem): ModelCard => ({
  model: item.model_name,
  maker: item.owner,
  description: '',
  kind: '',
  context: 0,
  max_output: 0,
  takes: [],
  can: [],
  knowledge: '',
  retires: '',
  replaced_by: '',
  tags: [],
  endpoints: [],
  hidden: false,
  edited: false,
})

/** Prices, cards and measures of all models, for the group that is looked at. Without cards the prices are shown alone. */
export const useCatalogue = (chosenGroup: string | undefined) => {
  const reader = useSession()
  const { quota_per_unit: quotaPerUnit, display_in_currency: currency, self_use_mode_enabled: selfUse } = useStatus()
  const pricing = usePricing()
  const cards = useEndpoint(calls.listModelCards, {}, { staleTimeMs })
  const measures = useEndpoint(calls.listModelMeasures, {}, { staleTimeMs })
  const groups = pricing.data?.groups ?? []
  const own = groupOf(groups, undefined, reader?.group)
  const group = groupOf(groups, chosenGroup, reader?.group)
  const unit = useMemo((): PriceUnit => ({ quotaPerUnit, currency }), [quotaPerUnit, currency])
  // Visitors are answered with no measures at all where the site keeps them to itself.
  const callsShown = reader !== undefined || (measures.data?.length ?? 0) > 0
  const models = useMemo((): readonly PricedModel[] => {
    const cardOf = new Map(cards.data?.map((card) => [card.model, card]))
    const rankOf = new Map(measures.data?.map((entry, rank) => [entry.model, { entry, rank }]))
    return (pricing.data?.models ?? []).flatMap((item) => {
      const card = cardOf.get(item.model_name)
      // A model without a card is hidden from this reader.
      if (cards.data !== undefined && card === undefined) return []
      const measured = rankOf.get(item.model_name)
      return {
        item,
        // Elsewhere calls of a model without a price are refused: the ratio that would count is no price of it.
        prices: item.priced || selfUse ? pricesIn(item, group.ratio, unit) : {},
        available: item.enable_groups.includes(group.name),
        card: card ?? plainCard(item),
        measures: measured?.entry,
        callsShown,
        rank: measured?.rank ?? Number.POSITIVE_INFINITY,
      }
    })
  }, [pricing.data, cards.data, measures.data, callsShown, group, unit, selfUse])
  return {
    pricing: pricing.data satisfies Pricing | undefined,
    error: pricing.error,
    refetch: pricing.refetch,
    // Measures decide the order: cards that came before them would change places.
    isPending: pricing.isPending || cards.isPending || measures.isPending,
    groups,
    own,
    group,
    unit,
    models,
  }
}
