import type { IncomingMessage } from 'node:http'
import type { LimitState } from '@tollgate/contract'
import type { RelayCall } from '../relay/call.ts'
import type { CallTrace } from '../relay/call-trace.ts'
import type { CallerDirectory, CallerGroups, CallerUser } from '../relay/callers.ts'
import type { Caller } from '../relay/ports.ts'
import type { Account } from './handlers/billing-answer.ts'

export type { CallerDirectory, CallerGroups, CallerUser, TokenRecord } from '../relay/callers.ts'

/** The browser session behind a playground call. */
interface Sessions {
  /**
   * The signed-in user. Throws an AppError otherwise: `not_signed_in`, `user_id_header_*`, `user_banned`, or
   * `access_token_not_supported` when a system access token was used.
   */
  caller(request: IncomingMessage): Promise<CallerUser>
}

export interface RateLimits {
  readonly minutes: number
  /** All requests, failed ones included; 0 for no limit. */
  readonly count: number
  /** Requests answered below 400; 0 for no limit. */
  readonly successCount: number
}

/** Requests per user; on several nodes a shared store implements it. */
export interface RateLimit {
  /** Counts the request, or says which limit it would break; a refused request is not counted. */
  enter(userId: number, limits: RateLimits): RateAnswer | Promise<RateAnswer>
  succeeded(userId: number, limits: RateLimits): void
}

export type RateAnswer = 'allowed' | 'total' | 'success'

/** A picture on its way. */
export interface Picture {
  /** The media type; one that cannot hold scripts. */
  readonly type: string
  readonly parts: AsyncIterable<Uint8Array>
}

/** A request to the relay, as far as a trace needs it. */
export interface TracedRequest {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly method: string
  /** The kind of its route, e.g. `relay`. */
  readonly kind: string
  readonly path: string
  header(name: string): string | undefined
}

/** Follows one request from its arrival to its end. */
export interface RequestTrace {
  /** Once it is known which call it is. */
  forCall(call: Pick<RelayCall, 'endpoint' | 'model' | 'stream' | 'caller' | 'session'>): CallTrace
  ended(status: number): void
}

/** Decides for each request at its arrival whether it is followed; undefined where it is not. */
export interface Tracing {
  begin(request: TracedRequest): RequestTrace | undefined
}

export interface AnnouncedEnd {
  /** `2026-12-31`, in UTC. */
  readonly day: string
  /** Empty where nothing does. */
  readonly replacedBy: string
}

/** What the gateway needs besides the relay itself. */
export interface GatewayPorts {
  readonly callers: CallerDirectory
  readonly sessions: Sessions
  readonly groups: CallerGroups
  readonly rateLimit: RateLimit
  /** What a caller has and has used. */
  readonly accountOf: (caller: Caller) => Promise<Account>
  /** Where the limits stand that count the calls of a caller from an address; none where it is absent. */
  readonly limitStatesOf?: (caller: Caller, ip: string) => Promise<readonly LimitState[]>
  /** The signed receipts of calls; absent where there are none. */
  readonly receipts?: { of(caller: Caller, requestId: string): Promise<string | undefined> } | undefined
  /** The public keys that receipts are checked with, as JSON Web Keys. */
  readonly receiptKeys?: (() => Promise<readonly object[]>) | undefined
  /** Counts a call that is no relay; false when the address has made too many. */
  readonly mayAsk: (ip: string) => boolean | Promise<boolean>
  /** The client's address; forwarding headers are believed from trusted proxies only. */
  readonly clientAddress: (request: IncomingMessage) => string
  /** The gateway's address under which a request came, without a slash at its end; empty where it is not known. */
  readonly publicAddress: (request: IncomingMessage) => string
  /** The picture of a drawing by the upstream's id, for everybody who knows it; undefined when there is none. */
  readonly drawingPicture: (mjId: string) => Promise<Picture | undefined>
  /** When a model ends, and what follows it; undefined where that is not known, absent where nobody knows of any. */
  readonly modelEnd?: (model: string) => AnnouncedEnd | undefined
  readonly maxRequestBytes: number
  /** Milliseconds in which a message of a WebSocket must be whole that has begun; half a minute where it is absent. */
  readonly messageMs?: number | undefined
  /** Follows requests; undefined where nobody wants traces. */
  readonly tracing?: Tracing | undefined
  /** One line for the operator. */
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}
