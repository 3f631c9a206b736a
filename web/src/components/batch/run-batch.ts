import { batchSize } from '@tollgate/contract/sizes'
import type { BatchResult } from '../../lib/api/contract.ts'
import { errorText } from '../../lib/text/error-text.ts'

/** Which rows one call is about. */
export type Which = { ids: number[] } | { filter: Readonly<Record<string, string>>; before?: number }

export type Failed = BatchResult['failed'][number]

/** The result of a bulk action so far. */
export interface Tally {
  done: number
  failed: readonly Failed[]
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

/** Makes one call after the other until no rows are left, `goesOn` returns false or a call fails. */
export const runBatch = async (
  start: readonly Which[],
  send: (which: Which) => Promise<BatchResult>,
  how: { goesOn: () => boolean; onProgress: (tally: Tally) => void },
): Promise<Tally> => {
  let tally: Tally = { done: 0, failed: [], left: start }
  while (how.goesOn()) {
    const [which, ...rest] = tally.left
    if (!which) break
    try {
      const { done, failed, next } = await send(which)
      const more = 'filter' in which && next !== null ? [{ ...which, before: next }] : []
      tally = { done: tally.done + done, failed: [...tally.failed, ...failed], left: [...more, ...rest] }
      how.onProgress(tally)
    } catch (error) {
      return { ...tally, problem: errorText(error) }
    }
  }
  return tally
}
