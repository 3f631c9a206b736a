import type { RelayCall } from '../call.ts'
import type { RelayLimits } from '../exchange/exchange.ts'
import type { CallFailure } from '../failure.ts'
import type { Holds, Prices, Recorder, RelayOptions, TokenCounter } from '../ports.ts'
import type { RoutingParts } from '../routing/try-channels.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** A client that waits for its handshake to be answered. */
export interface RealtimeClient {
  readonly gone: boolean
  /** Called once when it goes before it is accepted. */
  whenGone(listener: () => void): void
  /** Completes the handshake; not after it has gone. */
  accept(events: ClientEvents): ClientSocket
}

/** The client's end of a session. */
export interface ClientSocket {
  /** Bytes that were sent and not taken yet. */
  readonly waiting: number
  send(message: string): void
  pause(): void
  resume(): void
  /** A last message, and goodbye. Harmless when it has gone. */
  close(code: number, reason: string, last?: string): void
  /** Breaks the connection without a goodbye. */
  abandon(): void
}

export interface ClientEvents {
  /** undefined for a message that is no text. */
  onMessage(message: string | undefined): void
  /** What was sent has been taken. */
  onDrained(): void
  /** It has said goodbye, or is gone without a word (1006). More than once does not matter. */
  onClose(code: number): void
}

export interface RealtimeParts extends RoutingParts {
  readonly prices: Prices
  readonly holds: Holds
  readonly recorder: Recorder
  readonly counter: TokenCounter
  readonly upstream: Upstream
  readonly limits: RelayLimits
  readonly options: () => RelayOptions
  /** False while calls cannot be recorded: none may begin. */
  readonly ready: () => boolean
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

export interface Realtime {
  /**
   * Has a session: hold, handshake, frames to and fro, record. What comes back is a failure that the client has to be told,
   * which was not accepted then. Money is settled or given back by then.
   */
  answer(
    call: RelayCall,
    client: RealtimeClient,
    door: { readonly told: ToldFailure; readonly mayGoOn: MayGoOn },
  ): Promise<CallFailure | undefined>
  /** Ends all sessions: `soon` when nothing of a response is missing, or at once. */
  leave(how: 'soon' | 'now'): void
}

/** Throws AppError when the key may not be used any more. */
export type MayGoOn = () => unknown

/** A failure as the last message of a session. */
export type ToldFailure = (failure: CallFailure) => string
