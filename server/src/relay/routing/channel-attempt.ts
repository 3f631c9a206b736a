import type { RelayChannel, UpstreamFailure } from '../ports.ts'
import type { HedgePlan } from './hedging/hedge-plan.ts'

/** How one attempt went. */
export interface AttemptResult {
  /** `open` answered, but is not over: whoever holds it reports to the channel when it is. */
  readonly kind: 'answered' | 'open' | 'refused' | 'client_gone'
  /** For the log: the upstream's status after the channel's mapping, 0 for none. */
  readonly status: number
  /** The provider's own id of the request; empty or absent where it named none. */
  readonly requestId?: string
  /** The id by which its answer calls itself, where that is another one. */
  readonly answerId?: string | undefined
  /** The id of the receipt that the gateway behind the channel gave; absent where it gave none. */
  readonly receipt?: string | undefined
  /** For the operator; empty where nothing went wrong. */
  readonly error: string
  /** What the channel is to blame for. */
  readonly fault?: UpstreamFailure | undefined
  /** Milliseconds since 1970 when the first content of a stream came; absent where nothing was streamed. */
  readonly firstContentAt?: number | undefined
  /** Of a refused attempt: the status that the retry table reads; absent where no other channel may be asked. */
  readonly retryStatus?: number
  /** Of a refused attempt: the same channel and key may be asked once more at once. */
  readonly mayAskAgain?: true | undefined
}

/** What became of asking one channel. */
export interface SentSide<Outcome> {
  readonly channel: RelayChannel
  readonly key: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number
  readonly outcome: Outcome
  /** True for the one whose outcome is that of the attempt. */
  readonly counts: boolean
  /** Where two were asked at a time: which it was, and whether it was cut off because of the other. */
  readonly hedge?: 'first' | 'second'
  readonly cancelled?: boolean
}

/** One kind of call at one channel after the other: HTTP, a WebSocket's handshake, a task's submission. */
export interface ChannelAttempt<Outcome> {
  /**
   * Writes the request as this channel takes it, and notes its model and the fields of the client that it cannot express.
   * Throws AppError for faults of our own, such as a circular model mapping.
   */
  prepare(channel: RelayChannel): void
  /** Leaves out of the request what this key's account cannot read; absent where accounts make no difference. */
  fit?(channel: RelayChannel, key: string): void
  /** Sends it. Never rejects. */
  send(channel: RelayChannel, key: string): Promise<Outcome>
  /** True if `sendHedged` may be used. */
  readonly mayHedge?: boolean
  /** The same with a second channel beside it where the first is slow; those that were asked, in order. */
  sendHedged?(channel: RelayChannel, key: string, plan: HedgePlan): Promise<readonly SentSide<Outcome>[]>
  resultOf(outcome: Outcome): AttemptResult
}
