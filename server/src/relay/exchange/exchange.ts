import type { StatedCost } from '../../billing/stated/stated-costs.ts'
import type { Usage } from '../../billing/usage.ts'
import type { Doubted } from '../../billing/usage-reports.ts'
import type { Finish } from '../../dialects/conversation/conversation.ts'
import type { FirstRequest } from '../../dialects/media/following.ts'
import type { AnswerText } from '../../dialects/passthrough.ts'
import type { Extras } from '../../dialects/tools/tools-used.ts'
import type { AnswerMemory } from '../../lib/memory/answer-memory.ts'
import type { Client } from '../call.ts'
import type { CallFailure } from '../failure.ts'
import type { FetchPicture } from '../ports.ts'
import type { AnswerCheck } from '../stream/answer-guard.ts'
import type { JsonNetwork } from '../upstream/fetch-json.ts'
import type { Headers, UpstreamTimeouts } from '../upstream/upstream.ts'
import type { Refusal } from '../upstream/upstream-failure.ts'
import type { CountingProvider } from '../usage/limits.ts'
import type { PrintedAnswer } from './printed-answer.ts'

/** Request to the provider. */
export interface ProviderRequest {
  /** Model after the channel's mapping and the provider's own rules. */
  readonly model: string
  /** As in `ProviderCall`. */
  readonly path: string
  /** The query of the address with its question mark, or empty. */
  readonly query: string
  readonly contentType: string
  /** The client's `accept`; undefined for the usual one. */
  readonly accept: string | undefined
  readonly body: Buffer
  /** Token counting of the provider; absent where it is unknown. */
  readonly provider?: CountingProvider
  /** Heads that were written for plain calls of the same model before; absent where each call has its own. */
  readonly heads?: WrittenHead[] | undefined
}

/** Address and head of a request as they go out, with what they depend on beside the channel and its model. */
export interface WrittenHead {
  readonly key: string
  readonly stream: boolean
  readonly accept: string | undefined
  readonly query: string
  /** The client's headers that are passed on. */
  readonly passed: Readonly<Record<string, string>>
  /** The model that the client asked for. */
  readonly asked: string
  readonly limits: RelayLimits
  readonly url: string
  /** The same in two. */
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeouts: UpstreamTimeouts
  /** Of a stream whose silence is measured elsewhere. */
  readonly watchedTimeouts: UpstreamTimeouts
}

export interface ResponseHead {
  readonly status: number
  readonly headers: Headers
}

/**
 * One way to make a call at one channel. The kind (passthrough, translated, media adapter, upload) is decided by
 * `exchangeFor`; the holder of an exchange never asks which it is. One per attempt.
 */
export interface Exchange {
  readonly request: ProviderRequest
  /** Reasoning effort, for the log. */
  readonly effort: string | undefined
  /** Request fields that the provider cannot express. */
  readonly unsupported: readonly string[]
  /**
   * Forwards a success while it arrives; undefined where the client gets it only when it is complete. Not called for JSON that answers a
   * call without a stream.
   */
  openStream(head: ResponseHead, target: StreamTarget): StreamForwarder | undefined
  /** Reads a whole success; a promise only where the answer is large or has to be followed. Throws for what cannot be read. */
  readResponse(head: ResponseHead, bytes: Buffer, connection: Connection): Reading | Promise<Reading>
  readError(body: Buffer): ErrorResponse
  /** Called when the client has left. True if reading continues and the call settles itself. */
  leave(): boolean
}

export type Reading = ProviderAnswer | BadResponse

/** A response with a success status that holds no answer. */
export type BadResponse =
  /** `status` is the HTTP status that the body names; undefined if it names none. */
  | {
      readonly kind: 'error'
      readonly json: unknown
      readonly status: number | undefined
      /** True if the same channel may answer a second attempt. */
      readonly mayAskAgain?: true
    }
  | {
      readonly kind: 'broken'
      readonly code: 'upstream_broke' | 'upstream_timeout' | 'empty_answer'
      readonly cause: string
    }
  | { readonly kind: 'client_gone' }

/** A refusal's body. */
export interface ErrorResponse {
  /** In OpenAI's shape where the provider has one of its own. */
  readonly body: Buffer
  /** True if the client speaks the provider's dialect, so that it gets the status as it was. */
  readonly native: boolean
}

/** Network access of an exchange and the request that was sent. */
export interface Connection {
  readonly network: Network
  /** The request as it was sent upstream. */
  readonly sent: FirstRequest
}

export interface Network extends JsonNetwork {
  /** undefined where no pictures can be fetched. */
  readonly fetchPicture?: FetchPicture | undefined
}

/** Target of a forwarded stream. */
export interface StreamTarget {
  readonly client: Client
  /** Bytes. */
  readonly largestEvent: number
  /** The channel's key, which is cut out of everything that the client gets. */
  readonly key: string
  /** undefined where answers are not checked. */
  readonly answerCheck: AnswerCheck | undefined
  /** True if another channel may still answer: events before the first content are held back. */
  readonly holdsOpening: boolean
  /** Called when the client's buffer is full. */
  whenFull(): void
}

/** Usage of an answer; `estimated` when the upstream did not report it. */
export interface Used {
  readonly usage: Usage
  readonly estimated: boolean
  /** Additional text for the log. */
  readonly note?: string
  /** Present where the provider does not charge for the answer, whatever `usage` states. */
  readonly free?: true
}

