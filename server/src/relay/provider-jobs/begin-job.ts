import { costsNothing, type Price } from '../../billing/price.ts'
import { AppError } from '../../lib/app-error.ts'
import { type LimitEntry, LimitRefusal } from '../../limits/call-limits.ts'
import type { CallFacts, PlannedCall } from '../call.ts'
import { plannedPrice } from '../exchange/call-price.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import { freeBounds, grantedHold, payerOf } from '../holds/granted-hold.ts'
import type { Hold, Holds } from '../ports.ts'
import { type AttemptLog, createAttemptLog } from '../records/attempt-log.ts'
import { recordFailure } from '../records/record-failure.ts'
import type { ChannelAttempt } from '../routing/channel-attempt.ts'
import { lacksChannel } from '../routing/no-channel.ts'
import type { RoutedCall, RoutingParts } from '../routing/routed-call.ts'
import { tryChannels } from '../routing/try-channels.ts'
import { wordIn } from '../stream/answer-guard.ts'
import type { Refusal } from '../upstream/upstream-failure.ts'
import type { WithHoldParts } from '../with-hold.ts'
import type { HeldJobs } from './held-jobs.ts'

export interface BeginJobParts extends RoutingParts, Omit<WithHoldParts, 'channels'> {
  readonly holds: Holds
}

/** A provider's answer to a submission. */
export type JobOutcome<Taken> =
  | { readonly kind: 'taken'; readonly taken: Taken }
  /** Nothing was begun: another channel may be asked. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The provider may have begun it, and its answer did not come: no other channel is asked. */
  | { readonly kind: 'unknown'; readonly refusal: Refusal }

/** A job to begin: its price is held, and its row is written, before a provider is asked. */
export interface NewJob<Taken> {
  readonly call: CallFacts & RoutedCall & Pick<PlannedCall, 'plan'>
  /** Text that is searched for blocked words. */
  readonly prompt: string
  /** Its attempts at channels, which note the model of each in the log. */
  attempt(log: AttemptLog): ChannelAttempt<JobOutcome<Taken>>
  /** The most that it may cost, in quota units. Throws AppError where it has no price. */
  most(price: Price): number
  /** Writes its row; answers its id. */
  write(held: number): Promise<number>
  /** The provider has it. Must not reject: the hold is the job's from then on. */
  accepted(id: number, taken: Taken, log: AttemptLog): Promise<void>
  /** No provider has begun it. */
  refused(id: number): Promise<void>
  /** A provider may have begun it, and nothing of it can be had. */
  unknown(id: number, failure: CallFailure): Promise<void>
}

export type BegunJob = { readonly id: number } | { readonly failure: CallFailure }

const failureFrom = (error: unknown, { id }: CallFacts, { log }: BeginJobParts): CallFailure => {
  if (error instanceof AppError) return failureOf(error)
  log('relay_call_failed', { request_id: id, error })
  return failureOf(new AppError('internal_error', { cause: error }))
}

/** The gateway may end the process when calls are over: what was refused is taken back before the client hears of it. */
const quietly = async (work: Promise<void> | undefined, call: CallFacts, { log }: BeginJobParts): Promise<void> => {
  try {
    await work
  } catch (error) {
    log('job_not_taken_back', { request_id: call.id, error })
  }
}

/**
 * Begins jobs at providers with the checks, the hold, the limits and the routing of any other call. A call that fails is recorded and free.
 * One that is accepted is charged at its end: until then `held` has its hold and its entry in limits.
 */
export const openBeginJob = (parts: BeginJobParts, held: HeldJobs) => {
  const { holds, callLimits, readiness, clock } = parts

  return async <Taken>(job: NewJob<Taken>): Promise<BegunJob> => {
    const { call } = job
    const { caller, model, plan } = call
    const { options } = plan
    const attemptLog = createAttemptLog()
    let hold: Hold | undefined
    let entry: LimitEntry | undefined
    let id: number | undefined
    try {
      if (readiness.refusal !== undefined) throw new AppError(readiness.refusal)
      const { sensitiveWords, overdraft, amounts } = options
      if (sensitiveWords.length > 0 && wordIn(job.prompt, sensitiveWords) !== undefined)
        throw new AppError('sensitive_words_detected')
      const price = plannedPrice(plan)
      const amount = job.most(price)
      const bounds = freeBounds(amount === 0 && costsNothing(price), options, { spare: -overdraft })
      hold = grantedHold(await holds.hold({ ...payerOf(caller), amount, ...bounds }), amounts, caller.keyHint)
      const at = clock()
      attemptLog.need = { input: 0, output: 0, money: amount }
      entry = await callLimits?.enter(call, attemptLog.need)
      if (entry !== undefined) call.limited?.(entry.gauges())
      id = await job.write(amount)
      const outcome = await tryChannels(call, job.attempt(attemptLog), options, attemptLog, parts)
      if (outcome === undefined) throw lacksChannel(caller.group, model)
      if (outcome.kind === 'taken') {
        held.keep(id, { hold, at, entry })
        hold = undefined
        entry = undefined
        await job.accepted(id, outcome.taken, attemptLog)
        return { id }
      }
      const { answer } = outcome.refusal
      await quietly(outcome.kind === 'unknown' ? job.unknown(id, answer) : job.refused(id), call, parts)
      await recordFailure(call, answer, { attemptLog }, parts)
      return { failure: answer }
    } catch (error) {
      if (error instanceof LimitRefusal) call.limited?.(error.gauges)
      const failure = failureFrom(error, call, parts)
      if (id !== undefined) await quietly(job.refused(id), call, parts)
      await recordFailure(call, failure, { attemptLog }, parts)
      return { failure }
    } finally {
      hold?.release()
      entry?.settle(undefined)
      attemptLog.limitEntry?.settle(undefined)
    }
  }
}
