import { defineMessages } from '../../../lib/i18n.ts'
import { notifyDone, notifyFailure, notifyInfo } from '../../../lib/notify.tsx'
import type { Column } from '../columns/column.ts'
import { type ExportFormat, printRows, saveFile } from './export-rows.ts'
import type { ReadRows } from './read-all.ts'

const useExportMessages = defineMessages('export-rows', {
  zh: {
    total: '合计',
    exported: '已导出 {{count}} 条',
    capped: '已导出前 {{count}} 条，请缩小范围以导出其余部分',
  },
  en: {
    total: 'Total',
    exported_one: 'One row exported',
    exported_other: '{{count}} rows exported',
    capped: 'The first {{count}} rows were exported; narrow the filters for the rest',
  },
})

/** Reads rows, saves them as a file, and reports their number or the failure. */
export const writeRows = async <Row>(
  read: ReadRows<Row>,
  how: { name: string; columns: readonly Column<Row>[]; format: ExportFormat; quotaPerUnit: number },
): Promise<void> => {
  const { say } = useExportMessages
  try {
    const { rows, capped } = await read()
    saveFile(
      how.name,
      printRows(rows, how.columns, how.format, { quotaPerUnit: how.quotaPerUnit, total: say('total') }),
      how.format,
    )
    if (capped) notifyInfo(say('capped', { count: rows.length }))
    else notifyDone(say('exported', { count: rows.length }))
  } catch (error) {
    notifyFailure(error)
  }
}