/** A whole answer, or a stream of which only the end is left to send. */
export interface ProviderAnswer {
  readonly kind: 'answer'
  /** True for a stream: the client has had all but the end. */
  readonly begun: boolean
  /** The JSON of a whole answer, a media adapter's in OpenAI's shape; undefined for a stream. */
  readonly json: Readonly<Record<string, unknown>> | undefined
  /** Factor of a price per call. */
  readonly calls: number
  /** Fields dropped in either direction: unsupported request fields and unsupported parts of the answer. */
  readonly unsupported: readonly string[]
  /** The best that the upstream reported; undefined when it reported nothing that can be billed. */
  usage(): Usage | undefined
  /** Seconds of sound in the answer; absent, or undefined, where that is unknown. */
  soundSeconds?(): number | undefined
  /** Reported usage that exceeds the limits of the call; undefined for none. */
  doubted(): Doubted | undefined
  /** True if `usage` is only the beginning: a stream that was cut short has produced more. */
  isPartial(): boolean
  /** The text and the tool calls so far, for counting. */
  output(): AnswerText
  /** Provider tools and service tier read so far, for answers that do not state them with their usage. */
  extras(): Extras
  /** Id under which the provider stores the answer; undefined where it does not. */
  answerId(): string | undefined
  /** Ids of the items that the provider stores with the answer. */
  itemIds?(): readonly string[]
  /** The answer's own id, where it was read for other reasons; empty, or undefined, for none. */
  ownId?(): string | undefined
  /** True if a whole answer states that the provider declined; absent for streams, which report `declined`. */
  isDeclined?(): boolean
  /** Model that the answer names; undefined for none. With `all`, chunks that were only forwarded are read for it. */
  statedModel?(all: boolean): string | undefined
  /** Finish reasons of its candidates in order, known where the call is traced. Absent, or empty, where unknown. */
  finishReasons?(): readonly Finish[]
  /** True where the model refused before it wrote anything; absent where that is not known. */
  refusedAtOnce?(): boolean
  /** Ids of encrypted reasoning that only the asked account can read; absent where there can be none. */
  readonly seals?: (() => readonly string[]) | undefined
  /** The first of the words that the answer contains. */
  blockedWord(words: readonly string[]): string | undefined
  /** Builds the rest of the answer. Throws where that fails; then nothing may be charged. */
  print(used: Used): PrintedAnswer
}

/** State of a stream. `declined` where the provider declined, and another may still answer. */
export type Progress = 'flowing' | 'refused' | 'declined' | 'broken' | 'too_large' | 'stopped'

/** Forwards one upstream's stream to the client, except its end, which waits until the call is recorded. */
export interface StreamForwarder extends ProviderAnswer {
  /** An event with content has gone to the client: no other channel may answer any more. */
  readonly started: boolean
  /** True if content was sent to its client, or would have been if it had not left: more than the opening of a stream. */
  readonly delivered: boolean
  /**
   * True if content has arrived, forwarded or not: neither a head, a comment nor an empty chunk. It may read chunks that were only
   * forwarded so far.
   */
  readonly hasContent: boolean
  /** True if all content has arrived: only the usage, or the end mark, may be missing. */
  readonly complete: boolean
  /** The provider's own error object when it began with an error, or broke off with one. */
  readonly refusal: unknown
  /** The HTTP status that it names; undefined if it names none. */
  readonly refusalStatus?: number | undefined
  /** As in `BadResponse`. */
  readonly mayAskAgain?: true | undefined
  /** True where the client has received `refusal` after the stream began: nothing needs to be added. */
  readonly passesRefusal?: boolean
  /** True if the answer was cut at a blocked word. */
  readonly stoppedAtWord: boolean
  push(chunk: Buffer): Progress
  /** After the upstream's end. False when the stream ended in the middle. */
  finish(): boolean
  /** Sends the held events: an answer that ends early costs its partial content. */
  releaseHeld(): void
}

/** `stopped` at a blocked word, `out_of_quota` when no more could be held, `closed` by this server. */
export type AnswerEnd = 'done' | 'client_gone' | 'upstream_broke' | 'stopped' | 'out_of_quota' | 'closed'

/** Result of one channel. */
export type Outcome = Ended & {
  /** The provider's id of the request; empty for none. */
  readonly requestId: string
  /** The answer's own id, where it differs from `requestId`. */
  readonly answerId?: string
  /** Cost that a response header states. */
  readonly stated?: StatedCost
  /** Receipt id of another Tollgate upstream; absent where there was none. */
  readonly receipt?: string | undefined
}

export type Ended =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'answered'
      readonly answer: ProviderAnswer
      /** `done` for every answer that came whole. */
      readonly end: AnswerEnd
      /** Why a stream ended early; undefined for `done` and `client_gone`. */
      readonly failure: CallFailure | undefined
      /** Set where the client gets only the failure, so that the call is free. */
      readonly withheld?: true
    }
  /** The client left before the first byte; `sent` where the upstream may have received the request by then. */
  | { readonly kind: 'client_gone'; readonly sent: boolean }

export type Answered = Extract<Outcome, { kind: 'answered' }>

/** Controls of a running stream. */
export interface RunningStream {
  /** Stops reading from the upstream until `resume`. */
  pause(): void
  resume(): void
  /** Ends it with an error event. Delivered content is charged; without any, the call is free. */
  stop(failure: CallFailure, end: 'out_of_quota' | 'closed'): void
}

/** Times and sizes of the network, from the configuration. */
export interface RelayLimits {
  /** Milliseconds. */
  readonly timeouts: { readonly connect: number; readonly firstByte: number; readonly streamIdle: number }
  readonly maxResponseBytes: number
  /** Accounts for buffered answers; absent where only their size is limited. */
  readonly answerMemory?: AnswerMemory | undefined
  readonly defaultApiVersion: string
}
