import type { OwnCalls } from '#server/gateway/own-calls/own-calls.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Batch, BatchLine, LineOutcome } from '../forms/batch-form.ts'
import { onOneLine } from '../forms/line-members.ts'
import type { TimedLines } from '../timed.ts'
import { retryPauseMs } from './retry-pause.ts'
import type { RunMode } from './run-mode.ts'
import type { Slots } from './slots.ts'

type Answer = Awaited<ReturnType<OwnCalls['collect']>>

export interface LineCallParts {
  readonly calls: OwnCalls
  readonly batch: Batch
  /** Places of the whole process. */
  readonly slots: Slots
  readonly mode: RunMode
  /** True where another process has begun these lines before. */
  readonly isResumed: boolean
  /** Milliseconds for which a charge that is only in the journal of that process is waited for. */
  readonly journalMs: number
  readonly clock: Clock
  /** Set where the batch has a deadline. */
  readonly timed?: TimedLines | undefined
}

/** Bytes. An answer that is longer is an error of its line. */
const longestAnswer = 32 * 1024 * 1024

/** Statuses of calls that a key cannot make any more: of a line that was charged before its process died, too. */
const refusals: ReadonlySet<number> = new Set([401, 402, 403, 404, 429])

/** Looks for a charge, while it is waited for. */
const journalLooks = 80

/** Id of a line's call, and so of its charge: the same in each try, wherever it is made. */
export const callIdOf = (batch: Pick<Batch, 'object_id'>, line: number): string => `batch-${batch.object_id}-${line}`

const outcomeOf = ({ status, bytes, isCut }: Answer, requestId: string): LineOutcome => {
  const body = isCut ? undefined : onOneLine(bytes.toString())
  if (body !== undefined && status > 0) return { kind: 'answered', status, body, requestId }
  const message = isCut ? 'The answer is too long, or broke off.' : 'The answer is no JSON.'
  return { kind: 'failed', fault: { fault: 'unreadable_answer', message, param: null } }
}

/** Makes the calls of lines, as calls of the key that made the batch. */
export const createLineCalls = (parts: LineCallParts) => {
  const { calls, batch, slots, mode, isResumed, journalMs, clock, timed } = parts
  // A batch with a deadline must not be late for refused lines.
  const chargesUntil = timed === undefined ? clock() + journalMs : 0
  /** Limits hold for all lines of a batch: while one waits, the others do, too. */
  let pausing: Promise<void> | undefined

  const pause = async (ms: number): Promise<void> => {
    pausing ??= mode.wait(ms).finally(() => {
      pausing = undefined
    })
    await pausing
  }

  return {
    /** Makes the call of a line until it is answered; undefined where it is left to another runner. */
    async make(number: number, line: BatchLine): Promise<LineOutcome | undefined> {
      const { path, headers, body } = line
      const work = timed?.workOf(number, line)
      const id = callIdOf(batch, number)
      let isCounted = false
      let isRepeat = false
      let flexRefusals = 0
      for (let attempt = 1; ; ) {
        const step = work && timed?.next(work)
        const waitMs = step === undefined ? 0 : (timed?.waitMs(step) ?? 0)
        if (waitMs > 0) await mode.wait(waitMs)
        await pausing
        await slots.take()
        if (mode.current !== 'run') {
          slots.free()
          return mode.current === 'left' ? undefined : { kind: mode.current }
        }
        const lane = work &&
          step && {
            ...work,
            lane: step.lane === 'flex' ? step.lane : ('standard' as const),
            latestAt: step.latestAt,
          }
        const call = { id, tokenId: batch.token_id, path, headers, body, ip: batch.ip, isCounted, isRepeat, lane }
        const answer: Answer = await calls.collect(call, longestAnswer).finally(slots.free)
        isCounted = answer.isCounted
        const pauseMs = retryPauseMs(answer, attempt)
        if (pauseMs === undefined && isResumed && refusals.has(answer.status)) {
          const wasRepeat = isRepeat
          isRepeat = true
          if (!wasRepeat) continue
          // The line may be paid already, and its charge in the journal of the process that died, until that is back.
          if (clock() < chargesUntil) {
            await mode.wait(journalMs / journalLooks)
            continue
          }
        }
        if (pauseMs === undefined) return outcomeOf(answer, id)
        if (step?.lane === 'flex') {
          flexRefusals += 1
          await pause(timed?.pauseMs(step, flexRefusals) ?? pauseMs)
        } else {
          attempt += 1
          await pause(pauseMs)
        }
      }
    },
  }
}
