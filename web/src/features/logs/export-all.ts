import type { Column } from '../../components/data-table/column.ts'
import { type ExportFormat, printRows, saveFile } from '../../components/data-table/export-rows.ts'
import type { Log, Page } from '../../lib/contract.ts'

const pageSize = 100
/** More rows than this are for the database, not for a browser. */
export const mostRows = 10_000

/** Reads a list page by page. `capped` tells that there was more than `mostRows`. */
export const readAll = async (
  readPage: (page: number, pageSize: number) => Promise<Page<Log>>,
): Promise<{ rows: Log[]; capped: boolean }> => {
  const rows: Log[] = []
  for (let page = 1; rows.length < mostRows; page += 1) {
    const { items } = await readPage(page, pageSize)
    rows.push(...items)
    if (items.length < pageSize) return { rows, capped: false }
  }
  return { rows, capped: true }
}

export const saveLogs = (rows: readonly Log[], columns: readonly Column<Log>[], format: ExportFormat): void =>
  saveFile('logs', printRows(rows, columns, format), format)
