import type { DatedPrice, StoredPrice, TierPrice } from '@tollgate/contract'
import { decimal, multiply, print } from '../decimal.ts'
import type { Decimal, Kind } from '../price.ts'
import type { PriceSource } from './list-book.ts'
import { type ListedModel, listedModel } from './stored-price.ts'

interface RowTier {
  readonly rates: { readonly [K in Kind]?: number }
  readonly contexts?: readonly { readonly above: number; readonly rates: { readonly [K in Kind]?: number } }[]
}

/** Prices of models that the catalogue lacks, read from a provider's page. */
export interface PriceRow {
  /** Ids in lower case; `name*` stands for all that begin with it. */
  readonly models: readonly string[]
  readonly provider: string
  /** The page that states the price, and the month of that statement: `https://… (2026-11)`. */
  readonly source: string
  /** Dollars per million pieces of a kind. */
  readonly rates: { readonly [K in Kind]?: number }
  /** Other prices for prompts of more than `above` tokens. */
  readonly contexts?: readonly { readonly above: number; readonly rates: { readonly [K in Kind]?: number } }[]
  /** Dollars per picture by `size quality`, `size` or `quality`; `rates.picture` is dollars per million. */
  readonly pictures?: Readonly<Record<string, number>>
  /** Dollars per million milliseconds of a generated video, by its size, resolution or quality. */
  readonly videos?: Readonly<Record<string, number>>
  readonly tools?: Readonly<Record<string, number>>
  /** Factors of service tiers. */
  readonly tiers?: Readonly<Record<string, number>>
  /** Prices of tiers that no factor makes; what one does not name costs its factor of the usual price. */
  readonly inTiers?: Readonly<Record<string, RowTier>>
  /** Prices that the provider has announced: from the beginning of that day (UTC) every rate is `factor` times as high. */
  readonly announced?: { readonly from: string; readonly factor: number }
  /** Hours of the day, in UTC and from Monday to Friday but for some days, in which every rate is `factor` times as high. */
  readonly peak?: {
    readonly hours: readonly (readonly [number, number])[]
    readonly except: readonly string[]
    readonly factor: number
  }
}

const texts = <K extends string>(figures: { readonly [N in K]?: number | undefined }): { [N in K]?: string } =>
  Object.fromEntries(
    Object.entries<number | undefined>(figures).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, print(decimal(value))]],
    ),
  ) as { [N in K]?: string }

const perMillion = ({ digits, scale }: Decimal): Decimal => ({ digits: digits * 1_000_000n, scale })

type Texts = DatedPrice['rates']

const times = (rates: Texts, factor: number): Texts =>
  Object.fromEntries(
    Object.entries(rates).map(([kind, rate]) => [kind, print(multiply(decimal(rate), decimal(factor)))]),
  )

const tierOf = ({ rates, contexts }: RowTier): TierPrice => ({
  rates: texts(rates),
  ...(contexts === undefined
    ? {}
    : { contexts: contexts.map((tier) => ({ above: tier.above, rates: texts(tier.rates) })) }),
})

const usualPrice = (row: PriceRow): DatedPrice => ({
  rates: texts(row.rates),
  ...(row.contexts === undefined
    ? {}
    : { contexts: row.contexts.map(({ above, rates }) => ({ above, rates: texts(rates) })) }),
  ...(row.pictures === undefined
    ? {}
    : {
        pictures: Object.fromEntries(
          Object.entries(row.pictures).map(([name, value]) => [name, print(perMillion(decimal(value)))]),
        ),
      }),
  ...(row.videos === undefined
    ? {}
    : {
        videos: Object.fromEntries(Object.entries(row.videos).map(([name, value]) => [name, print(decimal(value))])),
      }),
  ...(row.tools === undefined ? {} : { tools: row.tools }),
  ...(row.tiers === undefined ? {} : { tiers: row.tiers }),
  ...(row.inTiers === undefined
    ? {}
    : { in_tiers: Object.fromEntries(Object.entries(row.inTiers).map(([name, tier]) => [name, tierOf(tier)])) }),
})

const raised = (usual: DatedPrice, factor: number): DatedPrice => ({
  ...usual,
  rates: times(usual.rates, factor),
  ...(usual.videos === undefined ? {} : { videos: times(usual.videos, factor) }),
  ...(usual.contexts === undefined
    ? {}
    : { contexts: usual.contexts.map(({ above, rates }) => ({ above, rates: times(rates, factor) })) }),
})

const timeOf = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00:00Z`

const peakPrices = (usual: DatedPrice, { hours, except, factor }: NonNullable<PriceRow['peak']>): DatedPrice[] =>
  hours.map(([from, until]) => ({
    ...raised(usual, factor),
    hours: { start: timeOf(from), end: timeOf(until), weekdays: true as const, except: [...except] },
  }))

const storedOf = (row: PriceRow, model: string): StoredPrice => {
  const usual = usualPrice(row)
  return {
    provider: row.provider,
    model,
    source: row.source,
    prices: [
      usual,
      ...(row.announced === undefined ? [] : [{ ...raised(usual, row.announced.factor), from: row.announced.from }]),
      ...(row.peak === undefined ? [] : peakPrices(usual, row.peak)),
    ],
  }
}

/** Prices of rows; a model `name*` stands for all names that begin with it. */
export const rowPrices = (rows: readonly PriceRow[]): StoredPrice[] =>
  rows.flatMap((row) => row.models.map((model) => storedOf(row, model)))

/** Rows as a source: exact ids first, then the longest prefix. `version` names the table in receipts. */
export const tableSource = (rows: readonly PriceRow[], version: string): PriceSource =>
  storedSource(rowPrices(rows), version)

/** Stored prices as a source, by their ids; a model `name*` stands for all names that begin with it. */
export const storedSource = (prices: readonly StoredPrice[], version: string): PriceSource => {
  const exact = new Map<string, ListedModel>()
  const prefixes: { readonly prefix: string; readonly model: ListedModel }[] = []
  const models = prices.map((stored) => listedModel(stored, version))
  for (const model of models) {
    const id = model.id.toLowerCase()
    if (id.endsWith('*')) prefixes.push({ prefix: id.slice(0, -1), model })
    else if (!exact.has(id)) exact.set(id, model)
  }
  prefixes.sort((a, b) => b.prefix.length - a.prefix.length)
  return {
    lookUp({ id, provider }) {
      const found = exact.get(id) ?? prefixes.find(({ prefix }) => id.startsWith(prefix))?.model
      return found === undefined || (provider !== undefined && provider !== found.provider) ? undefined : found
    },
    models: () => models,
  }
}
