import type { Column } from '../columns/column.ts'

export type ExportFormat = 'csv' | 'json'

// A spreadsheet would run text that begins like a formula.
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const csvCell = (value: string | number | boolean | null): string => {
  if (value === null) return ''
  const text = typeof value === 'string' ? harmless(value) : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV with a header line, or as JSON keyed by column id; only columns with a plain value are written. */
export const printRows = <Row>(rows: readonly Row[], columns: readonly Column<Row>[], format: ExportFormat): string => {
  const written = columns.flatMap(({ id, header, value }) => (value ? [{ id, header, value }] : []))
  if (format === 'json')
    return JSON.stringify(
      rows.map((row) => Object.fromEntries(written.map(({ id, value }) => [id, value(row)]))),
      null,
      2,
    )
  const lines = rows.map((row) => written.map(({ value }) => csvCell(value(row))).join(','))
  return [written.map(({ header }) => csvCell(header)).join(','), ...lines].join('\r\n')
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
