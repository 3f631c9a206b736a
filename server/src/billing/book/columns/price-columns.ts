import type { DatedPrice, StoredPrice, TierPrice } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { decimal, print } from '../../decimal.ts'
import type { CatalogueModelData, CataloguePrice, CatalogueProviderData } from '../catalogue-data.ts'
import { type ColumnFigures, type PriceColumns, priceColumns, tierMark } from './column-rows.ts'

const keyOf = (provider: string, model: string): string => `${provider} ${model}`

const byModel: ReadonlyMap<string, PriceColumns> = new Map(
  priceColumns.flatMap((columns) => columns.models.map((model) => [keyOf(columns.provider, model), columns] as const)),
)

const texts = (figures: ColumnFigures): DatedPrice['rates'] =>
  Object.fromEntries(
    Object.entries<number | undefined>(figures).flatMap(([kind, value]) =>
      value === undefined ? [] : [[kind, print(decimal(value))]],
    ),
  )

const tiersOf = ({ tiers = [] }: PriceColumns): Record<string, TierPrice> =>
  Object.fromEntries(
    tiers.flatMap(({ names, rates, contexts }) => {
      const tier = {
        rates: texts(rates),
        ...(contexts === undefined
          ? {}
          : { contexts: contexts.map((context) => ({ above: context.above, rates: texts(context.rates) })) }),
      }
      return names.map((name) => [name, tier] as const)
    }),
  )

const withWrites = (rates: DatedPrice['rates'], dollars: number | undefined): DatedPrice['rates'] =>
  dollars === undefined || rates.cache_write_1h !== undefined
    ? rates
    : { ...rates, cache_write_1h: print(decimal(dollars)) }

const extended = (price: DatedPrice, columns: PriceColumns): DatedPrice => {
  if (Number(price.rates.input) !== columns.usual) return price
  const { longWrites } = columns
  const { contexts } = price
  const tiers = tiersOf(columns)
  return {
    ...price,
    rates: withWrites(price.rates, longWrites?.[0]),
    ...(contexts === undefined
      ? {}
      : { contexts: contexts.map(({ above, rates }) => ({ above, rates: withWrites(rates, longWrites?.[above]) })) }),
    ...(Object.keys(tiers).length === 0 ? {} : { in_tiers: { ...tiers, ...price.in_tiers } }),
  }
}

/** A price of our own tables with the columns that its row does not name. */
export const withColumns = (stored: StoredPrice): StoredPrice => {
  const columns = byModel.get(keyOf(stored.provider, stored.model))
  return columns === undefined ? stored : { ...stored, prices: stored.prices.map((price) => extended(price, columns)) }
}

const catalogueKeys: ReadonlyMap<string, string> = new Map([
  ['input', 'input_mtok'],
  ['cache_read', 'cache_read_mtok'],
  ['cache_write', 'cache_write_mtok'],
  ['cache_write_1h', 'cache_write_1h_mtok'],
  ['audio_input', 'input_audio_mtok'],
  ['audio_cache_read', 'cache_audio_read_mtok'],
  ['image_input', 'input_image_mtok'],
  ['image_cache_read', 'cache_image_read_mtok'],
  ['output', 'output_mtok'],
  ['audio_output', 'output_audio_mtok'],
  ['image_output', 'output_image_mtok'],
])

const base = (amount: CataloguePrice[string]): number | undefined => (typeof amount === 'object' ? amount.base : amount)

const amountOf = (lengths: ReadonlyMap<number, number>): NonNullable<CataloguePrice[string]> | undefined => {
  const first = lengths.get(0)
  const others = [...lengths].filter(([above]) => above !== 0)
  if (first === undefined) return undefined
  return others.length === 0
    ? first
    : { base: first, tiers: others.map(([start, price]) => ({ start, price })).sort((a, b) => a.start - b.start) }
}

const writesOf = ({ longWrites = {} }: PriceColumns): CataloguePrice => {
  const amount = amountOf(new Map(Object.entries(longWrites).map(([above, price]) => [Number(above), price])))
  return amount === undefined ? {} : { cache_write_1h_mtok: amount }
}

const tierKeysOf = ({ tiers = [] }: PriceColumns): CataloguePrice => {
  const keys = new Map<string, NonNullable<CataloguePrice[string]>>()
  for (const { names, rates, contexts = [] } of tiers)
    for (const [kind, key] of catalogueKeys) {
      const lengths = new Map<number, number>()
      for (const { above, rates: of } of [{ above: 0, rates }, ...contexts]) {
        const value = ownMember(of, kind)
        if (value !== undefined) lengths.set(above, value)
      }
      const amount = amountOf(lengths)
      if (amount !== undefined) for (const name of names) keys.set(`${name}${tierMark}${key}`, amount)
    }
  return Object.fromEntries(keys)
}

const extendedPrices = (prices: CataloguePrice, columns: PriceColumns): CataloguePrice =>
  base(prices.input_mtok) === columns.usual ? { ...writesOf(columns), ...prices, ...tierKeysOf(columns) } : prices

const extendedModel = (provider: string, model: CatalogueModelData): CatalogueModelData => {
  const columns = byModel.get(keyOf(provider, model.id))
  if (columns === undefined) return model
  const { prices } = model
  return {
    ...model,
    prices: Array.isArray(prices)
      ? prices.map((entry) => ({ ...entry, prices: extendedPrices(entry.prices, columns) }))
      : extendedPrices(prices, columns),
  }
}

/** The catalogue with the columns that it does not have. */
export const catalogueWithColumns = (providers: readonly CatalogueProviderData[]): CatalogueProviderData[] =>
  providers.map((provider) => ({
    ...provider,
    models: provider.models.map((model) => extendedModel(provider.id, model)),
  }))
