import { batchSize } from '@tollgate/contract/sizes'
import type { BatchResult } from '../../lib/api/contract.ts'

/** Which rows one call is about. */
export type BatchRows = { ids: number[] } | { filter: Readonly<Record<string, string>>; before?: number }

export type Failed = BatchResult['failed'][number]

/** The result of a bulk action so far. */
export interface BatchTally {
  done: number
  failed: readonly Failed[]
  /** The changed rows with their earlier values. */
  before: BatchResult['before']
  /** Calls that were not made, because one failed or the user stopped. */
  left: readonly BatchRows[]
  /** Why it broke off. */
  problem?: string
}

/** The calls that an action on these ids takes. */
export const callsFor = (ids: readonly number[]): BatchRows[] =>
  Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) => ({
    ids: ids.slice(index * batchSize, (index + 1) * batchSize),
  }))

/** A bulk action of which no call has been made. */
export const notBegun = (calls: readonly BatchRows[]): BatchTally => ({ done: 0, failed: [], before: [], left: calls })
