import type { DatedPrice, StoredPrice } from '@tollgate/contract'
import { decimal } from '../decimal.ts'
import type { Decimal } from '../price.ts'
import type { ListContext, ListPrice, ListRates, ListTier } from './list-price.ts'

const dayMs = 86_400_000

/** Milliseconds of a day at which `HH:MM:SSZ` is. */
const momentOfDay = (text: string): number => {
  const at = Date.parse(`1970-01-01T${text}`)
  return ((at % dayMs) + dayMs) % dayMs
}

const applies = ({ from, hours }: DatedPrice, at: number): boolean => {
  if (from !== undefined && at < Date.parse(from)) return false
  if (hours === undefined) return true
  const day = new Date(at)
  if (hours.weekdays === true && day.getUTCDay() % 6 === 0) return false
  if (hours.except?.includes(day.toISOString().slice(0, 10)) === true) return false
  const [now, start, end] = [at % dayMs, momentOfDay(hours.start), momentOfDay(hours.end)]
  return end < start ? now >= start || now < end : now >= start && now < end
}

/** The next moment at which a price may begin or cease to apply. */
const nextChange = ({ from, hours }: DatedPrice, at: number): number => {
  const start = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from)
  if (start > at) return start
  if (hours === undefined) return Number.POSITIVE_INFINITY
  const today = at - (at % dayMs)
  const times = [momentOfDay(hours.start), momentOfDay(hours.end)]
  return Math.min(...times.flatMap((time) => [today + time, today + dayMs + time]).filter((time) => time > at))
}

const decimals = (texts: Readonly<Record<string, string | undefined>>): Record<string, Decimal> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, decimal(text)]])),
  )

/** The price of a moment, without what it is called. */
export const datedPriceAt = (stored: StoredPrice, at: number): DatedPrice | undefined =>
  stored.prices.findLast((price) => applies(price, at)) ?? stored.prices[0]

type Hours = NonNullable<DatedPrice['hours']>

/** Moments at which the prices of a model hold that depend on the hour. */
export interface HourlyMoments {
  /** Outside of all hours; undefined where hours cover the whole week. */
  readonly usual: number | undefined
  readonly hours: readonly { readonly hours: Hours; readonly at: number }[]
}

const stepMs = 900_000
/** Longer than a week of holidays. */
const lookAheadMs = 14 * dayMs

/**
 * For every price by the hour that counts at a moment, a moment of the following two weeks at which it holds. Empty where the price does
 * not depend on the hour. Hours are looked at every fifteen minutes.
 */
export const hourlyMoments = (stored: StoredPrice, at: number): HourlyMoments => {
  const begun = stored.prices.filter(({ from }) => from === undefined || Date.parse(from) <= at)
  if (begun.every(({ hours }) => hours === undefined)) return { usual: at, hours: [] }
  const found = new Map<Hours, number>()
  let usual: number | undefined
  for (let moment = at; moment < at + lookAheadMs; moment += stepMs) {
    const hours = datedPriceAt({ ...stored, prices: begun }, moment)?.hours
    if (hours === undefined) usual ??= moment
    else if (!found.has(hours)) found.set(hours, moment)
  }
  const inOrder = begun.flatMap(({ hours }) => {
    const moment = hours && found.get(hours)
    return hours === undefined || moment === undefined ? [] : [{ hours, at: moment }]
  })
  return { usual, hours: inOrder }
}

const contextsOf = ({ contexts }: Pick<DatedPrice, 'contexts'>): readonly ListContext[] | undefined =>
  contexts?.map(({ above, rates }): ListContext => ({ above, rates: decimals(rates) }))

const tiersOf = (tiers: NonNullable<DatedPrice['in_tiers']>): Record<string, ListTier> =>
  Object.fromEntries(
    Object.entries(tiers).map(([name, tier]) => {
      const contexts = contextsOf(tier)
      return [name, { rates: decimals(tier.rates), ...(contexts === undefined ? {} : { contexts }) }]
    }),
  )

/** The price of a moment, in milliseconds since 1970; `version` names the list or the version that holds it. */
export const listPriceAt = (stored: StoredPrice, version: string, at: number): ListPrice | undefined => {
  const price = datedPriceAt(stored, at)
  if (price === undefined) return undefined
  const contexts = contextsOf(price)
  return {
    model: stored.model,
    provider: stored.provider,
    version: price.from === undefined ? version : `${version}, ${price.from}`,
    source: stored.source,
    rates: decimals(price.rates) as ListRates,
    ...(contexts === undefined ? {} : { contexts }),
    ...(price.pictures === undefined ? {} : { pictures: decimals(price.pictures) }),
    ...(price.videos === undefined ? {} : { videos: decimals(price.videos) }),
    ...(price.tools === undefined ? {} : { tools: price.tools }),
    ...(price.tiers === undefined ? {} : { tiers: price.tiers }),
    ...(price.in_tiers === undefined ? {} : { inTiers: tiersOf(price.in_tiers) }),
    until: Math.min(...stored.prices.map((entry) => nextChange(entry, at))),
  }
}

/** A model of a list. */
export interface ListedModel {
  readonly provider: string
  readonly id: string
  readonly stored: StoredPrice
  /** Name of the list in receipts. */
  readonly version: string
  at(moment: number): ListPrice | undefined
}

/** Converts a stored price into the form of the book; `version` is that of its list. */
export const listedModel = (stored: StoredPrice, version: string): ListedModel => ({
  provider: stored.provider,
  id: stored.model,
  stored,
  version,
  at: (moment) => listPriceAt(stored, version, moment),
})
