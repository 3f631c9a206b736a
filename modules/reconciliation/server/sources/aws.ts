import { decimal, divide } from '#server/billing/decimal.ts'
import { AppError } from '#server/lib/app-error.ts'
import { moneyPlaces, openLines, reportLine } from '../report.ts'
import { dayCell, numberCell } from './cells.ts'
import { type CsvRecord, readCsv } from './csv.ts'
import type { ReportFile } from './source.ts'
import { type CloudTokenKind, meteredTokens, tokensOf } from './token-kinds.ts'

/** Columns of CUR 2.0 and of the older Cost and Usage Report, whose names differ in `_`, `/` and case only. */
const columns = {
  day: ['line_item_usage_start_date'],
  usageType: ['line_item_usage_type'],
  amount: ['line_item_usage_amount'],
  cost: ['line_item_unblended_cost'],
  kind: ['line_item_line_item_type'],
  code: ['line_item_product_code'],
  product: ['product_product_name', 'product_servicename', 'line_item_line_item_description'],
  unit: ['pricing_unit'],
  currency: ['line_item_currency_code'],
} as const

/** Bedrock's meters (docs.aws.amazon.com/bedrock, Understanding your Cost and Usage Report data). */
const meter =
  /^(?:[A-Z]{2,4}\d?-)?(.+?)-(?:mantle-)?(cache-read|cache-write|input|output)(?:-input)?-tokens?(?:-count)?(?:-.*)?$/i
/** Models of other vendors that are sold over the marketplace: the meter has the kind, the product the name. */
const marketplaceMeter = /(cacheread|cachewrite|input|output)(?:input)?tokencount/i
const edition = /\s*\(.*\)$/

const kinds = new Map<string, CloudTokenKind>([
  ['cacheread', 'cacheRead'],
  ['cachewrite', 'cacheWrite'],
  ['input', 'input'],
  ['output', 'output'],
])

/** `USE1-Claude4.6Sonnet-cache-read-input-token-count` → tokens from the cache of `Claude4.6Sonnet`. */
export const readUsageType = (
  usageType: string,
  product: string,
): { kind: CloudTokenKind; model: string } | undefined => {
  const [, model = '', own] = meter.exec(usageType) ?? []
  const named = own ?? marketplaceMeter.exec(usageType)?.[1]
  const kind = kinds.get((named ?? '').toLowerCase().replace('-', ''))
  if (kind === undefined) return undefined
  return { kind, model: own === undefined ? product.replace(edition, '') : model }
}

const isBedrock = (record: CsvRecord): boolean =>
  /bedrock/i.test(`${record.text(...columns.code)} ${record.text(...columns.product)}`)

/** Refunds, credits and taxes are no use of a model. */
const isUse = (record: CsvRecord): boolean => /^$|usage/i.test(record.text(...columns.kind))

/** A Cost and Usage Report of AWS; lines of other services than Bedrock are left out. */
export const awsCsv: ReportFile = async (text, settings) => {
  const perDollar = decimal(settings.per_dollar)
  const { add, lines } = openLines()
  const onHeader = (has: (name: string) => boolean): void => {
    const needed = [columns.day, columns.usageType, columns.amount, columns.cost]
    const missing = needed.filter((names) => !names.some(has)).map((names) => names[0])
    if (missing.length > 0) throw new AppError('report_columns', { params: { columns: missing.join(', ') } })
  }
  await readCsv(text, onHeader, (record) => {
    if (!isBedrock(record) || !isUse(record)) return
    const { line } = record
    const currency = record.text(...columns.currency) || 'USD'
    const isForeign = currency !== 'USD'
    if (isForeign && settings.per_dollar === '1') throw new AppError('report_currency', { params: { currency } })
    const paid = numberCell({ text: record.text(...columns.cost), line, column: columns.cost[0] })
    const use = readUsageType(record.text(...columns.usageType), record.text(...columns.product))
    const amount = numberCell({ text: record.text(...columns.amount), line, column: columns.amount[0] })
    // Bedrock meters thousands of tokens where the file does not name the unit.
    const unit = record.text(...columns.unit) || '1K'
    add(
      reportLine({
        day: dayCell({ text: record.text(...columns.day), line, column: columns.day[0] }),
        model: use?.model ?? '',
        cost: isForeign ? divide(paid, perDollar, moneyPlaces) : paid,
        ...(use === undefined ? {} : tokensOf(use.kind, meteredTokens(amount, unit))),
      }),
    )
  })
  return lines
}
