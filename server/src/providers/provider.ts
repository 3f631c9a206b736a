import type { ChannelType } from '@tollgate/contract'
import type { BuiltInTool } from '../dialects/conversation/conversation.ts'
import type { UpstreamDialect } from '../dialects/dialect.ts'
import type { Frames } from '../dialects/frames.ts'
import type { EmbeddingsDialect } from '../dialects/media/embeddings.ts'
import type { PicturesDialect } from '../dialects/media/pictures.ts'
import type { RerankDialect } from '../dialects/media/rerank.ts'
import type { SpeechDialect } from '../dialects/media/speech.ts'
import type { TranscriptsDialect } from '../dialects/media/transcripts.ts'

/** What a provider may read of the channel that is called. */
export interface ProviderChannel {
  readonly baseUrl: string
  readonly organization: string
  readonly other: string
}

export interface ProviderCall {
  readonly channel: ProviderChannel
  readonly key: string
  /** Path that the client called, without query, the playground's rewritten to `/v1/…`. */
  readonly path: string
  readonly query: string
  /** Model name after the channel's mapping. */
  readonly model: string
  /** As the client wrote it, when somebody did. */
  readonly origin?: string
  readonly stream: boolean
  /** Headers of the client that belong to the dialect, e.g. `anthropic-beta`. */
  readonly passed: Readonly<Record<string, string>>
  /** Azure's version when neither the call nor the channel names one. */
  readonly defaultApiVersion?: string
  readonly options: ModelOptions
}

/** A request body that is about to be sent, as far as a provider may want to change it. */
export interface Ask {
  /** As in `ProviderCall`. */
  readonly path: string
  /** After the channel's mapping. */
  readonly model: string
  readonly body: Readonly<Record<string, unknown>>
  readonly options: ModelOptions
  /** As in `ProviderCall`. */
  readonly stream: boolean
  /** As in `ProviderCall`. */
  readonly passed: Readonly<Record<string, string>>
}

/** A request that is ready but for what proves who sends it. */
export interface Unsigned {
  readonly call: ProviderCall
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** What signing may need: the network as the channel reaches it (proxy and egress rules included) and the time. */
export interface SigningTools {
  /** Milliseconds since 1970. */
  now(): number
  /** Throws when there is no answer, or none in JSON. */
  post(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | Buffer
  }): Promise<{ readonly status: number; readonly json: Readonly<Record<string, unknown>> }>
}

/** What changes in the body; everything else keeps its bytes. */
export interface Adjustment {
  readonly model?: string
  /** Reasoning effort, for the log. */
  readonly effort?: string
  /** New values of top-level members; undefined removes one. */
  readonly members?: Readonly<Record<string, unknown>>
  /** New role of the first message. */
  readonly firstRole?: string
  /** New role of messages of the role `developer`. */
  readonly developerRole?: string
  /** Text of a system message to put before all others. */
  readonly leadingSystem?: string
  /** Names of what was taken away although it asked for something. */
  readonly lost?: readonly string[]
}

/** What operators say about families of models. */
export interface ModelOptions {
  readonly claude: {
    /** Model → header → values. */
    readonly headers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
    /** Tokens, by model; `default` for the others. */
    readonly maxTokens: Readonly<Record<string, number>>
    /** Whether a name that ends in `-thinking` turns thinking on, and with which share of the bound. */
    readonly thinkingAdapter: boolean
    readonly thinkingShare: number
  }
  readonly gemini: {
    /** Category → threshold; `default` for the others. */
    readonly safety: Readonly<Record<string, string>>
    readonly versions: Readonly<Record<string, string>>
  }
}

