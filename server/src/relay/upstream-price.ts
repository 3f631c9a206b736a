import { placeOfAddress } from '../billing/declared/places.ts'
import type { Price } from '../billing/price.ts'
import type { ChannelPrices, SpannedPrice } from '../billing/upstream/channel-prices.ts'
import type { RelayChannel } from './ports.ts'

/** What a channel takes for a model, and for how long that holds. */
export interface UpstreamPrice extends SpannedPrice {
  readonly model: string
  /** The place that the channel's address stands for; undefined for almost all. */
  readonly place: string | undefined
  readonly costs: ChannelPrices
}

/**
 * Prices that users pay are made anew with every change of options, lists and declarations, as those of channels are, and a changed channel is
 * another object. So what was found beside the one for the other holds as long as both are there.
 */
const found = new WeakMap<Price, WeakMap<RelayChannel, UpstreamPrice>>()

/**
 * What `channel` takes for `model` at a moment in milliseconds since 1970, found once for each price that users pay: the one beside which a
 * call began.
 */
export const upstreamPriceBeside = (
  price: Price,
  channel: RelayChannel,
  { model, at, costs }: { readonly model: string; readonly at: number; readonly costs: ChannelPrices },
): UpstreamPrice => {
  const known = found.get(price)?.get(channel)
  if (known !== undefined && known.model === model && known.costs === costs && at >= known.from && at < known.until)
    return known
  const fresh = { ...costs.spanned(channel, model, at), model, costs, place: placeOfAddress(channel.baseUrl) }
  const ofPrice = found.get(price) ?? new WeakMap<RelayChannel, UpstreamPrice>()
  ofPrice.set(channel, fresh)
  found.set(price, ofPrice)
  return fresh
}
