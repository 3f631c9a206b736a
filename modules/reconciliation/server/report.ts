import { mostReportLines } from '@tollgate/contract'
import { decimal, divide, multiply } from '#server/billing/decimal.ts'
import type { Decimal } from '#server/billing/price.ts'
import { AppError } from '#server/lib/app-error.ts'

export const daySeconds = 86_400
export const hourSeconds = 3_600

/** Start of the day (UTC) of a moment, both in unix seconds. */
export const dayOf = (at: number): number => at - (at % daySeconds)

/** First and last day, as the unix seconds at which they start (UTC); both included. */
export interface Period {
  readonly from: number
  readonly until: number
}

/** Tokens in parts that never overlap; null where a report does not say. */
export interface Figures {
  readonly calls: number | null
  /** Prompt tokens that no cache was read or written for; all of them where a report does not split the prompt. */
  readonly input: number | null
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  readonly output: number | null
  readonly cost: Decimal | null
}

/** A line of a report, whatever source it comes from. */
export interface ReportLine extends Figures {
  /** Start of the day (UTC) in unix seconds. */
  readonly day: number
  /** As the report names it; empty for charges of no model. */
  readonly model: string
  /** The provider's id of the request; empty where the line is a sum. */
  readonly requestId: string
}

export const noFigures: Figures = {
  calls: null,
  input: null,
  cacheRead: null,
  cacheWrite: null,
  output: null,
  cost: null,
}

/** A line of which a source says no more than these. */
export const reportLine = (line: Partial<ReportLine> & Pick<ReportLine, 'day' | 'model'>): ReportLine => ({
  requestId: '',
  ...noFigures,
  ...line,
})

/** Decimal places of amounts that are computed. */
export const moneyPlaces = 12

/** Reads an amount of money; numbers are rounded to 12 places, where sums of floating-point numbers end. */
export const money = (value: number | string): Decimal => {
  if (typeof value === 'string') return decimal(value.trim())
  const text = value.toFixed(moneyPlaces)
  return decimal(text.includes('e') ? String(value) : text.replace(/0+$/, '').replace(/\.$/, ''))
}

/** Dollars of quota units. */
export const dollarsOf = (quota: number, quotaPerUnit: number): Decimal =>
  divide(decimal(quota), decimal(quotaPerUnit), moneyPlaces)

/** Dollars of an amount in cents. */
export const fromCents = (cents: Decimal): Decimal => multiply(cents, { digits: 1n, scale: 2 })

/** Collects the lines of a report. Throws `report_too_long` beyond what one report may have. */
export const openLines = () => {
  const lines: ReportLine[] = []
  const add = (line: ReportLine): void => {
    if (lines.length >= mostReportLines) throw new AppError('report_too_long', { params: { lines: mostReportLines } })
    lines.push(line)
  }
  return { add, lines }
}
