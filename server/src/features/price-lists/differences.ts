import type { DatedPrice, StoredPrice } from '@tollgate/contract'
import { type PriceSource, resolveName } from '../../billing/book/list-book.ts'
import type { NamedModel } from '../../billing/book/model-names.ts'
import { datedPriceAt, type ListedModel } from '../../billing/book/stored-price.ts'
import { priceKey } from '../../billing/book/versioned-book.ts'
import { withOwnTiers } from './stated-tiers.ts'

/** A model whose price differs; `before` and `after` carry the list that they come from. */
export interface PriceDifference {
  readonly provider: string
  readonly model: string
  readonly before: StoredPrice | undefined
  readonly after: StoredPrice | undefined
}

/** Equal for equal content, whatever the order of members and the zeros at the end of a decimal. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value === 'string' && /^\d+\.\d+$/.test(value)) return value.replace(/\.?0+$/, '')
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, canonical(member)])
}

export const isSamePrice = (
  left: readonly DatedPrice[] | undefined,
  right: readonly DatedPrice[] | undefined,
): boolean => JSON.stringify(canonical(left)) === JSON.stringify(canonical(right))

const named = (model: ListedModel | undefined): StoredPrice | undefined =>
  model && { ...model.stored, version: model.version }

const keyOf = ({ provider, id }: ListedModel): string => priceKey(provider, id)

const readingOf = (provider: string, model: string): NamedModel =>
  provider === '' ? { id: model.toLowerCase() } : { provider, id: model.toLowerCase() }

/** Entry of a list for a model's own id, also one of another provider that means the same model. */
export const listedUnder = (source: PriceSource, provider: string, model: string): ListedModel | undefined =>
  source.lookUp(readingOf(provider, model)) ?? source.last?.lookUp(readingOf(provider, model))

/**
 * Models that other lists price otherwise: every entry of either, and served names that mean another entry than before.
 */
export const listDifferences = (live: PriceSource, next: PriceSource, names: readonly string[]): PriceDifference[] => {
  const found = new Map<string, PriceDifference>()
  const add = (provider: string, model: string, old: ListedModel | undefined, now: ListedModel | undefined): void => {
    const key = priceKey(provider, model)
    if (found.has(key) || isSamePrice(old?.stored.prices, now?.stored.prices)) return
    found.set(key, { provider, model, before: named(old), after: named(now) })
  }
  for (const { provider, id } of [...live.models(), ...next.models()]) {
    // A prefix stands for names that cannot be listed; it is compared as an entry.
    const [old, now] = [listedUnder(live, provider, id), listedUnder(next, provider, id)]
    const key = priceKey(provider, id)
    if ((old && keyOf(old) === key) || (now && keyOf(now) === key)) add(provider, id, old, now)
  }
  for (const name of names) {
    const [old, now] = [resolveName(live, name), resolveName(next, name)]
    const [oldKey, nowKey] = [old && keyOf(old.model), now && keyOf(now.model)]
    if (oldKey === nowKey) continue
    const known = now ?? old
    if (known !== undefined) add(known.model.provider, known.named.id, old?.model, now?.model)
  }
  return [...found.values()]
}

/** Prices of a source, and whether it knows all conditions of a price (days, hours) or only the present figures. */
export interface SourcePrices {
  readonly prices: readonly StoredPrice[]
  readonly complete: boolean
}

interface Sync {
  /** Names that enabled channels serve. */
  readonly names: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Tiers that a source does not state stay as they are. */
const withPresentTiers = ({ in_tiers: present }: DatedPrice, price: DatedPrice): DatedPrice =>
  present === undefined ? price : { ...price, in_tiers: { ...present, ...price.in_tiers } }

/** The present figures of a source over those that a list has beside them; announced days stay. `undefined` where hours matter. */
const mergedPrices = (old: StoredPrice, read: StoredPrice, now: number): DatedPrice[] | undefined => {
  if (old.prices.some(({ hours }) => hours !== undefined)) return undefined
  const [current, fresh] = [datedPriceAt(old, now), read.prices[0]]
  if (current === undefined || fresh === undefined) return read.prices
  const { from: _from, ...present } = current
  const merged = withPresentTiers(
    present,
    withOwnTiers(read.model, { ...present, ...fresh, rates: { ...present.rates, ...fresh.rates } }),
  )
  if (isSamePrice([merged], [present])) return old.prices
  return [merged, ...old.prices.filter(({ from }) => from !== undefined && Date.parse(from) > now)]
}

/**
 * Models that a source prices otherwise than the lists in force. A source that is not complete changes only what it states; models that
 * no list knows count where a channel serves them. Also says how many prices were left out.
 */
export const sourceDifferences = (
  live: PriceSource,
  { prices, complete }: SourcePrices,
  { names, now }: Sync,
): { differences: PriceDifference[]; leftOut: number } => {
  const found = new Map<string, PriceDifference>()
  const bareServed = new Set(names.map((name) => name.toLowerCase()))
  const isServed = (model: string): boolean => {
    const id = model.toLowerCase()
    return bareServed.has(id) || bareServed.has(id.slice(id.lastIndexOf('/') + 1))
  }
  let leftOut = 0
  for (const read of prices) {
    // A source without providers says names as people write them.
    const old =
      read.provider === '' ? resolveName(live, read.model)?.model : listedUnder(live, read.provider, read.model)
    const provider = read.provider === '' && old !== undefined ? old.provider : read.provider
    const key = priceKey(provider, read.model)
    if (found.has(key)) continue
    if (old === undefined && !complete && !isServed(read.model)) {
      leftOut += 1
      continue
    }
    const isWhole = old === undefined || complete
    const after = isWhole
      ? read.prices.map((price) => withOwnTiers(read.model, price))
      : mergedPrices(old.stored, read, now)
    if (after === undefined) leftOut += 1
    if (after === undefined || isSamePrice(old?.stored.prices, after)) continue
    const model = old !== undefined && keyOf(old) === key ? old.id : read.model
    found.set(key, { provider, model, before: named(old), after: { ...read, provider, model, prices: after } })
  }
  return { differences: [...found.values()], leftOut }
}
