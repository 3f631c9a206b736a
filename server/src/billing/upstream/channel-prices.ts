import type { ChannelCost, OwnCost } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { defaultTierRatios, defaultToolPrices } from '@tollgate/contract/prices'
import { type BoundedCache, createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { emptyListBook, type ListBook, type ListRates } from '../book/list-price.ts'
import { decimal, multiply, one } from '../decimal.ts'
import type { Declarations } from '../declared/declarations.ts'
import { placeOfAddress, placeRatio } from '../declared/places.ts'
import { keepOtherPrices } from '../named-models/other-prices.ts'
import { completeRates } from '../overrides/rates-of-list.ts'
import type { Decimal, Kind, Price } from '../price.ts'
import { createPriceBook } from '../prices.ts'
import { createStatedFactors, type NotedCost } from './stated-factors.ts'

/** The fields of a channel that decide its prices. Prices are cached per object: a changed channel is a new object. */
export interface CostChannel {
  /** Absent where the provider takes list prices. */
  readonly cost?: ChannelCost
  /** Some addresses cost more; absent where prices do not depend on it. */
  readonly baseUrl?: string
}

export interface ChannelPriceSettings {
  readonly list?: ListBook | undefined
  /** Quota units that make one unit of currency. */
  readonly quotaPerUnit: number
  /** The operator's declarations, which apply to the provider's price, too. */
  readonly declared?: Declarations | undefined
}

/** A price, and the moments for which it holds, in milliseconds since 1970. */
export interface SpannedPrice {
  readonly price: Price | undefined
  readonly from: number
  readonly until: number
}

/** Prices of providers for the calls of channels. */
export interface ChannelPrices {
  /**
   * The price of a model, as the upstream is asked for it, at a moment in milliseconds since 1970. Its `groupRatio` is the factor
   * of the channel and its discounts. undefined where no list and no setting of the channel has a price.
   */
  of(channel: CostChannel, model: string, at: number): Price | undefined
  /** The same, with the moments for which it is the answer. */
  spanned(channel: CostChannel, model: string, at: number): SpannedPrice
  /**
   * The same, times what the provider stated for the calls of the last hour relative to it. It is for choices among channels: a call
   * itself costs what is stated for it.
   */
  expected(channel: CostChannel, model: string, at: number): Price | undefined
  /** Notes what a call cost by its provider and by its price, in quota units. */
  noteStated(channel: CostChannel, model: string, noted: NotedCost): void
}

const mostCached = 1000
const dayMs = 86_400_000
const millionth: Decimal = { digits: 1n, scale: 6 }

/** Version of prices that the operator gave the channel. */
const ownVersion = 'channel'

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** An exact name before the longest beginning of one. */
const ownPrice = (models: ChannelCost['models'], model: string): OwnCost | undefined => {
  if (models === undefined) return undefined
  const exact = ownMember(models, model)
  if (exact !== undefined) return exact
  const [longest] = Object.keys(models)
    .filter((name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)))
    .sort((left, right) => right.length - left.length)
  return longest === undefined ? undefined : ownMember(models, longest)
}

interface Span {
  readonly factor: Decimal
  readonly from: number
  readonly until: number
}

/** The factor of all discounts at a moment, and how long it holds. */
const discountAt = (discounts: ChannelCost['discounts'], at: number): Span => {
  let span: Span = { factor: one, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }
  for (const { from, to, factor } of discounts ?? []) {
    const start = from === undefined ? Number.NEGATIVE_INFINITY : startOf(from)
    const end = to === undefined ? Number.POSITIVE_INFINITY : startOf(to) + dayMs
    const edges = [start, end]
    span = {
      factor: at >= start && at < end ? multiply(span.factor, decimal(factor)) : span.factor,
      from: Math.max(span.from, ...edges.filter((edge) => edge <= at)),
      until: Math.min(span.until, ...edges.filter((edge) => edge > at)),
    }
  }
  return span
}

const ratesOf = (prices: { readonly [K in Kind]?: number | undefined }): ListRates =>
  Object.fromEntries(
    Object.entries(prices).flatMap(([kind, price]) => (price === undefined ? [] : [[kind, decimal(price)]])),
  )

