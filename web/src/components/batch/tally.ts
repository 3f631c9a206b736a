import { batchSize } from '@tollgate/contract/sizes'
import type { BatchResult } from '../../lib/api/contract.ts'

/** Which rows one call is about. */
export type Which = { ids: number[] } | { filter: Readonly<Record<string, string>>; before?: number }

export type Failed = BatchResult['failed'][number]

/** The result of a bulk action so far. */
export interface Tally {
  done: number
  failed: readonly Failed[]
  /** The changed rows with their earlier values. */
  before: BatchResult['before']
  /** Calls that were not made, because one failed or the user stopped. */
  left: readonly Which[]
  /** Why it broke off. */
  problem?: string
}

/** The calls that an action on these ids takes. */
export const callsFor = (ids: readonly number[]): Which[] =>
  Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) => ({
    ids: ids.slice(index * batchSize, (index + 1) * batchSize),
  }))

/** A bulk action of which no call has been made. */
export const notBegun = (calls: readonly Which[]): Tally => ({ done: 0, failed: [], before: [], left: calls })
