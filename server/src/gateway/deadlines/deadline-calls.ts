import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import type { RelayCall } from '../../relay/call.ts'

/** Request header with the moment until which a call must be done. It is removed before the request goes upstream. */
export const deadlineHeader = 'x-tollgate-deadline'

/** How a module makes a call that has a deadline. Moments are milliseconds since 1970. */
export interface ChosenLane {
  /** In the flex tier, which may refuse it, at once, or in a batch of its provider. */
  readonly lane: 'flex' | 'standard' | 'batch'
  readonly deadline: number
  /** When the client's request came: the price of that moment is the standard one. */
  readonly arrivedAt: number
  /** The latest moment to make it at once, where that depends on calls that follow it. */
  readonly latestAt?: number
}

/** A call whose client does not wait, as its next step is decided. */
export interface TimedWork extends Pick<ChosenLane, 'deadline' | 'arrivedAt'> {
  readonly model: string
  readonly group: string
  readonly acceptsUnpriced: boolean
  /** True where its request may name the flex tier. */
  readonly mayFlex: boolean
  /** True where it may be handed to its provider as a part of a batch; absent where it may not. */
  readonly mayBatch?: boolean
  /** Calls of a batch from this one on, and how many of them the gateway makes at once; absent for a call alone. */
  readonly queue?: { readonly lines: number; readonly atOnce: number }
}

/** The next step of such a call. */
export interface LaneStep {
  /** `batch` for work that may be one alone. */
  readonly lane: ChosenLane['lane']
  /** When it is to be made. */
  readonly startAt: number
  /** The latest moment to make it at once. */
  readonly latestAt: number
  /** When a batch of the provider is asked to end, so that it has ended by then; absent for work that is none. */
  readonly giveUpAt?: number
}

/** A call that may state a deadline, as its client made it, or with the lane that a module has chosen. */
export interface StatedCall {
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
  readonly model: string
  /** When it came. */
  readonly at: number
  readonly lane?: ChosenLane | undefined
}

/** Reads deadlines of calls, and finds the lanes that are in time. */
export interface DeadlineCalls {
  /**
   * The deadline that a request states, in milliseconds since 1970; undefined for none. Throws AppError('invalid_text_request') for one
   * that cannot be read, is over, or is too far away.
   */
  deadlineOf(headers: IncomingHttpHeaders, body: JsonObject, now: number): number | undefined
  /**
   * Throws where a key that only calls with a deadline may use makes another call. `call` is absent for calls of kinds that have no lanes, which
   * are always refused.
   */
  assertStated(call?: StatedCall): void
  /** The same call with its lane, and without the deadline in its body. `chosen` is set for calls of modules. Throws as `deadlineOf`. */
  timed(call: RelayCall, headers: IncomingHttpHeaders, chosen: ChosenLane | undefined): RelayCall
  /** The next step of a call whose client does not wait. */
  next(work: TimedWork, now: number): LaneStep
  /** Notes how many milliseconds a batch of a provider took; Infinity for one that was given up. */
  batchEnded(model: string, ms: number): void
  /** When a call may be made in the flex tier again that was refused so many times in a row there. */
  askedAgainAt(now: number, refusals: number): number
}
