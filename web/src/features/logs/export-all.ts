import type { Column } from '../../components/data-table/column.ts'
import { type ExportFormat, printRows, saveFile } from '../../components/data-table/export-rows.ts'
import type { Log } from '../../lib/contract.ts'

export const saveLogs = (rows: readonly Log[], columns: readonly Column<Log>[], format: ExportFormat): void =>
  saveFile('logs', printRows(rows, columns, format), format)
