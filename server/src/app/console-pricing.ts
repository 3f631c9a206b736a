import type { ChannelPicture } from '../features/channels/snapshot.ts'
import { openPreview } from '../features/pricing/preview.ts'
import { pricingRoutes } from '../features/pricing/routes.ts'
import { openTrafficStore } from '../features/pricing/traffic-store.ts'
import type { On } from '../http/route.ts'
import { modelEntry } from '../providers/model-entry.ts'
import type { SharedParts } from './parts.ts'

/** Joins the price list and what operators see before they change it. */
export const joinPricing = (
  { priceOptions, groups, logDatabase, clock }: SharedParts,
  channels: { snapshot(): ChannelPicture },
  on: On,
): void => {
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
    ownerOf: (model) => modelEntry(model).owned_by,
    preview,
  })
}
