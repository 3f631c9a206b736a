import { type BatchResult, batchSize, type Language } from '@tollgate/contract'
import { AppError } from './app-error.ts'

/** Which rows a batch is about, as endpoints say it; `Filter` are the filters of the list. */
export type Which<Filter> =
  | { readonly ids: readonly number[] }
  | { readonly filter: Filter; readonly before?: number | undefined }

/** The rows of one call, newest first, and whether more may follow. */
export interface Batch<Row> {
  readonly rows: readonly Row[]
  readonly goesOn: boolean
}

/** What is read for a batch: all that were named, or as many as one call takes. */
export const batchSlice = { offset: 0, limit: batchSize }

/** A batch out of what was read for it. */
export const batchOf = <Row>(which: Which<unknown>, rows: readonly Row[]): Batch<Row> => ({
  rows,
  goesOn: !('ids' in which) && rows.length === batchSize,
})

/** Does the same to each row. One that is refused is told with its reason and does not stop the others. */
export const runBatch = async <Row extends { readonly id: number }>(
  { rows, goesOn }: Batch<Row>,
  how: {
    readonly name: (row: Row) => string
    readonly act: (row: Row) => Promise<unknown>
    readonly language: Language
  },
): Promise<BatchResult> => {
  const failed: BatchResult['failed'] = []
  for (const row of rows) {
    try {
      await how.act(row)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failed.push({ id: row.id, name: how.name(row), reason: error.textIn(how.language) })
    }
  }
  return { done: rows.length - failed.length, failed, next: goesOn ? (rows.at(-1)?.id ?? null) : null }
}
