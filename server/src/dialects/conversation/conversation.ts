import type { Usage } from '../../billing/usage.ts'
import type { JsonObject } from './json.ts'

/** Name of a wire dialect that clients or upstreams speak, e.g. `openai-chat`: lower-case letters, digits and `-`. */
export type DialectName = string

/** Up to here a provider may keep the prompt in its cache. */
export interface CacheMark {
  readonly ttl: '5m' | '1h'
}

/** Where the bytes of a picture, a sound or a document are. */
export type Source =
  | { readonly kind: 'url'; readonly url: string; readonly mediaType?: string }
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
  /** Uploaded to one provider; nobody else knows it. */
  | { readonly kind: 'file'; readonly id: string }

interface Cacheable {
  readonly cache?: CacheMark
}

export interface TextPart extends Cacheable {
  readonly kind: 'text'
  readonly text: string
  readonly citations?: readonly Citation[]
  /** Gemini signs texts as well as thoughts. */
  readonly signature?: string
}

export interface Citation {
  readonly url?: string
  readonly title?: string
  readonly citedText?: string
  /** Characters of all that the answer says, from where to where the citation belongs. */
  readonly start?: number
  readonly end?: number
  /** As its own dialect wrote it. */
  readonly own?: { readonly dialect: DialectName; readonly value: JsonObject }
}

export interface ImagePart extends Cacheable {
  readonly kind: 'image'
  readonly source: Source
  readonly detail?: string
}

export interface AudioPart extends Cacheable {
  readonly kind: 'audio'
  readonly source: Source
  /** Spoken by the model earlier; its provider knows it by this id. */
  readonly id?: string
  readonly transcript?: string
}

export interface VideoPart extends Cacheable {
  readonly kind: 'video'
  readonly source: Source
}

export interface DocumentPart extends Cacheable {
  readonly kind: 'document'
  readonly source: Source | { readonly kind: 'text'; readonly text: string }
  readonly filename?: string
  readonly title?: string
  readonly context?: string
  readonly citations?: boolean
}

/** Tools of OpenAI's responses that have item types of their own and are run by the client. */
export type ClientToolType = 'local_shell' | 'shell' | 'apply_patch' | 'tool_search'

export interface ToolCallPart extends Cacheable {
  readonly kind: 'tool_call'
  readonly id: string
  readonly name: string
  /** Name of the group that the tool belongs to (Responses). */
  readonly namespace?: string
  /** Set where the call has an item type of its own in responses. */
  readonly clientTool?: ClientToolType
  /** JSON text; free text for a custom tool. */
  readonly arguments: string
  readonly custom?: true
  /** Gemini signs calls. */
  readonly signature?: string
}

export interface ToolResultPart extends Cacheable {
  readonly kind: 'tool_result'
  /** Of the call. */
  readonly id: string
  readonly name?: string
  readonly content: readonly Part[]
  readonly isError?: boolean
  readonly custom?: true
  /** The item that gave it, where the tool has item types of its own in responses. */
  readonly item?: JsonObject
}

export interface ThinkingPart {
  readonly kind: 'thinking'
  readonly text: string
  /** What its maker needs to believe the thought when it comes back. */
  readonly signature?: string
  /** The thought, unreadable: `text` is empty then, or a summary of it. */
  readonly encrypted?: string
  /** Of the reasoning item (Responses). */
  readonly id?: string
  /** Whose signature it is; undefined when nobody said. */
  readonly by?: DialectName
}

export interface RefusalPart {
  readonly kind: 'refusal'
  readonly text: string
}

/** Something that only one dialect has words for, e.g. the result of a search on the provider's side. */
export interface OpaquePart {
  readonly kind: 'opaque'
  readonly dialect: DialectName
  readonly type: string
  readonly value: JsonObject
  /** The text or the picture that it stands for in other dialects. */
  readonly plain?: TextPart | ImagePart
  /** Set where it is a search of the web that the provider made. */
  readonly search?: WebSearch
}

/** A search that a provider made; a page that it only opened has no queries. */
export interface WebSearch {
  readonly id: string
  readonly queries: readonly string[]
  /** What was found. */
  readonly sources: readonly WebSource[]
  /** True if citations of the answer say the same: clients that read only those miss nothing. */
  readonly isCited?: true
}

export interface WebSource {
  readonly url: string
  readonly title?: string
}

