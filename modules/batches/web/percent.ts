import type { ListedBatch } from '#web/lib/api/contract.ts'

type Counted = Pick<ListedBatch, 'total' | 'succeeded' | 'failed' | 'skipped'>

/** Requests that have ended, with or without success. */
export const doneOf = ({ succeeded, failed, skipped }: Counted): number => succeeded + failed + skipped

/** Percentage of the requests that have ended, such as `45%`; empty until they are counted. */
export const percentOf = (batch: Counted): string =>
  batch.total === 0 ? '' : `${Math.floor((doneOf(batch) / batch.total) * 100)}%`
