import { z } from 'zod'
import type { PriceRow } from '../price-table.ts'
import { contextsSchema, figureSchema, ratesSchema, sourceSchema } from '../table-schemas.ts'
import holidays from './holidays.json' with { type: 'json' }

const figures = z.record(z.string().min(1), figureSchema)
const hour = z.int().min(0).max(24)

const row = z.strictObject({
  /** Ids in lower case; `name*` stands for all that begin with it. */
  models: z.array(z.string().regex(/^[^A-Z\s]+$/)).min(1),
  provider: z.string().min(1),
  /** Source of the row; that of the table when absent. */
  source: sourceSchema.exactOptional(),
  note: z.string().min(1).exactOptional(),
  /** True where the catalogue knows an older price, another region or another model of a similar name; docs/prices.md lists both. */
  correction: z.literal(true).exactOptional(),
  /** The currency in which the page states the rates; dollars when absent. */
  currency: z.literal('CNY').exactOptional(),
  rates: ratesSchema,
  contexts: contextsSchema.exactOptional(),
  pictures: figures.exactOptional(),
  videos: figures.exactOptional(),
  tools: figures.exactOptional(),
  tiers: figures.exactOptional(),
  inTiers: z
    .record(z.string().min(1), z.strictObject({ rates: ratesSchema, contexts: contextsSchema.exactOptional() }))
    .exactOptional(),
  announced: z.strictObject({ from: z.iso.date(), factor: figureSchema }).exactOptional(),
  peak: z
    .strictObject({
      hours: z.array(z.tuple([hour, hour])).min(1),
      /** The calendar of `holidays.json` whose days have no such hours. */
      holidays: z.enum(['china']),
      factor: figureSchema,
    })
    .exactOptional(),
})

const table = z.strictObject({
  about: z.string().min(1),
  source: sourceSchema.exactOptional(),
  rows: z.array(row).min(1),
})

type StatedRow = z.output<typeof row>
type StatedRates = StatedRow['rates']

/** Yuan for a dollar, for prices that are stated in yuan only. */
const yuanPerDollar = 7.2

/** Yuan as dollars, to the tenth digit. */
const dollarsOf = (yuan: number): number => Number((yuan / yuanPerDollar).toPrecision(10))

const inDollars = (stated: StatedRates, currency: StatedRow['currency']): StatedRates =>
  currency === undefined
    ? stated
    : Object.fromEntries(Object.entries<number>(stated).map(([kind, yuan]) => [kind, dollarsOf(yuan)]))

const priceRow = ({ peak, rates, contexts, ...stated }: StatedRow, sourceOfTable: string | undefined): PriceRow => {
  const { note: _note, correction: _correction, currency, source = sourceOfTable, ...rest } = stated
  if (source === undefined) throw new Error(`The price of ${stated.models.join(', ')} has no source`)
  return {
    ...rest,
    source,
    rates: inDollars(rates, currency),
    ...(contexts === undefined
      ? {}
      : { contexts: contexts.map(({ above, rates }) => ({ above, rates: inDollars(rates, currency) })) }),
    ...(peak === undefined
      ? {}
      : { peak: { hours: peak.hours, except: holidays[peak.holidays].days, factor: peak.factor } }),
  }
}

/** Rows of a table of prices, apart by what they are to the catalogue. */
export interface TableRows {
  /** Models that came after the catalogue was made. */
  readonly added: readonly PriceRow[]
  /** Models whose present price the table knows and the catalogue does not. */
  readonly corrections: readonly PriceRow[]
}

/** Reads tables of prices: JSON files of this folder. Throws on a row that is not one, or that states no source. */
export const readRows = (...tables: readonly unknown[]): TableRows => {
  const rows = tables.flatMap((json) => {
    const { source, rows } = table.parse(json)
    return rows.map((stated) => ({ isCorrection: stated.correction === true, row: priceRow(stated, source) }))
  })
  return {
    added: rows.filter(({ isCorrection }) => !isCorrection).map(({ row }) => row),
    corrections: rows.filter(({ isCorrection }) => isCorrection).map(({ row }) => row),
  }
}
