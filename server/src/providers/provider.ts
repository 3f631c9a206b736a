import type { ChannelType } from '@tollgate/contract'
import type { BuiltInTool, DialectName } from '../dialects/conversation/conversation.ts'
import type { UpstreamDialect } from '../dialects/dialect.ts'
import type { Frames } from '../dialects/frames.ts'
import type { EmbeddingsDialect } from '../dialects/media/embeddings.ts'
import type { InfillForm } from '../dialects/media/infill.ts'
import type { PicturesDialect } from '../dialects/media/pictures.ts'
import type { RerankDialect } from '../dialects/media/rerank.ts'
import type { SpeechDialect } from '../dialects/media/speech.ts'
import type { TranscriptsDialect } from '../dialects/media/transcripts.ts'

/** The fields of a channel that its provider may read. */
export interface ProviderChannel {
  readonly baseUrl: string
  readonly organization: string
  readonly other: string
}

export interface ProviderCall {
  readonly channel: ProviderChannel
  readonly key: string
  /** Path of the client's call without query (the playground's as `/v1/…`), or the path of a language or media adapter. */
  readonly path: string
  readonly query: string
  /** Model name after the channel's mapping. */
  readonly model: string
  /** Model name before the channel's mapping; absent without a client. */
  readonly origin?: string
  readonly stream: boolean
  /** Headers of the client that belong to the dialect, e.g. `anthropic-beta`. */
  readonly passed: Readonly<Record<string, string>>
  /** Azure's version when neither the call nor the channel names one. */
  readonly defaultApiVersion?: string
  readonly options: ModelOptions
}

/** A request body before it is sent, for `adjust`. */
export interface OutgoingRequest {
  /** As in `ProviderCall`. */
  readonly path: string
  /** After the channel's mapping. */
  readonly model: string
  /** Address of the channel; absent where it does not matter. */
  readonly baseUrl?: string
  readonly body: Readonly<Record<string, unknown>>
  readonly options: ModelOptions
  /** As in `ProviderCall`. */
  readonly stream: boolean
  /** As in `ProviderCall`. */
  readonly passed: Readonly<Record<string, string>>
}

/** Facts that decide which plain bodies (`dialects/plain`) a provider takes as they are. */
export type PlainPlace = Pick<OutgoingRequest, 'path' | 'model' | 'options'> & { readonly baseUrl: string }

/** True for a plain body that is left as it is. */
export type PlainCheck = (body: Readonly<Record<string, unknown>>) => boolean

/** A request that is complete except for its authentication. */
export interface UnsignedRequest {
  readonly call: ProviderCall
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Tools of `sign`: the channel's own network (with its proxy and egress rules) and the time. */
export interface SigningTools {
  /** Milliseconds since 1970. */
  now(): number
  /** Throws without an answer, and when the answer is not JSON. */
  post(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | Buffer
  }): Promise<{ readonly status: number; readonly json: Readonly<Record<string, unknown>> }>
}

/** Changes of a request body; all other bytes stay as they are. */
export interface Adjustment {
  readonly model?: string
  /** Reasoning effort of the request, for the log. */
  readonly effort?: string
  /** New values of top-level members; undefined removes one. */
  readonly members?: Readonly<Record<string, unknown>>
  /** New role of the first message. */
  readonly firstRole?: string
  /** New role of messages of the role `developer`. */
  readonly developerRole?: string
  /** New values of members of messages, by the message's place in the list; undefined removes one. */
  readonly messageMembers?: ReadonlyMap<number, Readonly<Record<string, unknown>>>
  /** Text of a system message that is inserted before all others. */
  readonly leadingSystem?: string
  /** Names of removed members that had an effect. */
  readonly unsupported?: readonly string[]
}

