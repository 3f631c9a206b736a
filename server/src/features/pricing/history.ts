import type { DatedPrice, PricePoint } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import type { ListBook, ListPrice } from '../../billing/book/list-price.ts'
import type { HourlyMoments } from '../../billing/book/stored-price.ts'
import { decimal, divide, multiply, print } from '../../billing/decimal.ts'
import { completeRates } from '../../billing/overrides/rates-of-list.ts'
import type { Decimal, Price, Rates } from '../../billing/price.ts'
import { createPriceBook } from '../../billing/prices.ts'
import type { FigureChange } from './option-changes.ts'
import { type PriceOptions, priceSettings } from './price-options.ts'

export interface HistoryParts {
  options(): PriceOptions
  /** Moments, in milliseconds since 1970, at which the list price of a model may change. */
  momentsOf(model: string): readonly number[]
  /** How the list price of a moment depends on the hour; undefined where it does not. `list` has the prices of that moment's state. */
  hourlyOf(model: string, at: number): (HourlyMoments & { readonly list: ListBook }) | undefined
  /** Changes of options for a model, the newest first. */
  trail(model: string): Promise<readonly FigureChange[]>
}

type Parts = HistoryParts & { readonly hasTrail: boolean }

const places = 12
const million = decimal(1_000_000)

/** Dollars per million pieces at a price in ratios or dollars, before the ratio of a group. */
const dollarsOf = (price: Price, rate: Decimal): string =>
  price.basis === 'dollars'
    ? print(rate)
    : print(divide(multiply(rate, price.unit, million), price.quotaPerUnit, places))
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '')

/** Parts that a list does not name and that cost what a larger part does are left out. */
const isImplied = (kind: string, rate: Decimal, listed: ListPrice | undefined): boolean => {
  if (listed === undefined || ownMember(listed.rates, kind) !== undefined) return false
  const implied = ownMember(completeRates(listed.rates), kind)
  return implied !== undefined && print(implied) === print(rate)
}

const datedOf = (price: Price, listed: ListPrice | undefined): DatedPrice => {
  const rates = (of: Rates): DatedPrice['rates'] =>
    Object.fromEntries(
      Object.entries(of).flatMap(([kind, rate]) =>
        isImplied(kind, rate, listed) ? [] : [[kind, dollarsOf(price, rate)]],
      ),
    )
  return {
    rates: rates(price.rates),
    ...(price.contexts === undefined
      ? {}
      : { contexts: price.contexts.map((tier) => ({ above: tier.above, rates: rates(tier.rates) })) }),
  }
}

const pointOf = (model: string, options: PriceOptions, at: number): PricePoint => {
  const from = Math.floor(at / 1000)
  const book = createPriceBook(priceSettings(options))
  const price = book.of(model, '', { acceptsUnpriced: false, at })
  if (price === undefined) return { from, version: '', source: '' }
  if (price.perCall !== undefined) return { from, version: 'operator', source: '', per_call: print(price.perCall) }
  const listed = price.basis === 'dollars' ? options.list?.find(model, at) : undefined
  return { from, version: price.version ?? '', source: listed?.source ?? '', price: datedOf(price, listed) }
}

/** The usual price from a moment on, and those of some hours of the day. */
const hourlyPointOf = (model: string, options: PriceOptions, at: number, parts: Parts): PricePoint => {
  const present = pointOf(model, options, at)
  const hourly = parts.hourlyOf(model, at)
  // A price that an operator sets counts at every hour.
  if (hourly === undefined || present.version === 'operator' || options.list === undefined) return present
  const fixed = { ...options, list: hourly.list }
  const hours = hourly.hours.flatMap((entry) => {
    const { price } = pointOf(model, fixed, entry.at)
    return price === undefined ? [] : [{ ...price, hours: entry.hours }]
  })
  return { ...(hourly.usual === undefined ? present : pointOf(model, fixed, hourly.usual)), from: present.from, hours }
}

/** The options as they stood before some changes were made, as far as they concern one model. */
const optionsBefore = (options: PriceOptions, model: string, undone: readonly FigureChange[]): PriceOptions => {
  const maps = new Map<FigureChange['key'], ReadonlyMap<string, number>>()
  for (const { key, before } of undone) {
    const map = new Map(maps.get(key) ?? Object.entries(options[key]))
    if (before === undefined) map.delete(model)
    else map.set(model, before)
    maps.set(key, map)
  }
  return { ...options, ...Object.fromEntries([...maps].map(([key, map]) => [key, Object.fromEntries(map)])) }
}

type PointOf = (model: string, options: PriceOptions, at: number, parts: Parts) => PricePoint

const pointsAt = async (
  model: string,
  moments: readonly number[],
  parts: Parts,
  point: PointOf,
): Promise<PricePoint[]> => {
  const current = parts.options()
  const trail = parts.hasTrail ? await parts.trail(model) : []
  return moments.map((at) => {
    const undone = trail.filter((change) => change.at > at)
    return point(model, optionsBefore(current, model, undone), at, parts)
  })
}

const isSame = ({ from: _, ...left }: PricePoint, { from: __, ...right }: PricePoint): boolean =>
  JSON.stringify(left) === JSON.stringify(right)

/**
 * Past, present and announced prices of a model, the oldest first: from lists, their versions, and options as far as the audit log
 * knows them.
 */
export const priceHistory = async (model: string, parts: Parts): Promise<PricePoint[]> => {
  const trail = parts.hasTrail ? await parts.trail(model) : []
  const moments = [...new Set([0, ...parts.momentsOf(model), ...trail.map(({ at }) => at)])].sort((a, b) => a - b)
  const points = await pointsAt(model, moments, parts, hourlyPointOf)
  return points.filter((point, index) => {
    const last = points[index - 1]
    return last === undefined || !isSame(last, point)
  })
}

/** The price of one moment, in milliseconds since 1970. */
export const priceAt = (model: string, at: number, parts: Parts): Promise<PricePoint[]> =>
  pointsAt(model, [at], parts, pointOf)
