import { decimal, divide } from '#server/billing/decimal.ts'
import { AppError } from '#server/lib/app-error.ts'
import { moneyPlaces, openLines, reportLine } from '../report.ts'
import { dayCell, numberCell } from './cells.ts'
import { type CsvRecord, readCsv } from './csv.ts'
import type { ReportFile } from './source.ts'
import { type CloudTokenKind, meteredTokens, tokensOf } from './token-kinds.ts'

/** Columns of cost and usage exports (learn.microsoft.com, dataset schema); agreements write them in different cases. */
const columns = {
  day: ['Date', 'UsageDate', 'UsageDateTime'],
  meter: ['MeterName', 'Meter'],
  product: ['MeterSubCategory', 'MeterSubcategory', 'ProductName', 'Product'],
  category: ['MeterCategory', 'ServiceName', 'ConsumedService'],
  quantity: ['Quantity', 'UsageQuantity', 'ConsumedQuantity'],
  unit: ['UnitOfMeasure'],
  dollars: ['CostInUsd', 'CostUSD'],
  cost: ['CostInBillingCurrency', 'CostInPricingCurrency', 'PreTaxCost', 'Cost'],
  currency: ['BillingCurrency', 'BillingCurrencyCode', 'Currency'],
} as const

const aiCategory = /openai|cognitive|foundry|ai services|azure ai/i

const kinds: readonly (readonly [CloudTokenKind, RegExp])[] = [
  ['cacheWrite', /\b(?:cached?|cchd|cd)\s*(?:wr|write)\b/i],
  ['cacheRead', /\b(?:cached|cchd|cache|cd)\b/i],
  ['output', /\b(?:outp|outpt|output|out|opt)\b/i],
  ['input', /\b(?:inp|inpt|input|in)\b/i],
]

/** Regions, kinds of deployment and payment, and units: none of them is part of a model's name. */
const notModel =
  /\b(?:cached|cchd|cache|cd|wr|write|outp|outpt|output|out|opt|inp|inpt|input|in|tokens?|glbl|global|gl|dzone|dz|dzn|data|zone|regnl|regn|regional|batch|std|pp|prty|priority|1[km])\b/gi

/** `gpt 4.1 cached Inp glbl Tokens` → input tokens from the cache of `gpt 4.1`. Undefined for meters of other things. */
export const readMeter = (meter: string, product: string): { kind: CloudTokenKind; model: string } | undefined => {
  const words = meter.replaceAll('_', ' ').replaceAll(/(?<=[a-z\d])-(?=(?:inp|outp|cached|input|output)\b)/gi, ' ')
  const kind = kinds.find(([, pattern]) => pattern.test(words))?.[0]
  if (kind === undefined) return undefined
  const model = words
    .replaceAll(notModel, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s-]+|[\s-]+$/g, '')
  return { kind, model: model === '' ? product : model }
}

const isAi = (record: CsvRecord): boolean =>
  aiCategory.test(record.text(...columns.category)) || /openai/i.test(record.text(...columns.product))

/** A cost and usage export of Azure; lines of other services are left out. */
export const azureCsv: ReportFile = async (text, settings) => {
  const perDollar = decimal(settings.per_dollar)
  const { add, lines } = openLines()
  const onHeader = (has: (name: string) => boolean): void => {
    const needed = [columns.day, columns.meter, columns.quantity, [...columns.dollars, ...columns.cost]]
    const missing = needed.filter((names) => !names.some(has)).map((names) => names[0])
    if (missing.length > 0) throw new AppError('report_columns', { params: { columns: missing.join(', ') } })
  }
  await readCsv(text, onHeader, (record) => {
    if (!isAi(record)) return
    const { line } = record
    const dollars = record.text(...columns.dollars)
    const currency = record.text(...columns.currency) || 'USD'
    const isForeign = dollars === '' && currency.toUpperCase() !== 'USD'
    if (isForeign && settings.per_dollar === '1') throw new AppError('report_currency', { params: { currency } })
    const paid = numberCell({ text: dollars || record.text(...columns.cost), line, column: 'Cost' })
    const meter = readMeter(record.text(...columns.meter), record.text(...columns.product))
    const quantity = numberCell({ text: record.text(...columns.quantity), line, column: 'Quantity' })
    add(
      reportLine({
        day: dayCell({ text: record.text(...columns.day), line, column: 'Date' }),
        model: meter?.model ?? '',
        cost: isForeign ? divide(paid, perDollar, moneyPlaces) : paid,
        ...(meter === undefined ? {} : tokensOf(meter.kind, meteredTokens(quantity, record.text(...columns.unit)))),
      }),
    )
  })
  return lines
}
