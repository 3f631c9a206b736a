import type { JsonObject } from '../../dialects/conversation/json.ts'
import type { AppError } from '../../lib/app-error.ts'
import type { PlannedCall } from '../call.ts'
import type { Inspections } from '../captures.ts'
import type { RelayLimits } from '../exchange/exchange.ts'
import type { CallFailure } from '../failure.ts'
import type { Holds, TokenCounter } from '../ports.ts'
import type { RoutingParts } from '../routing/routed-call.ts'
import type { StoredResponses } from '../routing/stored-responses.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { WithHoldParts } from '../with-hold.ts'
import type { SessionProtocol } from './session-protocol.ts'

/**
 * A session over WebRTC: its sound goes past the gateway. The provider answers the client's offer, and names the call, whose
 * events can be followed over a WebSocket beside it (platform.openai.com/docs/guides/realtime-server-controls).
 */
export interface WebCall {
  readonly id: string
  /** The provider's answer to the offer. */
  readonly sdp: string
  /** Ends the call at the provider. */
  hangUp(): void
}

/** A client that waits for its handshake to be answered. */
export interface RealtimeClient {
  readonly gone: boolean
  /** Called once when it goes before it is accepted. */
  whenGone(listener: () => void): void
  /** WebRTC's offer (SDP); absent where the client waits for a WebSocket. */
  readonly offer?: string
  /** Completes the handshake; not after it has gone. `webCall` answers an offer. */
  accept(events: ClientEvents, webCall: WebCall | undefined): ClientSocket
}

/** The client's end of a session. */
export interface ClientSocket {
  /** Bytes that were sent and not taken yet. */
  readonly waiting: number
  /** Bytes go as a binary message. */
  send(message: string | Buffer): void
  pause(): void
  resume(): void
  /** So many bytes of its messages are still kept, in all: they count as its own until it says another number. */
  keep(bytes: number): void
  /** Sends a last message and closes. Harmless when the client has gone. */
  close(code: number, reason: string, last?: string): void
  /** Breaks the connection without closing it. */
  abandon(): void
}

export interface ClientEvents {
  /** undefined for a message that is no text. */
  onMessage(message: string | undefined): void
  /** What was sent has been taken. */
  onDrained(): void
  /** Nothing more of it is read, for this reason; whoever has the session closes it with the code. */
  onRefused(error: AppError, code: number): void
  /** The client has closed, or is gone without closing (1006). More than once does not matter. */
  onClose(code: number): void
}

export interface RealtimeParts extends RoutingParts, Omit<WithHoldParts, 'channels'> {
  /** Between the attempts to end a call over WebRTC, in milliseconds; the usual ones where absent. */
  readonly hangUpPauses?: readonly number[]
  readonly holds: Holds
  readonly counter: TokenCounter
  readonly upstream: Upstream
  readonly limits: RelayLimits
  readonly storedResponses: Pick<StoredResponses, 'keyHashOf'>
  /** Absent where no session is captured. */
  readonly inspections?: Inspections
}

export interface Realtime {
  /**
   * Has a session: hold, handshake, messages to and fro, record. What comes back is why the client was not accepted, which it
   * still has to be told. Money is settled or given back by then.
   */
  answer(call: PlannedCall, client: RealtimeClient, listener: SessionListener): Promise<CallFailure | undefined>
  /** Ends all sessions: `soon` when nothing of a response is missing, or at once. */
  leave(how: 'soon' | 'now'): void
}

/** A last message before the close, or the reason of the close. */
export interface Farewell {
  readonly last?: string
  readonly reason?: string
}

/** The account that keeps a session. */
interface SessionPlace {
  readonly channelId: number
  readonly key: string
}

/** What a session needs from the listener that accepted its client. */
export interface SessionListener {
  readonly protocol: SessionProtocol
  /** How an accepted client learns why its session ends. */
  farewell(failure: CallFailure): Farewell
  /** The answer to an event of the client that was refused; the session goes on. */
  refusedEvent(failure: CallFailure, refused: JsonObject): string
  /** Why an event of the client names what it must not; undefined for nearly all. */
  refusalOf(event: JsonObject, message: string, upstreamModel: string): AppError | undefined
  /** The models that the session and its events have named. One that is refused is taken out. */
  readonly models: Set<string>
  /** A message of the provider as its client gets it; as it came where absent. */
  forClient?(message: string | Buffer, event: JsonObject, place: SessionPlace): string | Buffer
  /** Asked once a second. Throws AppError when the key may not be used any more. */
  checkKey(): Promise<void>
}