/** Options of the operator for families of models. */
export interface ModelOptions {
  readonly claude: {
    /** Model → header → values. */
    readonly headers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
    /** Tokens, by model; `default` for the others. */
    readonly maxTokens: Readonly<Record<string, number>>
    /** If true, a model name that ends in `-thinking` turns thinking on, with this share of max_tokens as its budget. */
    readonly thinkingAdapter: boolean
    readonly thinkingShare: number
  }
  readonly gemini: {
    /** Category → threshold; `default` for the others. */
    readonly safety: Readonly<Record<string, string>>
    readonly versions: Readonly<Record<string, string>>
  }
}

/** A wire dialect with which conversations reach a provider. */
export interface ProviderDialect {
  /** The name of a client's dialect if its calls go through unchanged. */
  readonly name: string
  readonly dialect: (options: ModelOptions) => UpstreamDialect
  /** Splits its streams into messages; server-sent events when absent. Streams that go through become server-sent events. */
  readonly frames?: () => Frames
  /** `ProviderCall.path` of a conversation that was translated to this language. */
  readonly path: string
  /** True for a built-in tool that a model does not have in this language. */
  readonly lacks?: (tool: BuiltInTool, model: string) => boolean
  /** True for a request in this language that a model refuses, but accepts in another language of the provider. */
  readonly refuses?: (model: string, body: Readonly<Record<string, unknown>>) => boolean
}

/** How an engine counts prompts. */
export interface PromptCounts {
  /** The chat completions in which a prompt is written. */
  readonly language: ProviderDialect
  /** Endpoints that count, the most exact first, and the member of the answer that holds the count. */
  readonly places: readonly { readonly path: string; readonly member: string }[]
}

/** Facts about inference engines that the operator runs. */
interface Engine {
  /** Paths that answer 2xx while it works, probed one after the other before it is disabled. */
  readonly probes: readonly string[]
}