/**
 * Prices of channels: their own, else the list's, each by model and cached per channel. An operator's ratios are what users pay,
 * so they do not count here. Create new ones when the list or an option changes.
 */
export const createChannelPrices = ({
  list = emptyListBook,
  quotaPerUnit,
  declared,
}: ChannelPriceSettings): ChannelPrices => {
  const listPrices = createPriceBook({
    modelRatio: {},
    modelPrice: {},
    completionRatio: {},
    cacheRatio: {},
    groupRatio: {},
    toolPrices: defaultToolPrices,
    tierRatios: defaultTierRatios,
    quotaPerUnit,
    selfUse: false,
    list,
    ...(declared === undefined ? {} : { declared }),
  })
  const caches = new WeakMap<CostChannel, BoundedCache<string, SpannedPrice>>()

  /** Tools and tiers of the model, which the channel's own prices do not name. */
  const ownBase = (model: string, at: number): Price | undefined => {
    const found = listPrices.of(model, '', { acceptsUnpriced: true, at })
    if (found === undefined) return undefined
    const { contexts: _, pictures: __, videos: ___, inTiers: ____, ...base } = found
    return { ...base, version: ownVersion }
  }

  const priceAt = (cost: ChannelCost | undefined, model: string, at: number, discount: Decimal): Price | undefined => {
    const own = ownPrice(cost?.models, model)
    if (own === undefined || 'factor' in own) {
      const listed = listPrices.of(model, '', { acceptsUnpriced: false, at })
      const factor = own?.factor ?? cost?.factor ?? 1
      return listed && { ...listed, groupRatio: multiply(decimal(factor), discount) }
    }
    const base = ownBase(model, at)
    if (base === undefined) return undefined
    if ('call' in own) return { ...base, perCall: decimal(own.call), groupRatio: discount }
    return {
      ...base,
      basis: 'dollars',
      unit: multiply(decimal(quotaPerUnit), millionth),
      rates: completeRates(ratesOf(own)),
      groupRatio: discount,
    }
  }

  const learned = createStatedFactors()
  const placedPrices = new WeakMap<Price, Price>()

  /** With the factor of the region that the channel's address stands for. */
  const inPlace = ({ baseUrl = '' }: CostChannel, price: Price | undefined): Price | undefined => {
    const place = price === undefined ? undefined : placeOfAddress(baseUrl)
    if (price === undefined || place === undefined || price.perCall !== undefined) return price
    const known = placedPrices.get(price)
    if (known !== undefined) return known
    const dearer = { ...price, groupRatio: multiply(price.groupRatio, placeRatio(place, price)) }
    placedPrices.set(price, dearer)
    return dearer
  }

  const spanned: ChannelPrices['spanned'] = (channel, model, at) => {
    const cache = caches.get(channel) ?? createBoundedCache<string, SpannedPrice>({ entries: mostCached })
    const cached = cache.get(model)
    if (cached !== undefined && at >= cached.from && at < cached.until) return cached
    const { factor, from, until } = discountAt(channel.cost?.discounts, at)
    const price = priceAt(channel.cost, model, at, factor)
    if (price !== undefined) {
      const priceOf = (other: string): Price | undefined => of(channel, other, at)
      keepOtherPrices(price, { toolsOf: () => undefined, priceOf, ofMaker: () => [] })
    }
    const listUntil = list.find(model, at)?.until ?? Number.POSITIVE_INFINITY
    // A list does not state since when its price holds, so a moment before this one is looked up anew.
    const fresh = { price, from: Math.max(from, at), until: Math.min(until, listUntil) }
    cache.set(model, fresh)
    caches.set(channel, cache)
    return fresh
  }

  const of: ChannelPrices['of'] = (channel, model, at) => spanned(channel, model, at).price

  return {
    of,
    spanned,
    expected: (channel, model, at) => learned.applied(channel, model, at, inPlace(channel, of(channel, model, at))),
    noteStated: (channel, model, noted) => learned.note(channel, model, noted),
  }
}
