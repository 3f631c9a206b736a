import type { Finish } from '../dialects/conversation/conversation.ts'
import type { RelayChannel, RequestRecord } from './ports.ts'

/** Why a candidate of an answer ended. */
export type EndReason = Finish

/** A finished request to an upstream. Times are milliseconds since 1970. */
export interface TracedAttempt {
  readonly channel: RelayChannel
  readonly startedAt: number
  readonly endedAt: number
  /** True for the attempt whose outcome is the outcome of the call so far. */
  readonly counts: boolean
  /** Position among two channels that were asked concurrently; `cancelled` if it was aborted because the other answered. */
  readonly hedge?: 'first' | 'second'
  readonly cancelled?: boolean
}

/** Result of an attempt. */
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
 * Traces one call. Untraced calls have none, so each step tests for it once. Methods return at once and never throw; times are
 * milliseconds since 1970.
 */
export interface CallTrace {
  /** Its hold was made, or refused with this error code. */
  held(from: number, fault?: string): void
  /** Begins an attempt. Returns the trace headers for the upstream; undefined where it must not get any. */
  attempt(channel: RelayChannel, upstreamModel: string): Readonly<Record<string, string>> | undefined
  /** Ends an attempt; of two concurrent ones each ends by itself. */
  attemptEnded(attempt: TracedAttempt, result: TracedResult): void
  /** The model that an answer names as the one that wrote it, empty for none, and why its candidates ended. */
  answered(model: string, finishes: readonly EndReason[]): void
  /** The call was recorded as a charge or a failure. */
  recorded(from: number, record: RequestRecord): void
}
