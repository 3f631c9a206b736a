import { ownMember } from '@tollgate/contract/own-member'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { add, decimal, one } from '../decimal.ts'
import type { Decimal, Price } from '../price.ts'
import { dearestSurcharge, declaredKey } from './declarations.ts'

/** Places that are understood; one without a factor for a model costs what every place does. */
export const declaredPlaces: readonly string[] = ['global', 'us', 'not_available']

/** The member of `Price.tiers` that holds the factor of a place. */
export const placeTier = (place: string): string => `place_${place}`

/** Places have their factors beside those of tiers, as `place_us`; one without a factor costs what every place does. */
export const placeRatio = (place: string, { tiers }: Pick<Price, 'tiers'>): Decimal =>
  decimal((tiers && ownMember(tiers, placeTier(place))) ?? 1)

/** Dialects whose answers state a place. */
const placedDialects = ['anthropic', 'openai'] as const

/** The largest factor that an operator declared for a place, in any dialect; undefined where he declared none. */
const declaredRatio = (place: string, { declared }: Pick<Price, 'declared'>): number | undefined => {
  if (declared === undefined) return undefined
  const found = placedDialects.flatMap((dialect) => {
    const own = ownMember(declared, declaredKey({ kind: 'geo', place: dialect, name: `inference_geo=${place}` }))
    return own === undefined ? [] : [own.as === 'factor' ? own.factor : 1]
  })
  return found.length === 0 ? undefined : Math.max(...found)
}

/** The most that a place may cost: what is known or declared, or the dearest surcharge for one that no table knows. */
export const mostPlaceRatio = (place: string, price: Pick<Price, 'tiers' | 'declared'>): Decimal => {
  const isKnown =
    declaredPlaces.includes(place) ||
    (price.tiers !== undefined && ownMember(price.tiers, placeTier(place)) !== undefined)
  if (isKnown) return placeRatio(place, price)
  const own = declaredRatio(place, price)
  return own === undefined ? add(one, decimal(dearestSurcharge)) : decimal(own)
}

interface PlacedHost {
  readonly host: RegExp
  /** As in `placeTier`. */
  readonly place: string
  readonly source: string
}

/** Hosts that run calls in one region, for which their maker may ask more: `place_…` in the table of tiers says for which models. */
const placedHosts: readonly PlacedHost[] = [
  {
    // us, eu, au, in, jp, ae …
    host: /^[a-z]{2}\.api\.openai\.com$/,
    place: 'regional',
    source: 'developers.openai.com/api/docs/guides/data-residency',
  },
  { host: /^us\.api\.x\.ai$/, place: 'us', source: 'docs.x.ai/developers/advanced-api-usage/regions' },
]

const mostAddresses = 1000
const places = createBoundedCache<string, { readonly place: string | undefined }>({ entries: mostAddresses })

/** The place that a channel's address stands for; undefined for almost all. */
export const placeOfAddress = (baseUrl: string): string | undefined => {
  const known = places.get(baseUrl)
  if (known !== undefined) return known.place
  const host = URL.parse(baseUrl)?.hostname ?? ''
  const place = placedHosts.find((placed) => placed.host.test(host))?.place
  places.set(baseUrl, { place })
  return place
}
