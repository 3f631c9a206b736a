import type { Column } from '../columns/column.ts'

export type ExportFormat = 'csv' | 'json'

// A spreadsheet would run text that begins like a formula.
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const csvCell = (value: string | number | boolean | null): string => {
  if (value === null) return ''
  const text = typeof value === 'string' ? harmless(value) : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

interface Written<Row> {
  id: string
  header: string
  sum: boolean
  value: (row: Row) => string | number | boolean | null
}

const dollars = (value: string | number | boolean | null, quotaPerUnit: number): string | number | null =>
  typeof value === 'number' ? Number((value / quotaPerUnit).toFixed(6)) : null

/** The columns with a plain value; one of quota is followed by the same amount in dollars. */
const writtenOf = <Row>(columns: readonly Column<Row>[], quotaPerUnit: number | undefined): Written<Row>[] =>
  columns.flatMap(({ id, header, value, sum = false, money, unit }) => {
    if (!value) return []
    const plain = { id, header: unit ? `${header} (${unit})` : header, sum, value }
    if (!money || quotaPerUnit === undefined) return [plain]
    const amount = (row: Row) => dollars(value(row), quotaPerUnit)
    return [plain, { id: `${id}_usd`, header: `${header} (USD)`, sum, value: amount }]
  })

const sumOf = <Row>(rows: readonly Row[], { value }: Written<Row>): number => {
  const sum = rows.reduce((all, row) => all + (Number(value(row)) || 0), 0)
  return Number(sum.toFixed(6))
}

/** The last line: sums under their columns; the first cell that is free says what it is. */
const totalLine = <Row>(rows: readonly Row[], written: readonly Written<Row>[], label: string): string => {
  const first = written.findIndex(({ sum }) => !sum)
  return written
    .map((column, place) => csvCell(column.sum ? sumOf(rows, column) : place === first ? label : ''))
    .join(',')
}

/** For files with amounts in dollars and a line of sums. */
export interface ExportText {
  quotaPerUnit: number
  /** The first cell of the line with the sums. */
  total: string
}

/**
 * Rows as CSV with a header line and, where columns have sums, a last line with them; or as JSON keyed by column id. Only
 * columns with a plain value are written.
 */
export const printRows = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  format: ExportFormat,
  text?: ExportText,
): string => {
  const written = writtenOf(columns, text?.quotaPerUnit)
  if (format === 'json')
    return JSON.stringify(
      rows.map((row) => Object.fromEntries(written.map(({ id, value }) => [id, value(row)]))),
      null,
      2,
    )
  const lines = rows.map((row) => written.map(({ value }) => csvCell(value(row))).join(','))
  const sums = text && rows.length > 0 && written.some(({ sum }) => sum) ? [totalLine(rows, written, text.total)] : []
  return [written.map(({ header }) => csvCell(header)).join(','), ...lines, ...sums].join('\r\n')
}

/** Saves text as a file. The byte order mark at the start makes spreadsheets read it as UTF-8. */
export const saveFile = (name: string, text: string, format: ExportFormat): void => {
  const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/json'
  const address = URL.createObjectURL(new Blob([format === 'csv' ? `\uFEFF${text}` : text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${name}.${format}`
  link.click()
  URL.revokeObjectURL(address)
}
