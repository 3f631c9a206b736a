import type { Column } from '../columns/column.ts'
import type { ExportFormat } from './export-rows.ts'
import type { ReadRows } from './read-all.ts'

/** The ways in which the rows of a table become a file. */
export interface TableExports<Row> {
  page: (format: ExportFormat) => void
  /** Everything that fits the filters. */
  all?: (format: ExportFormat) => void
  picked: (rows: readonly Row[], format: ExportFormat) => void
}

interface Parts<Row> {
  name: string
  rows: readonly Row[]
  /** The columns that are written: those that are shown. */
  columns: readonly Column<Row>[]
  readRows?: ReadRows<Row> | undefined
  /** Quota units of a dollar. */
  quotaPerUnit: number
  onExportAll?: ((format: ExportFormat, columns: readonly string[]) => void) | undefined
}

/** Exports the shown rows, the selected rows and, where the list can be read in full, all that match. */
export const tableExports = <Row>(parts: Parts<Row>): TableExports<Row> => {
  const { name, columns, readRows } = parts
  const write = async (read: ReadRows<Row>, format: ExportFormat): Promise<void> =>
    (await import('./write-rows.ts')).writeRows(read, { name, columns, format, quotaPerUnit: parts.quotaPerUnit })
  const these = (rows: readonly Row[], format: ExportFormat): void =>
    void write(async () => ({ rows, capped: false }), format)
  const { onExportAll } = parts
  const all = onExportAll
    ? (format: ExportFormat) =>
        onExportAll(
          format,
          columns.map(({ id }) => id),
        )
    : readRows && ((format: ExportFormat) => void write(readRows, format))
  return {
    page: (format) => these(parts.rows, format),
    picked: these,
    ...(all ? { all } : {}),
  }
}
