import type { Finish } from '../dialects/conversation/conversation.ts'
import type { RelayChannel, RequestRecord } from './ports.ts'

/** Why a candidate of an answer ended. */
export type EndReason = Finish

/** A request to an upstream that is over. Times are milliseconds since 1970. */
export interface TracedAttempt {
  readonly channel: RelayChannel
  readonly startedAt: number
  readonly endedAt: number
  /** True for the one whose outcome is that of the call so far. */
  readonly counts: boolean
  /** Where two were asked at a time: which it was, and whether it was cut off because of the other. */
  readonly hedge?: 'first' | 'second'
  readonly cancelled?: boolean
}

/** How it went. */
export interface TracedResult {
  readonly kind: 'answered' | 'open' | 'refused' | 'client_gone'
  /** 0 for none. */
  readonly status: number
  /** The provider's own id of the request; empty or absent where it named none. */
  readonly requestId?: string
  /** Empty where nothing went wrong. */
  readonly error: string
  /** When the first content of a stream came; absent where nothing was streamed. */
  readonly firstContentAt?: number | undefined
}

/**
 * Follows one call while it runs. Calls that nobody follows have none, so each step of a call asks once whether there is one. Every
 * method returns at once and throws nothing; times are milliseconds since 1970.
 */
export interface CallTrace {
  /** What it may cost was reserved, or refused for this reason. */
  held(from: number, fault?: string): void
  /** A request goes to an upstream now; the headers name the trace to it, undefined where it shall not know it. */
  attempt(channel: RelayChannel, upstreamModel: string): Readonly<Record<string, string>> | undefined
  /** It is over. Of two channels that were asked at a time, each ends by itself. */
  attemptEnded(attempt: TracedAttempt, result: TracedResult): void
  /** The model that an answer names as the one that wrote it, empty for none, and why its candidates ended. */
  answered(model: string, finishes: readonly EndReason[]): void
  /** What it came to is recorded: a charge, or a failure. */
  recorded(from: number, record: RequestRecord): void
}
