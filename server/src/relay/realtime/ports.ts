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
 * A session over WebRTC, whose sound bypasses the gateway. The provider answers the client's offer, and names the call, whose events can
 * be followed over a separate WebSocket (platform.openai.com/docs/guides/realtime-server-controls).
 */
export interface WebCall {
  readonly id: string
  /** The provider's answer to the offer. */
  readonly sdp: string
  /** Ends the call at the provider. */
  hangUp(): void
}

/** A client during its handshake. */
export interface RealtimeClient {
  readonly gone: boolean
  /** Calls `listener` once when it leaves before it is accepted. */
  whenGone(listener: () => void): void
  /** WebRTC's offer (SDP); absent where the client waits for a WebSocket. */
  readonly offer?: string
  /** Completes the handshake; not after it has gone. `webCall` answers an offer. */
  accept(events: ClientEvents, webCall: WebCall | undefined): ClientSocket
}

/** The client's end of a session. */
export interface ClientSocket {
  /** Bytes that were sent and not read yet. */
  readonly waiting: number
  /** Bytes go as a binary message. */
  send(message: string | Buffer): void
  pause(): void
  resume(): void
  /** Sets the bytes of its messages that are still buffered: they count as its own until the next call. */
  keep(bytes: number): void
  /** Sends a last message and closes. Harmless when the client has left. */
  close(code: number, reason: string, last?: string): void
  /** Breaks the connection without closing it. */
  abandon(): void
}

export interface ClientEvents {
  /** undefined for a message that is no text. */
  onMessage(message: string | undefined): void
  /** The client has read enough of the sent messages. */
  onDrained(): void
  /** Reading has stopped for this error; the session's owner closes it with the code. */
  onRefused(error: AppError, code: number): void
  /** The client has closed, or is gone without closing (1006). May be called repeatedly. */
  onClose(code: number): void
}

export interface RealtimeParts extends RoutingParts, Omit<WithHoldParts, 'channels'> {
  /** Milliseconds between attempts to end a call over WebRTC; the default where absent. */
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
   * Runs a session: hold, handshake, forwarding, record. Returns the failure to send to a client that was not accepted. The call has
   * then been settled or released.
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

/** Callbacks from a session to the listener that accepted its client. */
export interface SessionListener {
  readonly protocol: SessionProtocol
  /** Last message of a session that ends with a failure. */
  farewell(failure: CallFailure): Farewell
  /** Error event for a refused event of the client; the session goes on. */
  refusedEvent(failure: CallFailure, refused: JsonObject): string
  /** Error for an event of the client that names a forbidden object or model; undefined for nearly all. */
  refusalOf(event: JsonObject, message: string, upstreamModel: string): AppError | undefined
  /** Models that the session and its events have named. Refused ones are removed. */
  readonly models: Set<string>
  /** Converts a message of the provider for the client; unchanged where absent. */
  forClient?(message: string | Buffer, event: JsonObject, place: SessionPlace): string | Buffer
  /** Called once a second. Throws AppError when the key may not be used any more. */
  checkKey(): Promise<void>
}
