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
  /** The upstream owes a response, or the rest of one. */
  readonly owed: boolean
  /** True if there was anything that a price per call is due for. */
  readonly answered: boolean
  /** What was used so far, estimated where it was not reported. */
  readonly soFar: Usage
  /** The same without an answer under way that has said nothing yet. */
  readonly delivered: Usage
  fromClient(event: JsonObject): void
  /** True at the end of a response. */
  fromUpstream(event: JsonObject): boolean
  /** Forgets an answer under way that has said nothing: its client is given nothing of it, and pays nothing for it. */
  withhold(): void
  /**
   * What the turns used that are over, as it will be billed; later where their tokens must be counted first. Changes nothing.
   */
  settled(model: string, counter: TokenCounter): Usage | Promise<Usage>
  /** What was used when the session is over. */
  total(model: string, counter: TokenCounter): Promise<Used>
}

/** A session at a channel, before it is asked for. */
export interface SessionTarget {
  readonly call: RelayCall
  readonly channel: RelayChannel
  /** Its path and query are those of the client. */
  readonly providerCall: ProviderCall
  /** The call over WebRTC whose events are followed. */
  readonly callId: string | undefined
}

/** How a channel is asked for a session. */
interface Opening {
  readonly call: ProviderCall
  readonly url: string
  /** What is said first; then the session has begun with the first message that comes back. */
  readonly setup?: string
}

/** The status that stands for a close, and the words of the provider. */
export interface CloseRefusal {
  readonly status: number
  readonly message: string
}

/** What sessions of one API are like, so that all are run and billed in one way. */
export interface SessionProtocol {
  opening(target: SessionTarget): Opening
  newMeter(call: RelayCall, limits: UsageLimits): SessionMeter
  /** The first of the lower-cased words in what a session is to be. */
  blockedWordInSettings(settings: JsonObject, words: readonly string[]): string | undefined
  /** The first of the lower-cased words that a client's event holds. */
  blockedWordIn(event: JsonObject, words: readonly string[]): string | undefined
  /** Told to the upstream before the client says anything; undefined for nothing. */
  firstEvent(call: RelayCall, upstreamModel: string): JsonObject | undefined
  /** Why a client's event must not go upstream; undefined for nearly all. */
  refusalOf(event: JsonObject, call: RelayCall, upstreamModel: string): AppError | undefined
  /** Objects of a client's event that offer tools; undefined for nearly all. */
  offersIn(event: JsonObject): readonly JsonObject[] | undefined
  /** A client's event as the channel gets it: `message` or another text. */
  outgoing(event: JsonObject, message: string, call: RelayCall, upstreamModel: string): string
  /** Where an event of the upstream says what was used, and so what it costs; undefined for all other events. */
  usageIn(event: JsonObject): UsagePath | undefined
  /** True where errors are events, and a session goes on after them; elsewhere an error is the reason of a close. */
  readonly hasErrorEvents: boolean
  /** The error that an event of the upstream tells; undefined for all other events. */
  errorIn(event: JsonObject): JsonObject | undefined
  /** What a close of the upstream tells instead of an error event; undefined where it tells nothing. */
  refusalIn(code: number, reason: string): CloseRefusal | undefined
}
