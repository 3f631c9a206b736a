import type { ChannelDirectory } from '../features/channels/directory.ts'
import { groupRoutes } from '../features/groups/groups.ts'
import { joinModels, type ModelSide } from '../features/models/join.ts'
import type { SiteNews } from '../features/notices/site-news.ts'
import { hourlyPriceOf, momentsOf } from '../features/price-lists/change-times.ts'
import { joinPriceLists } from '../features/price-lists/join.ts'
import { isPricedBy } from '../features/pricing/current-prices.ts'
import { joinPricing } from '../features/pricing/join.ts'
import type { FeatureKit } from './parts.ts'

export interface ModelsNeeds {
  readonly channels: ChannelDirectory
  readonly news: SiteNews
}

/** Joins the models, and the groups that may use them. */
export const joinModelsAndGroups = async (kit: FeatureKit, { channels, news }: ModelsNeeds): Promise<ModelSide> => {
  const models = await joinModels(kit, { channels, news })
  groupRoutes(kit.on, kit.groups)
  return models
}

/** Joins prices of models and the lists that they come from; answers what stops the schedule of the lists. */
export const joinPrices = (kit: FeatureKit, channels: ChannelDirectory): (() => void) => {
  const { states } = kit.priceLists.live
  const listed = {
    momentsOf: (model: string) => momentsOf(states(), model),
    hourlyOf: (model: string, at: number) => hourlyPriceOf(states(), model, at),
  }
  const preview = joinPricing(kit, { channels, listed })
  return joinPriceLists(kit, { channels, preview, isPriced: isPricedBy(kit.priceOptions) })
}
