import type { Price } from '../billing/price.ts'
import type { ChannelPrices } from '../billing/upstream/channel-prices.ts'
import { AppError } from '../lib/app-error.ts'
import { type CallLimits, type CallNeed, type LimitEntry, LimitRefusal } from '../limits/call-limits.ts'
import type { CallFacts } from './call.ts'
import type { CallTrace } from './call-trace.ts'
import { type CallFailure, failureOf } from './failure.ts'
import type { Readiness } from './ports/readiness.ts'
import type { Channels, Hold, Prices, Recorder, RelayOptions, RequestRecord, TaskStart } from './ports.ts'
import type { AttemptLog } from './records/attempt-log.ts'
import { recordFailure } from './records/record-failure.ts'
import { useOf } from './records/use-by-model.ts'
import type { RefusalRows } from './refusals/refusal-rows.ts'

/** Result of a call: a charge or a failure; `answer` is the rest that the client gets after the charge. */
export type Bill<Answer> =
  | { readonly kind: 'charge'; readonly record: RequestRecord; readonly answer: Answer }
  /** The call is free. `task` is the row of a task that its service refused. */
  | { readonly kind: 'fail'; readonly failure: CallFailure; readonly task?: TaskStart }

/** Reservation of a call; undefined where it is free. */
export interface Held {
  readonly hold: Hold | undefined
}

/** One kind of call: the steps around its payment. The methods are called in this order, each at most once. */
export interface PaidCall<Reserved extends Held, Outcome, Answer, Result> {
  readonly call: CallFacts
  readonly attemptLog: AttemptLog
  /** True if its prompt contains one of these lower-cased words; called only where there are any. */
  hasWord(words: readonly string[]): boolean
  /** Frozen until the call is charged. Throws AppError('model_price_error'). */
  price(prices: Prices): Price
  /** Holds its maximum cost. Throws AppError where it cannot be paid. */
  hold(price: Price, options: RelayOptions): Reserved | Promise<Reserved>
  /** Amounts that limits reserve for it; requests alone where it is absent. */
  need?(held: Reserved, price: Price): CallNeed
  /** Makes the call. */
  run(held: Reserved, price: Price, options: RelayOptions): Promise<Outcome>
  /** Prices the outcome and builds everything that the client gets: an answer that cannot be built is free. */
  settle(outcome: Outcome, held: Reserved, price: Price, options: RelayOptions): Bill<Answer> | Promise<Bill<Answer>>
  /** Releases everything but the first hold. Called on every path, before the client gets the rest. */
  close(): void
  /** Sends the rest after the charge was recorded. Must not throw. */
  deliver(answer: Answer): Result | Promise<Result>
  /** Result for the caller after the failure was recorded. Must not throw. */
  fail(failure: CallFailure): Result
  /** Replacement of a call that a limit refuses; undefined for none. Nothing of the call was sent or recorded. */
  instead?(refusal: LimitRefusal): (() => Promise<Result>) | undefined
  /** Failure for an error that is specific to this kind of call; undefined for all others. */
  failureOf?(error: unknown): CallFailure | undefined
}

