import type { RelayChannel, UpstreamFailure } from '../ports.ts'
import type { HedgePlan } from './hedging/hedge-plan.ts'

/** Result of one attempt. */
export interface AttemptResult {
  /** `open` has answered but not finished: its owner reports to the channel at its end. */
  readonly kind: 'answered' | 'open' | 'refused' | 'client_gone'
  /** For the log: the upstream's status after the channel's mapping, 0 for none. */
  readonly status: number
  /** The provider's own id of the request; empty or absent where it named none. */
  readonly requestId?: string
  /** The answer's own id, where it differs from `requestId`. */
  readonly answerId?: string | undefined
  /** Receipt id of another Tollgate upstream; absent where it gave none. */
  readonly receipt?: string | undefined
  /** For the operator; empty where nothing went wrong. */
  readonly error: string
  /** Failure of the channel. */
  readonly fault?: UpstreamFailure | undefined
  /** Milliseconds since 1970 when the first content of a stream came; absent where nothing was streamed. */
  readonly firstContentAt?: number | undefined
  /** Of a refused attempt: the status for the retry table; absent where no other channel may be tried. */
  readonly retryStatus?: number
  /** Of a refused attempt: the same channel and key may be tried again at once. */
  readonly mayAskAgain?: true | undefined
}

/** Request to one channel and its outcome. */
export interface SentSide<Outcome> {
  readonly channel: RelayChannel
  readonly key: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number
  readonly outcome: Outcome
  /** True for the side whose outcome is that of the attempt. */
  readonly counts: boolean
  /** Position among two channels that were asked concurrently; `cancelled` if it was aborted because the other answered. */
  readonly hedge?: 'first' | 'second'
  readonly cancelled?: boolean
}

/** Attempts of one kind of call at successive channels: HTTP, a WebSocket's handshake, a task's submission. */
export interface ChannelAttempt<Outcome> {
  /**
   * Builds the request for this channel, and notes its model and the fields that it cannot express. Throws AppError for errors of the
   * gateway, such as a circular model mapping.
   */
  prepare(channel: RelayChannel): void
  /** Removes from the request what this key's account cannot read; absent where accounts make no difference. */
  fit?(channel: RelayChannel, key: string): void
  /** Sends it. Never rejects. */
  send(channel: RelayChannel, key: string): Promise<Outcome>
  /** True if `sendHedged` may be used. */
  readonly mayHedge?: boolean
  /** Sends it, with a hedge request to a second channel if the first is slow; returns the requests in order. */
  sendHedged?(channel: RelayChannel, key: string, plan: HedgePlan): Promise<readonly SentSide<Outcome>[]>
  resultOf(outcome: Outcome): AttemptResult
}
