import type { BatchResult } from '../../lib/api/contract.ts'
import { errorText } from '../../lib/text/error-text.ts'
import { refusalText } from '../../lib/text/refusal-text.ts'
import type { BatchRows, BatchTally } from './tally.ts'

/** Makes one call of `start.left` after the other until no rows are left, `goesOn` returns false or a call fails. */
export const runBatch = async (
  start: BatchTally,
  send: (which: BatchRows) => Promise<BatchResult>,
  how: { goesOn: () => boolean; onProgress: (tally: BatchTally) => void },
): Promise<BatchTally> => {
  let tally = start
  while (how.goesOn()) {
    const [which, ...rest] = tally.left
    if (!which) break
    try {
      const { done, failed, before, next } = await send(which)
      const more = 'filter' in which && next !== null ? [{ ...which, before: next }] : []
      tally = {
        done: tally.done + done,
        failed: [...tally.failed, ...failed.map((row) => ({ ...row, reason: refusalText(row.reason, row) }))],
        before: [...tally.before, ...before],
        left: [...more, ...rest],
      }
      how.onProgress(tally)
    } catch (error) {
      return { ...tally, problem: errorText(error) }
    }
  }
  return tally
}
