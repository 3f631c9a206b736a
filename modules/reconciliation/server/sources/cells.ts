import { decimal } from '#server/billing/decimal.ts'
import type { Decimal } from '#server/billing/price.ts'
import { AppError } from '#server/lib/app-error.ts'
import { dayOf } from '../report.ts'

/** A cell of a report, for errors that name it. */
export interface Cell {
  readonly text: string
  readonly line: number
  readonly column: string
}

const unreadable = ({ line, column }: Cell): AppError => new AppError('report_line', { params: { line, column } })

const usDate = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/
const compactDate = /^(\d{4})(\d{2})(\d{2})$/
const isoDate = /^\d{4}-\d{2}-\d{2}$/
/** A moment without a zone is one of UTC. */
const isoMoment = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/
const unixTime = /^\d{9,13}$/

const utc = (year: string, month: string, day: string): number => {
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day))
  return new Date(at).getUTCDate() === Number(day) ? at / 1000 : Number.NaN
}

const momentOf = (text: string): number => {
  if (unixTime.test(text)) return text.length > 10 ? Number(text) / 1000 : Number(text)
  const [, month = '', day = '', year] = usDate.exec(text) ?? []
  if (year !== undefined) return utc(year, month, day)
  const [, compactYear, compactMonth = '', compactDay = ''] = compactDate.exec(text) ?? []
  if (compactYear !== undefined) return utc(compactYear, compactMonth, compactDay)
  if (isoDate.test(text)) return Date.parse(`${text}T00:00:00Z`) / 1000
  const [, date, time, zone = 'Z'] = isoMoment.exec(text) ?? []
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone === 'UTC' ? 'Z' : zone}`) / 1000
}

/** The day (UTC) of a date (`2026-11-05`, `11/05/2026`, `20261105`), a moment or a unix time. Throws `report_line`. */
export const dayCell = (cell: Cell): number => {
  const at = momentOf(cell.text)
  if (!Number.isFinite(at) || at < 0) throw unreadable(cell)
  return dayOf(Math.floor(at))
}

const plainNumber = (text: string): string => text.replaceAll(/[$€¥,\s]/g, '')

/** An exact number; thousands separators and signs of currencies are left out, an empty cell is 0. Throws `report_line`. */
export const numberCell = (cell: Cell): Decimal => {
  const text = plainNumber(cell.text)
  if (text === '') return decimal(0)
  try {
    return decimal(text)
  } catch {
    throw unreadable(cell)
  }
}

/** A whole count of 0 or more; `1234.0` is one. Throws `report_line`. */
export const countCell = (cell: Cell): number => {
  const count = Number(plainNumber(cell.text))
  if (!Number.isSafeInteger(count) || count < 0) throw unreadable(cell)
  return count
}
