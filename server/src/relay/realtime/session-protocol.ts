import type { Usage } from '../../billing/usage.ts'
import type { UsageLimits } from '../../billing/usage-reports.ts'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import type { UsagePath } from '../../dialects/cost/cost-place.ts'
import type { AppError } from '../../lib/app-error.ts'
import type { ProviderCall } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import type { Used } from '../exchange/exchange.ts'
import type { RelayChannel, TokenCounter } from '../ports.ts'

/** Measures what a session uses, from the messages of both sides. */
export interface SessionMeter {
  /** True while the upstream owes a response, or the rest of one. */
  readonly owed: boolean
  /** True if a price per call is due. */
  readonly answered: boolean
  /** Usage so far, estimated where it was not reported. */
  readonly soFar: Usage
  /** The same without a running answer that has no content yet. */
  readonly delivered: Usage
  fromClient(event: JsonObject): void
  /** True at the end of a response. */
  fromUpstream(event: JsonObject): boolean
  /** Drops a running answer without content: its client gets and pays nothing of it. */
  withhold(): void
  /** Billable usage of the finished turns; asynchronous where their tokens must be counted first. Changes nothing. */
  settled(model: string, counter: TokenCounter): Usage | Promise<Usage>
  /** Usage at the end of the session. */
  total(model: string, counter: TokenCounter): Promise<Used>
}

/** A session at a channel before its handshake. */
export interface SessionTarget {
  readonly call: RelayCall
  readonly channel: RelayChannel
  /** Its path and query are those of the client. */
  readonly providerCall: ProviderCall
  /** The call over WebRTC whose events are followed. */
  readonly callId: string | undefined
}

/** Handshake of a session at a channel. */
interface Opening {
  readonly call: ProviderCall
  readonly url: string
  /** First message to the upstream; the session begins with its reply. */
  readonly setup?: string
}

/** HTTP status for a close, and the provider's message. */
export interface CloseRefusal {
  readonly status: number
  readonly message: string
}

/** Protocol of one API's sessions, so that all are run and billed by the same code. */
export interface SessionProtocol {
  opening(target: SessionTarget): Opening
  newMeter(call: RelayCall, limits: UsageLimits): SessionMeter
  /** The first of the lower-cased words in a session's settings. */
  blockedWordInSettings(settings: JsonObject, words: readonly string[]): string | undefined
  /** The first of the lower-cased words in a client's event. */
  blockedWordIn(event: JsonObject, words: readonly string[]): string | undefined
  /** Event for the upstream before the client's first; undefined for none. */
  firstEvent(call: RelayCall, upstreamModel: string): JsonObject | undefined
  /** Error for a client's event that must not be forwarded; undefined for nearly all. */
  refusalOf(event: JsonObject, call: RelayCall, upstreamModel: string): AppError | undefined
  /** Objects of a client's event that offer tools; undefined for nearly all. */
  offersIn(event: JsonObject): readonly JsonObject[] | undefined
  /** The client's event for the channel: `message` or another text. */
  outgoing(event: JsonObject, message: string, call: RelayCall, upstreamModel: string): string
  /** Path of the usage in an upstream event, to which the cost is added; undefined for all other events. */
  usageIn(event: JsonObject): UsagePath | undefined
  /** True where errors are events, after which a session goes on; elsewhere an error is the reason of a close. */
  readonly hasErrorEvents: boolean
  /** The error in an upstream event; undefined for all other events. */
  errorIn(event: JsonObject): JsonObject | undefined
  /** Error in a close of the upstream; undefined for none. */
  refusalIn(code: number, reason: string): CloseRefusal | undefined
}