/** A kind of upstream: how it is called and which languages it has (docs/adding-a-provider.md). */
export interface Provider {
  readonly type: number
  readonly name: string
  /** Label, colour and help texts in the console. */
  readonly console: Pick<ChannelType, 'label' | 'color' | 'key_hint' | 'note' | 'fields'>
  readonly baseUrl: string
  /** Models that the console offers for a new channel, newest first; older names that clients may still use stand at the end. */
  readonly models: readonly string[]
  /** `owned_by` in the model list. */
  readonly owner: string
  /** True if streams are to ask for their usage with `stream_options`, whether or not their client does. */
  readonly streamOptions: boolean
  /** True if it refuses `stream_options`, also of clients that ask; it reports usage all the same. */
  readonly refusesStreamOptions?: true
  /** True where every call that makes something is a task, whose price is known at its end alone. */
  readonly billsLater?: true
  /** True if its channels may have no key. */
  readonly keyOptional?: true
  /** Present where the operator runs it: it caches every prompt, however short. */
  readonly engine?: Engine
  /** Languages for conversations, the preferred one first; empty for a provider without conversations. */
  readonly languages: readonly ProviderDialect[]
  /**
   * The languages of one model, if they depend on the model, the key or the address. Without it `languages` applies to every
   * model.
   */
  languagesOf?(
    model: string,
    at: { readonly channel: ProviderChannel; readonly key: string },
  ): readonly ProviderDialect[]
  /** True if `adjust` adds required members: it then also runs for channels that pass bodies through unchanged. */
  readonly envelope?: true
  /** True if it takes OpenAI's other calls (completions, embeddings, pictures, speech …) unchanged. */
  readonly otherCalls: boolean
  /** Path and form of infill requests (text between two texts); OpenAI's completions with a `suffix` when absent. */
  infills?(channel: ProviderChannel): { readonly path: string; readonly form: InfillForm } | undefined
  /** Translates OpenAI's embeddings to its own API; `path` becomes `ProviderCall.path`. Takes precedence over `otherCalls`. */
  readonly embeddings?: EmbeddingsDialect & {
    readonly path: string
    /** True for keys that work with this API; all keys when absent. */
    readonly isFor?: (key: string) => boolean
  }
  /** Translates reranking, which clients request in Jina's API. */
  readonly rerank?: RerankDialect & { readonly path: string }
  /** Translates OpenAI's pictures; takes precedence over `otherCalls`. The dialect may depend on the model. */
  readonly pictures?: {
    readonly path: string
    readonly dialect: (model: string, options: ModelOptions) => PicturesDialect
    /** The path for edits of pictures; absent if there are none. */
    readonly edits?: string
  }
  /** Translates transcripts and translations of audio. */
  readonly transcripts?: TranscriptsDialect & { readonly path: string }
  /** Translates speech. */
  readonly speech?: SpeechDialect & { readonly path: string }
  /** The dialect whose embeddings calls it accepts unchanged. */
  readonly embedsIn?: DialectName
  /** The task API, for a provider that takes tasks instead of calls. */
  readonly tasks?: 'midjourney' | 'suno'
  /**
   * True if it completes and bills calls whose client left before the first byte, because closing the connection does not cancel
   * them. A channel may override it.
   */
  readonly billsAborted?: true
  /** True where `max_tokens` bounds the text of an answer alone and reasoning comes on top. */
  readonly reasoningBeside?: true
  /** True for applications, which add prompts and documents of their own to requests. */
  readonly addsContext?: true
  /** True where `prompt_cache_key` keeps the calls of a session with its cache; calls that are translated get it there. */
  takesCacheKey?(channel: ProviderChannel): boolean
  /**
   * Present where a refusal that comes before any output costs nothing, which Anthropic says of its own API
   * (platform.claude.com/docs/en/build-with-claude/refusals-and-fallback).
   */
  readonly freesRefusals?: true
  /** Present where an engine may stand behind the address that counts the prompts of this model; undefined where none may. */
  promptCounts?(model: string, channel: ProviderChannel): PromptCounts | undefined
  /** True if it has a call that counts the tokens of a prompt. */
  readonly countsTokens?: boolean
  url(call: ProviderCall): string
  headers(call: ProviderCall): Record<string, string>
  /**
   * Authentication beyond a header: signatures over the body, tokens that are fetched and cached, files that are uploaded first. A
   * returned body replaces the old one. Throws when the key is unusable; the message must not contain the key.
   */
  sign?(
    request: UnsignedRequest,
    tools: SigningTools,
  ): Promise<{ url: string; headers: Record<string, string>; body?: Buffer }>
  /** Gemini's calls about cached contents. */
  readonly cachesContents?: {
    /** Address of the list, or of the one with this id; undefined for models and keys that have none. */
    address(call: ProviderCall, id: string): { readonly baseUrl: string; readonly path: string } | undefined
    /** The model as requests name it. */
    model(call: ProviderCall): string
    /** Other values of top-level members of a new content; undefined for none. */
    adjust?(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined
  }
  /** Sessions of Gemini Live: their address, and the model as their first message names it. */
  readonly live?: {
    /** True if music is among them. */
    readonly music: boolean
    url(call: ProviderCall): string
    model(call: ProviderCall): string
  }
  /** For calls over a WebSocket (`url` returns `ws` or `wss`): true for the last message of an answer. */
  isLast?(message: string): boolean
  /** Changes of the request body that the provider needs; undefined for none. */
  adjust?(request: OutgoingRequest): Adjustment | undefined
  /**
   * Checks that all pass where `adjust` changes nothing in a plain body; none where it never changes one. undefined, or absent, where
   * `adjust` has to be called.
   */
  leavesPlain?(place: PlainPlace): readonly PlainCheck[] | undefined
  /** True where `url` or `headers` change over time for the same call. */
  readonly freshHead?: true
  /** Address and headers of its model list; undefined if it has none. */
  modelList: ((channel: ProviderChannel, key: string) => { url: string; headers: Record<string, string> }) | undefined
}
