import type { JsonObject } from '../dialects/conversation/json.ts'
import type { Dialect, Unreadable } from '../dialects/dialect.ts'
import type { ClientEmbeddings, ReadEmbeddings } from '../dialects/media/client-embeddings.ts'
import type { PlainBody } from '../dialects/plain/plain-body.ts'
import type { RecalledThoughts } from '../dialects/thought-rules.ts'
import type { CallFallback, Gauges } from '../limits/call-limits.ts'
import type { CallCapture } from './call-capture.ts'
import type { CallTrace } from './call-trace.ts'
import type { CallLane } from './lanes/call-lane.ts'
import type { CallPlan } from './plan/call-plan.ts'
import type { Caller, RelayChannel } from './ports.ts'
import type { CallRoute, RelayTarget } from './routing/virtual/virtual-model.ts'
import type { SealedReasoning } from './sessions/sealed/sealed-reasoning.ts'
import type { Session } from './sessions/session-of.ts'
import type { Sound } from './usage/sound/sound-length.ts'

export type { Client, ClientListeners } from './client.ts'

/** Kinds of calls. For `conversation`, the dialect defines how bodies are read and counted. */
export type RelayEndpoint =
  | 'conversation'
  | 'completions'
  | 'embeddings'
  | 'moderations'
  | 'rerank'
  | 'images'
  | 'speech'
  | 'transcripts'
  | 'realtime'
  | 'live'
  | 'cached_content'

/** Facts of a call that its record needs; also present for calls that are refused before their body is checked. */
export interface CallFacts {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly caller: Caller
  readonly ip: string
  /** Name of the client program, see `programOf`; undefined where it sends none. */
  readonly program?: string | undefined
  /** Path as upstreams know it: the playground's is rewritten to `/v1/…`. */
  readonly path: string
  /** Empty while unknown. */
  readonly model: string
  /** Name that the client sent, where it is an alias; absent otherwise. */
  readonly askedName?: string | undefined
  /** Set where a limit has replaced the model. */
  readonly fallback?: CallFallback | undefined
  /** Additional models that the request names, all allowed for its caller; absent for nearly all calls. */
  readonly named?: readonly string[] | undefined
  /** Versions of a service's model that the request chooses; absent for all calls but tasks. */
  readonly versions?: readonly string[] | undefined
  readonly stream: boolean
  /** Cost tags of the key and of the call, printed; absent where the call adds none to its key's. */
  readonly tags?: string | undefined
  /** End user on whose behalf the caller makes the call; absent where none is named. */
  readonly endUser?: string | undefined
  /** Dialect of a conversation; absent for other calls, and where it was refused before its body was checked. */
  readonly dialect?: Dialect | undefined
  /** Parsed request body; absent where the call was refused unread. Records store its parameters, never its texts. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** Trace of the call; undefined for untraced calls. */
  readonly trace?: CallTrace | undefined
  /** Recorder of its bytes; undefined for calls that are not inspected. */
  readonly capture?: CallCapture | undefined
  /** The plan of the key for this model and kind of route, as it stood when the call came; absent for calls without a plan. */
  readonly plan?: CallPlan | undefined
  /** Called before the answer begins with the states of its limits; absent where no answer header shows them. */
  readonly limited?: ((gauges: Gauges) => void) | undefined
  /** Set where the answer states its cost; undefined for nearly all calls. */
  readonly costAsked?: CostAsked | undefined
}