export type Part =
  | TextPart
  | ImagePart
  | AudioPart
  | VideoPart
  | DocumentPart
  | ToolCallPart
  | ToolResultPart
  | ThinkingPart
  | RefusalPart
  | OpaquePart

/** Results of tools stand in messages of the role `tool`, one or several in each. */
export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool'

export interface Message {
  readonly role: Role
  readonly name?: string
  readonly parts: readonly Part[]
}

/** JsonObject that only one dialect knows, by their names there. */
export interface ProviderFields {
  readonly dialect: DialectName
  readonly members: JsonObject
}

/** A group of tools whose calls name it (Responses). */
export interface Namespace {
  readonly name: string
  readonly description: string
}

/** Tools that providers run themselves. */
export type BuiltInTool = 'web_search' | 'code_execution' | 'web_fetch' | 'image_generation' | 'other'

export type Tool =
  | {
      readonly kind: 'function'
      readonly name: string
      readonly namespace?: Namespace
      /** Set where calls have an item type of their own in responses; `value` is the tool as its client wrote it. */
      readonly clientTool?: { readonly type: ClientToolType; readonly value: JsonObject }
      readonly description?: string
      /** JSON schema of the arguments. */
      readonly parameters?: JsonObject
      readonly strict?: boolean
      readonly cache?: CacheMark
      readonly own?: ProviderFields
    }
  /** Takes free text. */
  | {
      readonly kind: 'custom'
      readonly name: string
      readonly namespace?: Namespace
      readonly description?: string
      readonly format?: JsonObject
    }
  /** Runs at the provider. */
  | {
      readonly kind: 'built_in'
      readonly type: BuiltInTool
      /** As its own dialect wrote it. */
      readonly dialect: DialectName
      readonly value: JsonObject
    }

export type ToolChoice =
  | { readonly kind: 'auto' | 'none' | 'required' }
  | { readonly kind: 'tool'; readonly name: string; readonly custom?: true }
  | { readonly kind: 'allowed'; readonly names: readonly string[]; readonly required: boolean }

export type AnswerFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema'
      readonly name: string
      readonly schema: JsonObject
      readonly strict?: boolean
      readonly description?: string
      /** The answer is one word of the schema's list, without quotes (Gemini's `text/x.enum`). */
      readonly word?: true
    }

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** How much the model should think; what is left out is the model's business. */
export interface Reasoning {
  readonly effort?: Effort
  /** Tokens; 0 turns thinking off, -1 leaves the amount to the model. */
  readonly budget?: number
  /** Whether, and how, thoughts are shown. */
  readonly summary?: 'none' | 'auto' | 'concise' | 'detailed'
}

/** Everything a client asks of a model, in the words that all dialects share. */
export interface Conversation {
  readonly model: string
  readonly stream: boolean
  /** Whether the client wants the usage at the end of its stream, where its dialect leaves the choice. */
  readonly streamUsage: boolean
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
  readonly parallelToolCalls?: boolean
  readonly format?: AnswerFormat
  readonly reasoning?: Reasoning
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly frequencyPenalty?: number
  readonly presencePenalty?: number
  readonly seed?: number
  readonly stop?: readonly string[]
  readonly n?: number
  readonly logprobs?: boolean
  readonly topLogprobs?: number
  /** The end user, for the provider's abuse checks. */
  readonly user?: string
  readonly serviceTier?: string
  readonly verbosity?: string
  readonly modalities?: readonly string[]
  /** JsonObject that only the client's dialect knows, by their names there. */
  readonly own: {
    readonly dialect: DialectName
    readonly members: JsonObject
    /** Such as nobody else misses: they only matter to this dialect's own answers. */
    readonly quiet?: JsonObject
  }
}

export type Finish = 'stop' | 'stop_sequence' | 'length' | 'tool_calls' | 'content_filter' | 'refusal' | 'pause'

export interface Choice {
  readonly index: number
  readonly parts: readonly Part[]
  readonly finish: Finish
  readonly stopSequence?: string
  /** OpenAI's shape: `{content: [{token, logprob, bytes, top_logprobs}]}`. */
  readonly logprobs?: unknown
}

/** What a model answered. */
export interface Answer {
  readonly id: string
  readonly model: string
  /** Unix seconds; 0 when the provider does not say. */
  readonly created: number
  readonly choices: readonly Choice[]
  /** undefined when the provider reports none. */
  readonly usage: Usage | undefined
  readonly serviceTier?: string
  readonly fingerprint?: string
}
