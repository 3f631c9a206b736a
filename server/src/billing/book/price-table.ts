import { decimal } from '../decimal.ts'
import type { Decimal, Kind } from '../price.ts'
import type { PriceSource } from './list-book.ts'
import type { ListPrice } from './list-price.ts'

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
  readonly tools?: Readonly<Record<string, number>>
  /** Factors of service tiers. */
  readonly tiers?: Readonly<Record<string, number>>
  /** Hours of the day, in UTC and from Monday to Friday, in which every rate is `factor` times as high. */
  readonly peak?: { readonly hours: readonly (readonly [number, number])[]; readonly factor: number }
}

/** Yuan for a dollar, for prices that are stated in yuan only. */
const yuanPerDollar = 7.2

/** Yuan as dollars, to the tenth digit. */
export const yuan = (amount: number): number => Number((amount / yuanPerDollar).toPrecision(10))

const decimals = <K extends string>(figures: { readonly [N in K]?: number }): { readonly [N in K]?: Decimal } =>
  Object.fromEntries(
    Object.entries<number | undefined>(figures).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, decimal(value)]],
    ),
  ) as {
    readonly [N in K]?: Decimal
  }

const perMillion = ({ digits, scale }: Decimal): Decimal => ({ digits: digits * 1_000_000n, scale })

const priceOf = (row: PriceRow, model: string, version: string): ListPrice => ({
  model,
  provider: row.provider,
  version,
  source: row.source,
  rates: decimals(row.rates),
  ...(row.contexts === undefined
    ? {}
    : { contexts: row.contexts.map(({ above, rates }) => ({ above, rates: decimals(rates) })) }),
  ...(row.pictures === undefined
    ? {}
    : {
        pictures: Object.fromEntries(
          Object.entries(row.pictures).map(([name, value]) => [name, perMillion(decimal(value))]),
        ),
      }),
  ...(row.tools === undefined ? {} : { tools: row.tools }),
  ...(row.tiers === undefined ? {} : { tiers: row.tiers }),
  until: Number.POSITIVE_INFINITY,
})

const hourMs = 3_600_000

const isPeak = (hours: readonly (readonly [number, number])[], at: Date): boolean =>
  at.getUTCDay() % 6 !== 0 && hours.some(([from, to]) => at.getUTCHours() >= from && at.getUTCHours() < to)

/** The prices of a row: that of its usual hours, and that of its peak. */
const pricesOf = (row: PriceRow, model: string, version: string): ((moment: number) => ListPrice) => {
  const usual = priceOf(row, model, version)
  const { peak } = row
  if (peak === undefined) return () => usual
  const dearer = Object.entries(row.rates).map(([kind, rate]) => [kind, rate * peak.factor])
  const high = priceOf({ ...row, rates: Object.fromEntries(dearer) }, model, version)
  return (moment) => {
    const until = moment - (moment % hourMs) + hourMs
    return { ...(isPeak(peak.hours, new Date(moment)) ? high : usual), until }
  }
}

interface Entry {
  readonly provider: string
  readonly at: (moment: number) => ListPrice
}

/** Rows as a source: exact ids first, then the longest prefix. `version` names the table in receipts. */
export const tableSource = (rows: readonly PriceRow[], version: string): PriceSource => {
  const exact = new Map<string, Entry>()
  const prefixes: (Entry & { readonly prefix: string })[] = []
  for (const row of rows) {
    for (const model of row.models) {
      const entry = { provider: row.provider, at: pricesOf(row, model, version) }
      if (model.endsWith('*')) prefixes.push({ ...entry, prefix: model.slice(0, -1) })
      else if (!exact.has(model)) exact.set(model, entry)
    }
  }
  prefixes.sort((a, b) => b.prefix.length - a.prefix.length)
  return {
    lookUp({ id, provider }) {
      const found = exact.get(id) ?? prefixes.find(({ prefix }) => id.startsWith(prefix))
      if (found === undefined || (provider !== undefined && provider !== found.provider)) return undefined
      return found
    },
  }
}
