import type { IncomingMessage } from 'node:http'
import type { LimitState } from '@tollgate/contract'
import type { RelayCall } from '../relay/call.ts'
import type { CallTrace } from '../relay/call-trace.ts'
import type { CallerDirectory, CallerGroups, CallerUser, KeyById } from '../relay/callers.ts'
import type { Caller } from '../relay/ports.ts'
import type { Account } from './handlers/billing-answer.ts'

export type { CallerDirectory, CallerGroups, CallerUser, KeyById, TokenRecord } from '../relay/callers.ts'

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
  /** Counts the request, or returns the limit that it would exceed; a refused request is not counted. */
  enter(userId: number, limits: RateLimits): RateAnswer | Promise<RateAnswer>
  succeeded(userId: number, limits: RateLimits): void
}

export type RateAnswer = 'allowed' | 'total' | 'success'

/** A picture with its media type and bytes. */
export interface Picture {
  /** The media type; one that cannot hold scripts. */
  readonly type: string
  readonly parts: AsyncIterable<Uint8Array>
}

/** The part of a relay request that a trace records. */
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
  /** Called as soon as the model and caller of the request are known. */
  forCall(call: Pick<RelayCall, 'endpoint' | 'model' | 'stream' | 'caller' | 'session'>): CallTrace
  ended(status: number): void
}

/** Decides on arrival which requests are traced; undefined for one that is not. */
export interface Tracing {
  begin(request: TracedRequest): RequestTrace | undefined
}

export interface AnnouncedEnd {
  /** `2026-12-31`, in UTC. */
  readonly day: string
  /** Model that replaces it; empty for none. */
  readonly replacedBy: string
}

/** Ports of the gateway besides the relay itself. */
export interface GatewayPorts {
  readonly callers: CallerDirectory
  /** Finds keys for calls that are made for their owners; absent where none are made. */
  readonly keyById?: KeyById | undefined
  /** Which of these requests are charged in the database. */
  readonly chargedAmong: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  readonly sessions: Sessions
  readonly groups: CallerGroups
  readonly rateLimit: RateLimit
  /** Balance and use of a caller. */
  readonly accountOf: (caller: Caller) => Promise<Account>
  /** States of the limits that apply to calls of a caller from an address; absent where there are no limits. */
  readonly limitStatesOf?: (caller: Caller, ip: string) => Promise<readonly LimitState[]>
  /** The signed receipts of calls; absent where there are none. */
  readonly receipts?: { of(caller: Caller, requestId: string): Promise<string | undefined> } | undefined
  /** The public keys that receipts are checked with, as JSON Web Keys. */
  readonly receiptKeys?: (() => Promise<readonly object[]>) | undefined
  /** Counts a call that is not relayed; false when the address has made too many. */
  readonly mayAsk: (ip: string) => boolean | Promise<boolean>
  /** The client's address; forwarding headers count only when a trusted proxy sent them. */
  readonly clientAddress: (request: IncomingMessage) => string
  /** The gateway's own address that a request used, without a trailing slash; empty where it is not known. */
  readonly publicAddress: (request: IncomingMessage) => string
  /** Path below which the site is reached; empty or absent for the root of its host. */
  readonly basePath?: string
  /** The picture of a drawing by the upstream's id, readable without a key; undefined when there is none. */
  readonly drawingPicture: (mjId: string) => Promise<Picture | undefined>
  /** Announced end and replacement of a model; undefined for a model without one, absent where no ends are configured. */
  readonly modelEnd?: (model: string) => AnnouncedEnd | undefined
  readonly maxRequestBytes: number
  /** Milliseconds from the first byte of a WebSocket message to its last; 30,000 where it is absent. */
  readonly messageMs?: number | undefined
  /** Traces requests; undefined where tracing is off. */
  readonly tracing?: Tracing | undefined
  /** Writes one line to the operator's log. */
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}
