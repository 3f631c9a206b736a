import type { LinePlace } from '#server/relay/batches/lines/batch-lines.ts'
import type { LineOutcome } from '../forms/batch-form.ts'
import type { AskParts } from './ask-provider.ts'
import { readPrices } from './frozen-prices.ts'
import type { ProviderBatch } from './provider-batch-store.ts'
import { type ResultSource, resultLines } from './result-lines.ts'
import { isLeft, type ProviderRunParts, type RunningBatch, type RunSteps } from './run-steps.ts'
import { openSettling } from './settle-lines.ts'
import { chargeUnread } from './unread-charge.ts'

const fault = (code: string, message: string): LineOutcome => ({
  kind: 'failed',
  fault: { fault: code, message, param: null },
})

export const lostAtProvider = fault('batch_lost', 'The provider does not have this batch any more. It was not charged.')
export const withoutResult = fault('no_result', 'The provider has no result of this request. It was not charged.')

/** The end of a batch at its provider. */
export interface BatchEnding {
  readonly results: readonly ResultSource[]
  /** End of the lines without a result; undefined where the own runner makes them. */
  readonly rest: LineOutcome | undefined
}

/** Settles the results of batches, and ends the lines that have none. Throws ResultsUnread where they could not be read. */
export const openEndings = (parts: ProviderRunParts, asking: AskParts, { now, close, placeOf }: RunSteps) => {
  const { calls, jobs } = parts

  const settlingOf = (
    { batch, form, mode, input, write, lane }: RunningBatch,
    row: ProviderBatch,
    { place, leavesRest }: { readonly place: LinePlace | undefined; readonly leavesRest: boolean },
  ) => {
    const prices = readPrices(row.prices)
    return openSettling({
      batch,
      form,
      place,
      prices,
      calls,
      mode,
      lane: lane?.chosen,
      leavesRest,
      input,
      write,
      chunks: parts.chunks,
      longestLine: parts.longestLine,
      linesAtOnce: parts.linesAtOnce,
      chargeUnread: (line, id, answer) => chargeUnread(row, prices, { line, id, answer }, jobs),
    })
  }

  return async (running: RunningBatch, row: ProviderBatch, { results, rest }: BatchEnding): Promise<void> => {
    const place = placeOf(row)
    const settling = await settlingOf(running, row, { place, leavesRest: rest === undefined })
    if (place !== undefined) for (const source of results) await settling.settle(resultLines(source, place, asking))
    if (isLeft(running)) return
    // A batch that was cancelled or expired ends with this part of it.
    const isOver = rest?.kind === 'cancelled' || rest?.kind === 'expired'
    if (rest !== undefined) await settling.rest(rest, isOver || row.last_line === 0 ? undefined : row.last_line)
    if (isLeft(running)) return
    await close(row)
    const { total, created_time: made, expires_time: due } = running.batch
    if (settling.doneCount >= total) return running.finalize()
    // Later parts go to the provider as long as half of the window is left for them.
    const mayFollow = rest !== undefined && 2 * now() < Number(made) + Number(due)
    await running.change({ runner: mayFollow ? 'any' : 'own' })
  }
}

export type EndBatch = ReturnType<typeof openEndings>
