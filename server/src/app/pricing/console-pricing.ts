import type { ChannelPicture } from '../../features/channels/snapshot.ts'
import { hourlyPriceOf, momentsOf } from '../../features/price-lists/change-times.ts'
import { readOptionChanges } from '../../features/pricing/option-changes.ts'
import { openPreview } from '../../features/pricing/preview.ts'
import { pricingRoutes } from '../../features/pricing/routes.ts'
import { openTrafficStore } from '../../features/pricing/traffic-store.ts'
import type { On } from '../../http/route.ts'
import { makerOf } from '../../providers/makers.ts'
import type { SharedParts } from '../parts.ts'
import { joinPriceLists } from './console-price-lists.ts'

/** Joins the price list and what operators see before they change it. Returns the function that stops its schedule. */
export const joinPricing = (shared: SharedParts, channels: { snapshot(): ChannelPicture }, on: On): (() => void) => {
  const { priceOptions, groups, database, logDatabase, clock, priceLists } = shared
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
      momentsOf: (model) => momentsOf(priceLists.live.states(), model),
      hourlyOf: (model, at) => hourlyPriceOf(priceLists.live.states(), model, at),
      trail: (model) => readOptionChanges(database, model),
    },
  })
  return joinPriceLists(shared, { channels, preview }, on)
}
