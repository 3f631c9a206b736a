import { type BatchResult, batchSize, type Language } from '@tollgate/contract'
import { AppError } from './app-error.ts'

/** Selects the rows of a batch: by id, or by the filters of the list. */
type Which<Filter> =
  | { readonly ids: readonly number[] }
  | { readonly filter: Filter; readonly before?: number | undefined }

/** The rows of one call, newest first. `goesOn` is true when more may follow. */
export interface Batch<Row> {
  readonly rows: readonly Row[]
  readonly goesOn: boolean
}

/** Offset and limit of the query for a batch. */
export const batchSlice = { offset: 0, limit: batchSize }

/** Makes a batch of the rows that were read for it. */
export const batchOf = <Row>(which: Which<unknown>, rows: readonly Row[]): Batch<Row> => ({
  rows,
  goesOn: !('ids' in which) && rows.length === batchSize,
})

/** Applies `act` to each row. A row that fails with AppError is reported with its reason; any other error is thrown. */
export const runBatch = async <Row extends { readonly id: number }>(
  { rows, goesOn }: Batch<Row>,
  options: {
    readonly name: (row: Row) => string
    readonly act: (row: Row) => Promise<unknown>
    /** Value of the field that `act` changes; null for a delete. */
    readonly value: (row: Row) => BatchResult['before'][number]['value']
    readonly language: Language
  },
): Promise<BatchResult> => {
  const failed: BatchResult['failed'] = []
  const before: BatchResult['before'] = []
  for (const row of rows) {
    try {
      await options.act(row)
      before.push({ id: row.id, value: options.value(row) })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const reason = error.textIn(options.language)
      failed.push({ id: row.id, name: options.name(row), reason, ...error.asFields })
    }
  }
  return { done: before.length, failed, before, next: goesOn ? (rows.at(-1)?.id ?? null) : null }
}