export interface WithHoldParts {
  readonly prices: Prices
  /** Cost prices of channels; without them no cost is known. */
  readonly costs?: ChannelPrices
  readonly recorder: Recorder
  readonly channels: Pick<Channels, 'charged'>
  /** Limits of keys, users, models and so on; absent where there can be none. */
  readonly callLimits?: CallLimits
  /** Called with the record of each charge; must return at once. */
  readonly onCharged?: (record: RequestRecord) => void
  readonly options: () => RelayOptions
  readonly readiness: Readiness
  /** Bounds the rows of refused calls; absent where nothing does. */
  readonly refusalRows?: Pick<RefusalRows, 'admit'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/**
 * The only implementation of a call's payment: ready, checks, price, hold, limits, run, then one record, `charge` or `fail`. The hold is
 * released on every path; a charge replaces it. Never rejects; nothing fails a call after its charge. It is one function, because each
 * await between several would cost each call.
 */
export const withHold = async <Reserved extends Held, Outcome, Answer, Result>(
  paid: PaidCall<Reserved, Outcome, Answer, Result>,
  parts: WithHoldParts,
): Promise<Result> => {
  const { call, attemptLog } = paid
  const { trace } = call
  const { callLimits } = parts
  const limits = call.plan === undefined ? callLimits?.all : call.plan.limits
  let held: Reserved | undefined
  let heldAt = 0
  let bill: Bill<Answer>
  let entry: LimitEntry | undefined
  let instead: (() => Promise<Result>) | undefined
  try {
    const options = call.plan?.options ?? parts.options()
    const { refusal } = parts.readiness
    if (refusal !== undefined) throw new AppError(refusal)
    const { sensitiveWords } = options
    if (sensitiveWords.length > 0 && paid.hasWord(sensitiveWords)) throw new AppError('sensitive_words_detected')
    const price = paid.price(parts.prices)
    if (trace === undefined) {
      const placed = paid.hold(price, options)
      held = placed instanceof Promise ? await placed : placed
    } else held = await followHold(() => paid.hold(price, options), trace, parts.clock)
    heldAt = parts.clock()
    if (limits !== undefined) {
      const need = paid.need?.(held, price) ?? requestAlone
      attemptLog.need = need
      if (limits.calls.length > 0 || call.named !== undefined || call.versions !== undefined) {
        const entered = callLimits?.enter(call, need)
        entry = entered instanceof Promise ? await entered : entered
        if (entry !== undefined) call.limited?.(entry.gauges())
      }
    }
    const outcome = await paid.run(held, price, options)
    const settled = paid.settle(outcome, held, price, options)
    bill = settled instanceof Promise ? await settled : settled
    if (bill.kind === 'charge') {
      const from = trace === undefined ? 0 : parts.clock()
      await parts.recorder.charge(bill.record, held.hold, heldAt)
      trace?.recorded(from, bill.record)
    }
  } catch (error) {
    if (error instanceof LimitRefusal) {
      instead = paid.instead?.(error)
      if (instead === undefined) call.limited?.(error.gauges)
    }
    bill = { kind: 'fail', failure: paid.failureOf?.(error) ?? failureFrom(error, call, parts) }
  } finally {
    held?.hold?.release()
    paid.close()
  }
  if (instead !== undefined) return instead()
  const { limitEntry } = attemptLog
  if (limits !== undefined || limitEntry !== undefined) {
    const use = bill.kind === 'charge' ? useOf(bill.record) : undefined
    entry?.settle(use)
    limitEntry?.settle(use)
    if (entry === undefined && use?.byModel !== undefined) callLimits?.addModels(call, use.byModel.others)
  }
  if (bill.kind === 'fail') {
    await recordFailure(call, bill.failure, { attemptLog, task: bill.task }, parts)
    return paid.fail(bill.failure)
  }
  const { channelId, model, quota } = bill.record
  try {
    parts.channels.charged?.(channelId, model, quota)
    parts.onCharged?.(bill.record)
  } catch (error) {
    // The charge is final: the call must not be recorded again as a failure.
    parts.log('charge_listener_failed', { request_id: call.id, error })
  }
  return paid.deliver(bill.answer)
}

const requestAlone: CallNeed = { input: 0, output: 0, money: 0 }

const followHold = async <Reserved>(
  hold: () => Reserved | Promise<Reserved>,
  trace: CallTrace,
  clock: () => number,
): Promise<Reserved> => {
  const from = clock()
  try {
    const held = await hold()
    trace.held(from)
    return held
  } catch (error) {
    trace.held(from, error instanceof AppError ? error.code : 'internal_error')
    throw error
  }
}

const failureFrom = (error: unknown, { id }: CallFacts, { log }: WithHoldParts): CallFailure => {
  if (error instanceof AppError) return failureOf(error)
  log('relay_call_failed', { request_id: id, error })
  return failureOf(new AppError('internal_error', { cause: error }))
}