/** A wire language in which conversations can be had with a provider. */
export interface Language {
  /** Equal to a client's dialect when calls in it go through untouched. */
  readonly name: string
  readonly dialect: (options: ModelOptions) => UpstreamDialect
  /** How its streams are cut; server-sent events when absent. Untouched streams are cut anew into those. */
  readonly frames?: () => Frames
  /** What `ProviderCall.path` is when a conversation in another language was turned into this one. */
  readonly path: string
  /** Tools of the provider's own that a model does not get in this language; none when absent. */
  readonly lacks?: (tool: BuiltInTool, model: string) => boolean
  /** A request in this very language that a model refuses here, and takes in another of its languages; none when absent. */
  readonly refuses?: (model: string, body: Readonly<Record<string, unknown>>) => boolean
}

/** An upstream kind: how it is called and which languages it speaks (see docs/adding-a-provider.md). */
export interface Provider {
  readonly type: number
  readonly name: string
  /** How the console names, colours and explains it. */
  readonly console: Pick<ChannelType, 'label' | 'color' | 'key_hint' | 'note' | 'fields'>
  readonly baseUrl: string
  readonly models: readonly string[]
  /** `owned_by` in the model list. */
  readonly owner: string
  /** Whether it understands `stream_options`. */
  readonly streamOptions: boolean
  /** Languages for conversations, the preferred one first; empty when it has no conversations. */
  readonly languages: readonly Language[]
  /**
   * The same for one model, where a provider hosts models of several makers, each with its language, or where the kind of
   * key or address decides.
   */
  languagesOf?(model: string, at: { readonly channel: ProviderChannel; readonly key: string }): readonly Language[]
  /** Its bodies need what only `adjust` puts in, also where operators let bodies pass as they are. */
  readonly envelope?: true
  /** Whether it takes OpenAI's calls beside conversations (completions, embeddings, moderations) as they are. */
  readonly otherCalls: boolean
  /** OpenAI's embeddings in words of its own, and what `ProviderCall.path` is then; preferred to `otherCalls`. */
  readonly embeddings?: EmbeddingsDialect & {
    readonly path: string
    /** Whether a key is of the kind that goes with these words; every key is when absent. */
    readonly isFor?: (key: string) => boolean
  }
  /** The same for reranking, which clients ask for in Jina's words. */
  readonly rerank?: RerankDialect & { readonly path: string }
  /** OpenAI's pictures in words of its own, which may differ from model to model; preferred to `otherCalls`. */
  readonly pictures?: {
    readonly path: string
    readonly dialect: (model: string, options: ModelOptions) => PicturesDialect
    /** The path for pictures that are to be changed; absent where it changes none. */
    readonly edits?: string
  }
  /** The same for transcripts and translations of sound. */
  readonly transcripts?: TranscriptsDialect & { readonly path: string }
  /** The same for speech. */
  readonly speech?: SpeechDialect & { readonly path: string }
  /** Whether it takes Gemini's own calls for embeddings as they are. */
  readonly embedsContents?: true
  /** Whose tasks it takes, where it takes tasks instead of calls. */
  readonly tasks?: 'midjourney' | 'suno'
  /**
   * True where it bills calls whose client left before the first byte, because closing the connection does not cancel them.
   * Channels may say otherwise.
   */
  readonly billsAborted?: true
  /** Whether it counts the tokens of a prompt in its own language. */
  readonly countsTokens?: boolean
  url(call: ProviderCall): string
  headers(call: ProviderCall): Record<string, string>
  /**
   * Where a header alone is not enough: signatures over the body, tokens that have to be fetched (and are cached), files that
   * have to be sent ahead. A new body replaces the old one.
   */
  sign?(
    request: Unsigned,
    tools: SigningTools,
  ): Promise<{ url: string; headers: Record<string, string>; body?: Buffer }>
  /** Where calls go over a WebSocket (`url` answers `ws` or `wss`): whether a message is the last one of an answer. */
  isLast?(message: string): boolean
  /** Rules of its own for request bodies; undefined when it takes them as they are. */
  adjust?(ask: Ask): Adjustment | undefined
  /** Where its model list is read, or undefined when it has none. */
  modelList: ((channel: ProviderChannel, key: string) => { url: string; headers: Record<string, string> }) | undefined
}
