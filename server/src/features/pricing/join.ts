import type { ChannelPicture } from '../../app/noun-types.ts'
import type { FeatureKit } from '../../app/parts.ts'
import { makerOf } from '../../providers/makers.ts'
import type { HistoryParts } from './history.ts'
import { readOptionChanges } from './option-changes.ts'
import { openPreview, type Preview } from './preview.ts'
import { pricingRoutes } from './routes.ts'
import { openTrafficStore } from './traffic-store.ts'

export interface PricingNeeds {
  readonly channels: { snapshot(): ChannelPicture }
  /** Changes of prices that lists state. */
  readonly listed: Pick<HistoryParts, 'momentsOf' | 'hourlyOf'>
}

/** Joins the price list and its preview of changes, which it answers. */
export const joinPricing = (kit: FeatureKit, { channels, listed }: PricingNeeds): Preview => {
  const { priceOptions, groups, database, logDatabase, clock, on } = kit
  const preview = openPreview({
    store: openTrafficStore(logDatabase),
    clock,
    options: priceOptions,
    served: () => channels.snapshot().models,
  })
  pricingRoutes(on, {
    options: priceOptions,
    served: channels.snapshot,
    usableGroups: groups.usableGroups,
    ownerOf: (model) => makerOf(model, (name) => priceOptions().list?.find(name, clock())?.provider),
    preview,
    history: {
      ...listed,
      trail: (model) => readOptionChanges(database, model),
    },
  })
  return preview
}
