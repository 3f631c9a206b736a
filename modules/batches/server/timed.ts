import { isObject, type JsonObject, parseObject } from '@tollgate/contract/json'
import type { DeadlineCalls, LaneStep, TimedWork } from '#server/gateway/deadlines/deadline-calls.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { ModuleCall } from './calls/request.ts'
import type { Batch, BatchForm, BatchLine } from './forms/batch-form.ts'

/** The deadline of a batch and its price, the same for all lines, as the batch stores it. */
type TimedBatch = Omit<TimedWork, 'model' | 'mayFlex' | 'mayBatch' | 'queue'>

/** The deadline among the settings of a new batch, at most its window; empty without one. Throws as `deadlineOf` and `assertStated`. */
export const timedSettings = (
  { caller, context }: Pick<ModuleCall, 'caller' | 'context'>,
  body: JsonObject,
  { windowSeconds }: Pick<BatchForm, 'windowSeconds'>,
  deadlines: DeadlineCalls | undefined,
): { readonly timed?: TimedBatch } => {
  const { startedAt: arrivedAt, request } = context
  const { headers } = request
  if (caller.deadlineOnly === true) deadlines?.assertStated({ headers, body, model: '', at: arrivedAt })
  const stated = deadlines?.deadlineOf(headers, body, arrivedAt)
  if (stated === undefined) return {}
  const deadline = Math.min(stated, arrivedAt + windowSeconds * 1000)
  const { group, acceptsUnpricedModels: acceptsUnpriced } = caller
  return { timed: { group, acceptsUnpriced, arrivedAt, deadline } }
}

/** The deadline among the settings of a batch; undefined without one. */
export const timedIn = (settings: string): TimedBatch | undefined => {
  const { timed } = parseObject(settings)
  return isObject(timed) && typeof timed.deadline === 'number' ? (timed as unknown as TimedBatch) : undefined
}

/** The lanes of the lines of one batch. */
export interface TimedLines {
  workOf(number: number, line: BatchLine): TimedWork
  next(work: TimedWork): LaneStep
  /** Milliseconds until a line that the flex tier refused is made again. */
  pauseMs(step: LaneStep, refusals: number): number
  /** Milliseconds until a line may begin. */
  waitMs(step: LaneStep): number
}

export interface TimedParts {
  /** Absent where calls have no deadlines. */
  readonly deadlines?: DeadlineCalls | undefined
  readonly linesAtOnce: () => number
  readonly clock: Clock
}

/** The lanes of a batch with a deadline; undefined for all others. */
export const timedLines = (
  { settings, model: ofBatch, total }: Pick<Batch, 'settings' | 'model' | 'total'>,
  { deadlines, linesAtOnce, clock }: TimedParts,
): TimedLines | undefined => {
  const timed = timedIn(settings)
  if (timed === undefined || deadlines === undefined) return undefined
  return {
    workOf(number, { path, body }) {
      const { model, service_tier: tier, serviceTier } = parseObject(body.toString())
      const mayFlex = tier === undefined && serviceTier === undefined && !path.startsWith('/v1/messages')
      // Each line but the last is followed by others, which must be in time, too.
      const queue = { lines: Math.max(1, total - number + 1), atOnce: linesAtOnce() }
      return { ...timed, model: ofBatch === '' && typeof model === 'string' ? model : ofBatch, mayFlex, queue }
    },
    next: (work) => deadlines.next(work, clock()),
    pauseMs({ latestAt }, refusals) {
      const now = clock()
      return Math.max(0, Math.min(deadlines.askedAgainAt(now, refusals), latestAt) - now)
    },
    waitMs: ({ startAt }) => Math.max(0, startAt - clock()),
  }
}