/** One checked call. `raw` are the request's bytes, `body` the same, parsed; `text` the same where it is short. */
export interface RelayCall extends CallFacts {
  readonly endpoint: RelayEndpoint
  /** Set where the endpoint is `conversation`. */
  readonly dialect: Dialect | undefined
  /** The query of the address with its question mark, or empty. */
  readonly query: string
  readonly raw: Buffer
  readonly body: Readonly<Record<string, unknown>>
  readonly text?: string | undefined
  /** Set where `body` is plain: it then needs no search for features that a plain body cannot have. */
  readonly plain?: PlainBody | undefined
  /** Set for large bodies only: what prices and token counts need of the body. */
  readonly survey?: BodySurvey | undefined
  /** The client's `Accept` header; undefined when it sent none. */
  readonly accept: string | undefined
  /** Headers of the client that upstreams of its dialect want to see, e.g. `anthropic-beta`. */
  readonly passed: Readonly<Record<string, string>>
  /** The only channel that can answer, because it stores the response that this call continues; undefined for other calls. */
  readonly place?: BoundPlace | undefined
  /** Set for embeddings in a dialect other than OpenAI's; `raw` and `body` are the same request in OpenAI's. */
  readonly embeds?:
    | (ReadEmbeddings & {
        readonly client: ClientEmbeddings
        /** The bytes that the client sent. */
        readonly raw: Buffer
        readonly path: string
      })
    | undefined
  /** Set for uploads: `raw` is the form, and `body` its fields. */
  readonly form?: Form | undefined
  /** Set where the model is a virtual one. */
  readonly route?: CallRoute | undefined
  /**
   * Builds the same call for another model. Throws AppError where the caller may not call it. Absent for calls that cannot fall back to
   * another model.
   */
  readonly withModel?:
    | ((call: RelayCall, fallback: { readonly model: string; readonly limit: string }) => RelayCall)
    | undefined
  /** The target of the virtual model that is being tried. */
  readonly target?: RelayTarget | undefined
  /** True where another target is tried if the provider declines before the client got any content. */
  readonly passesOnDeclined?: boolean | undefined
  /** True where the client's bytes are forwarded unchanged. */
  readonly asIs?: boolean | undefined
  /** Called with each successful answer, or event of one, and the channel and key that it came from; absent for nearly all calls. */
  readonly made?:
    | ((answer: JsonObject, place: { readonly channelId: number; readonly key: string }) => void)
    | undefined
  /** Thinking blocks that its client left out; undefined for nearly all calls. */
  readonly recalled?: RecalledThoughts | undefined
  /** Its encrypted reasoning; undefined for calls without any. */
  readonly sealed?: SealedReasoning | undefined
  /** Parts of it that the channel's account cannot decrypt, so that they are not sent; undefined for none. */
  readonly unreadable?: Unreadable | undefined
  /** Members that were removed because they chose a model or a route; absent for nearly all calls. */
  readonly removed?: readonly string[] | undefined
  /** The conversation that it belongs to; undefined for single calls. */
  readonly session?: Session | undefined
  /** Set where the call has a deadline; undefined for nearly all calls. */
  readonly lane?: CallLane<RelayCall> | undefined
  /** True while a call with a deadline is tried in the provider's flex tier: a refusal says nothing about the channel. */
  readonly triesFlex?: true | undefined
}

/** A call that has a plan, as sessions and tasks do. */
export type PlannedCall = RelayCall & { readonly plan: CallPlan }

/** Request for the cost in the answer. */
export interface CostAsked {
  /** Alternating names and values of headers that a failure gets; absent where its head cannot have any. */
  readonly headers: string[] | undefined
}

/** The model for channels: the call's own, or the target of its virtual model. */
export const askedModel = ({ model, target }: Pick<RelayCall, 'model' | 'target'>): string => target?.model ?? model

/** The account that a call is bound to, because it stores the response or runs the task that the call continues. */
export interface BoundPlace {
  /** undefined if the channel was deleted: then no channel can answer. */
  readonly channel: RelayChannel | undefined
  /** undefined where the key was removed from the channel: another of its keys is then used. */
  readonly key: string | undefined
}

/**
 * Measurements of a large body by the thread that parsed it, since reading megabytes of text takes as long as parsing them. Valid for
 * one model and list of words.
 */
export interface BodySurvey {
  readonly model: string
  /** Prompt tokens of images and the like, which need no tokenizer. */
  readonly tokens: number
  /** Bytes of the texts that cost tokens. */
  readonly textBytes: number
  /** Lower-cased words that were searched. */
  readonly words: readonly string[]
  readonly hasWord: boolean
  /** See `holdsMarkedSignature`. */
  readonly hasMarkedSignature: boolean
}

/** An upload, as multipart/form-data. */
export interface Form {
  /** The `Content-Type` header with its boundary. */
  readonly contentType: string
  /** The file of that name. */
  readonly file: Sound | undefined
  /** All files, of any field name. */
  readonly files: readonly Buffer[]
}
