/** `decimal` is the text of a number with more digits than numbers have. */
export type CsvCell = string | number | boolean | { readonly decimal: string }

/** At the start of a file it tells spreadsheets that the file is UTF-8. */
export const csvMark = '\uFEFF'

// A spreadsheet would run text that begins like a formula.
const harmless = (text: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text)

const csvCell = (cell: CsvCell): string => {
  if (typeof cell === 'object') return cell.decimal
  if (typeof cell !== 'string') return String(cell)
  const text = harmless(cell)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of a CSV file with its end; numbers stay numbers, and text never becomes a formula. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\r\n`
