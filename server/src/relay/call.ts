import type { JsonObject } from '../dialects/conversation/json.ts'
import type { Dialect, Unreadable } from '../dialects/dialect.ts'
import type { ClientEmbeddings, ReadEmbeddings } from '../dialects/media/client-embeddings.ts'
import type { PlainBody } from '../dialects/plain/plain-body.ts'
import type { RecalledThoughts } from '../dialects/thought-rules.ts'
import type { CallFallback, Gauges } from '../limits/call-limits.ts'
import type { CallCapture } from './call-capture.ts'
import type { CallTrace } from './call-trace.ts'
import type { CallPlan } from './plan/call-plan.ts'
import type { Caller, RelayChannel } from './ports.ts'
import type { CallRoute, RelayTarget } from './routing/virtual/virtual-model.ts'
import type { SealedReasoning } from './sessions/sealed/sealed-reasoning.ts'
import type { Session } from './sessions/session-of.ts'
import type { Sound } from './usage/sound/sound-length.ts'

export type { Client, ClientListeners } from './client.ts'

/** What a client may ask of upstreams. Of a conversation, the dialect knows how bodies are read and counted. */
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

/** Who asks for what, as far as records need it; also there when a call is refused before it is understood. */
export interface CallFacts {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly caller: Caller
  readonly ip: string
  /** What made the call, see `programOf`; undefined where it says nothing of itself. */
  readonly program?: string | undefined
  /** As upstreams know it: the playground's is rewritten to `/v1/…`. */
  readonly path: string
  /** Empty while unknown. */
  readonly model: string
  /** The name that the client asked for, where that means another model; absent otherwise. */
  readonly askedName?: string | undefined
  /** Set where a limit has put the model in the place of another. */
  readonly fallback?: CallFallback | undefined
  /** Models that the request names beside its own, all of which its caller may use; absent for nearly all calls. */
  readonly named?: readonly string[] | undefined
  /** Versions of a service's model that the request chooses; absent for all calls but tasks. */
  readonly versions?: readonly string[] | undefined
  readonly stream: boolean
  /** Cost tags of the key and of the call, printed; absent where the call adds none to its key's. */
  readonly tags?: string | undefined
  /** The customer of the caller for whom it is made; absent where it names none. */
  readonly endUser?: string | undefined
  /** Of a conversation; absent for other calls, and where it was refused before it was understood. */
  readonly dialect?: Dialect | undefined
  /** What was asked, parsed; absent where it was refused unread. Records keep its parameters, never its texts. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** Follows the call while it runs; undefined for calls that nobody follows. */
  readonly trace?: CallTrace | undefined
  /** Writes its bytes down; undefined for calls that are not inspected. */
  readonly capture?: CallCapture | undefined
  /** The plan of the key for this model and kind of route, as it stood when the call came; absent for calls without a plan. */
  readonly plan?: CallPlan | undefined
  /** Called before the answer begins with where the limits stand that count the call; absent where no answer says so. */
  readonly limited?: ((gauges: Gauges) => void) | undefined
  /** Set where the answer says what the call costs; undefined for nearly all calls. */
  readonly costAsked?: CostAsked | undefined
}

/** One checked call. `raw` are the bytes that came, `body` the same, parsed; `text` the same where it is short. */
export interface RelayCall extends CallFacts {
  readonly endpoint: RelayEndpoint
  /** Set where the endpoint is `conversation`. */
  readonly dialect: Dialect | undefined
  /** The query of the address with its question mark, or empty. */
  readonly query: string
  readonly raw: Buffer
  readonly body: Readonly<Record<string, unknown>>
  readonly text?: string | undefined
  /** Set where `body` is a plain one: what a plain body cannot hold is then not looked for. */
  readonly plain?: PlainBody | undefined
  /** Set for large bodies only: what prices and token counts need of the body. */
  readonly survey?: BodySurvey | undefined
  /** The client's `Accept` header; undefined when it sent none. */
  readonly accept: string | undefined
  /** Headers of the client that upstreams of its dialect want to see, e.g. `anthropic-beta`. */
  readonly passed: Readonly<Record<string, string>>
  /** The only channel that can answer, because it stores what this call goes on from; undefined for calls that stand alone. */
  readonly place?: BoundPlace | undefined
  /** Set where embeddings are asked for in a dialect other than OpenAI's; `raw` and `body` are the same request in OpenAI's. */
  readonly embeds?:
    | (ReadEmbeddings & {
        readonly client: ClientEmbeddings
        /** The bytes that the client sent. */
        readonly raw: Buffer
        readonly path: string
      })
    | undefined
  /** Where the call is an upload: `raw` is the form, and `body` its fields. */
  readonly form?: Form | undefined
  /** Set where the model is a virtual one. */
  readonly route?: CallRoute | undefined
  /**
   * The same call for another model, as if the client had asked for that. Throws AppError where the caller may not call it. Absent
   * where calls cannot go on with another model.
   */
  readonly withModel?:
    | ((call: RelayCall, fallback: { readonly model: string; readonly limit: string }) => RelayCall)
    | undefined
  /** The target of the virtual model that is being asked. */
  readonly target?: RelayTarget | undefined
  /** True where another target is asked if the provider declines to answer before the client got any of it. */
  readonly passesOnDeclined?: boolean | undefined
  /** True where the provider gets the client's bytes as they are. */
  readonly asIs?: boolean | undefined
  /** Called with its successful answer, or each event of one, and where that comes from; absent for nearly all calls. */
  readonly made?:
    | ((answer: JsonObject, place: { readonly channelId: number; readonly key: string }) => void)
    | undefined
  /** Thoughts that its client left out; undefined for nearly all calls. */
  readonly recalled?: RecalledThoughts | undefined
  /** Its encrypted reasoning; undefined for calls without any. */
  readonly sealed?: SealedReasoning | undefined
  /** Which of it the account that is asked cannot read, and so does not get; undefined where it gets all. */
  readonly unreadable?: Unreadable | undefined
  /** Members that were left out because they chose a model or a route; absent for nearly all calls. */
  readonly removed?: readonly string[] | undefined
  /** The conversation that it belongs to; undefined for calls that belong to none. */
  readonly session?: Session | undefined
}

/** A call that has a plan, as sessions and tasks do. */
export type PlannedCall = RelayCall & { readonly plan: CallPlan }

/** A call whose client asked what it costs. */
export interface CostAsked {
  /** Names and values in turn that the head of a failure gets beside its own; absent where there is no such head. */
  readonly headers: string[] | undefined
}

/** The model that channels are asked for: the call's own, or the target of its virtual model. */
export const askedModel = ({ model, target }: Pick<RelayCall, 'model' | 'target'>): string => target?.model ?? model

/** Where a call must go: to the account that stores the response or runs the task that it goes on from. */
export interface BoundPlace {
  /** undefined if the channel was deleted: then no channel can answer. */
  readonly channel: RelayChannel | undefined
  /** undefined where the channel has lost the key: then one of its others is chosen. */
  readonly key: string | undefined
}

/**
 * What the thread that parsed a large body measured in it: reading megabytes of texts takes the main thread as long as parsing
 * them. It is valid for the model and the words that it was made for.
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
  /** Every file, whatever its name. */
  readonly files: readonly Buffer[]
}
