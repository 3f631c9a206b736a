import type { BatchResult } from '../../lib/api/contract.ts'
import { runBatch } from './run-batch.ts'
import { type BatchRows, type BatchTally, callsFor, notBegun } from './tally.ts'

/** A changed row with what the changed field held before. */
export type BeforeRow = BatchResult['before'][number]

/** Result text and undo of a bulk action. Loaded when the first action has ended. */
export interface BatchTexts<Act> {
  /** `name` is that of the only row, where it is known. */
  doneText: (act: Act, rows: { count: number; name: string | undefined }) => string
  /** The action that gives a row its earlier value; undefined where it had that value already, or cannot get it back. */
  undoOf: (act: Act, value: BeforeRow['value']) => Act | undefined
}

/** Gives rows their earlier values, which may differ; those with the same value in one call. */
export const putBack = async <Act>(
  before: readonly BeforeRow[],
  undoOf: (value: BeforeRow['value']) => Act | undefined,
  send: (which: BatchRows, act: Act) => Promise<BatchResult>,
): Promise<BatchTally> => {
  let tally = notBegun([])
  for (const [value, rows] of Map.groupBy(before, (row) => row.value)) {
    const act = undoOf(value)
    if (act === undefined) continue
    const part = await runBatch(notBegun(callsFor(rows.map(({ id }) => id))), (which) => send(which, act), {
      goesOn: () => true,
      onProgress: () => undefined,
    })
    tally = {
      done: tally.done + part.done,
      failed: [...tally.failed, ...part.failed],
      left: [...tally.left, ...part.left],
      before: [],
      ...(part.problem === undefined ? {} : { problem: part.problem }),
    }
  }
  return tally
}

/** Why some rows could not be put back, a line each. */
export const reasonsOf = ({ failed, problem }: BatchTally): string[] => [
  ...failed.map(({ id, name, reason }) => `${name || `#${id}`}: ${reason}`),
  ...(problem === undefined ? [] : [problem]),
]
