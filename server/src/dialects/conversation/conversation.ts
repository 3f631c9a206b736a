import type { Usage } from '../../billing/usage.ts'
import type { JsonObject } from './json.ts'

/** Name of a wire dialect that clients or upstreams speak, e.g. `openai-chat`: lower-case letters, digits and `-`. */
export type DialectName = string

/** Marks the end of a prompt prefix that the provider may cache. */
export interface CacheMark {
  readonly ttl: '5m' | '1h'
}

/** The content of a picture, a sound or a document: a URL, data, or a file id. */
export type MediaSource =
  | { readonly kind: 'url'; readonly url: string; readonly mediaType?: string }
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
  /** Uploaded to one provider; ids are invalid at others. */
  | { readonly kind: 'file'; readonly id: string }

interface Cacheable {
  readonly cache?: CacheMark
}

interface Media extends Cacheable {
  /** Members that only the client's dialect has, e.g. `transformations`. */
  readonly unread?: readonly string[]
}

export interface TextPart extends Cacheable {
  readonly kind: 'text'
  readonly text: string
  readonly citations?: readonly Citation[]
  /** Gemini signs texts as well as thinking parts. */
  readonly signature?: string
}

export interface Citation {
  readonly url?: string
  readonly title?: string
  readonly citedText?: string
  /** Character range of the citation in the text of the whole answer. */
  readonly start?: number
  readonly end?: number
  /** The citation as its dialect wrote it. */
  readonly own?: { readonly dialect: DialectName; readonly value: JsonObject }
}

export interface ImagePart extends Media {
  readonly kind: 'image'
  readonly source: MediaSource
  readonly detail?: string
}

export interface AudioPart extends Media {
  readonly kind: 'audio'
  readonly source: MediaSource
  /** The provider's id of earlier speech of the model. */
  readonly id?: string
  readonly transcript?: string
}

export interface VideoPart extends Media {
  readonly kind: 'video'
  readonly source: MediaSource
}

export interface DocumentPart extends Media {
  readonly kind: 'document'
  readonly source: MediaSource | { readonly kind: 'text'; readonly text: string }
  readonly filename?: string
  readonly title?: string
  readonly context?: string
  readonly citations?: boolean
}

/** Client-run tools of OpenAI's responses that have their own item types. */
export type ClientToolType = 'local_shell' | 'shell' | 'apply_patch' | 'tool_search'

export interface ToolCallPart extends Cacheable {
  readonly kind: 'tool_call'
  readonly id: string
  readonly name: string
  /** Namespace of the tool (Responses). */
  readonly namespace?: string
  /** Set if the call has its own item type in responses. */
  readonly clientTool?: ClientToolType
  /** JSON text; free text for a custom tool. */
  readonly arguments: string
  readonly custom?: true
  /** Gemini signs tool calls. */
  readonly signature?: string
}

export interface ToolResultPart extends Cacheable {
  readonly kind: 'tool_result'
  /** Id of the call. */
  readonly id: string
  readonly name?: string
  readonly content: readonly Part[]
  readonly isError?: boolean
  readonly custom?: true
  /** The item as the client wrote it, if the tool has its own item types in responses. */
  readonly item?: JsonObject
}

export interface ThinkingPart {
  readonly kind: 'thinking'
  readonly text: string
  /** Proves to the provider that its model wrote the text. */
  readonly signature?: string
  /** Encrypted reasoning; `text` is empty or a summary then. */
  readonly encrypted?: string
  /** Id of the reasoning item (Responses). */
  readonly id?: string
  /** Dialect of the provider that signed it; undefined if unknown. */
  readonly by?: DialectName
}

export interface RefusalPart {
  readonly kind: 'refusal'
  readonly text: string
}

/** Content that exists in only one dialect, e.g. the result of a web search by the provider. */
export interface OpaquePart {
  readonly kind: 'opaque'
  readonly dialect: DialectName
  readonly type: string
  readonly value: JsonObject
  /** Replacement for other dialects. */
  readonly plain?: TextPart | ImagePart
  /** True for an item of Responses that stands beside messages, not within one. */
  readonly isItem?: true
  /** Set if the part is a web search by the provider. */
  readonly search?: WebSearch
}

/** A web search by the provider. If it only opened a page, `queries` is empty. */
export interface WebSearch {
  readonly id: string
  readonly queries: readonly string[]
  readonly sources: readonly WebSource[]
  /** True if citations of the answer name the same sources. Clients without search results lose nothing then. */
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

/** Messages of the role `tool` hold one or several tool results. */
export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool'

export interface Message {
  readonly role: Role
  readonly name?: string
  readonly parts: readonly Part[]
}

/** Fields that exist in only one dialect. */
export interface ProviderFields {
  readonly dialect: DialectName
  readonly members: JsonObject
}

/** A group of tools; their calls name it (Responses). */
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
      /** Set if calls have their own item type in responses; `value` is the tool as the client wrote it. */
      readonly clientTool?: { readonly type: ClientToolType; readonly value: JsonObject }
      /** The tool as a dialect has it whose models know it without a schema; others get the function. */
      readonly native?: { readonly dialect: DialectName; readonly value: JsonObject }
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
      /** The dialect that wrote `value`. */
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
      /** True if the answer is one enum value of the schema, without quotes (Gemini's `text/x.enum`). */
      readonly word?: true
    }

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** How much the model should reason. The model decides about absent fields. */
export interface Reasoning {
  readonly effort?: Effort
  /** Tokens; 0 turns reasoning off, -1 leaves the amount to the model. */
  readonly budget?: number
  /** How much of the reasoning the answer shows. */
  readonly summary?: 'none' | 'auto' | 'concise' | 'detailed'
}

/** A request to a model, in a form that all dialects share. */
export interface Conversation {
  readonly model: string
  readonly stream: boolean
  /** True if the client requests usage at the end of the stream, in dialects where it is optional. */
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
  /** Fields that only the client's dialect has. */
  readonly own: {
    readonly dialect: DialectName
    readonly members: JsonObject
    /** Fields that only affect answers of this dialect; other dialects drop them without a report. */
    readonly quiet?: JsonObject
    /** Members of translated fields that only this dialect has, e.g. `reasoning.mode`. */
    readonly unread?: readonly string[]
    /** Fields that an answer of this dialect repeats. */
    readonly repeated?: JsonObject
  }
}

/**
 * `failed` is a model or provider that could not go on, e.g. after a call that cannot be read. No client gets it: an answer with
 * nothing in it is an error, and any other one ends as far as it came (`failed-finish.ts`).
 */
export type Finish =
  | 'stop'
  | 'stop_sequence'
  | 'length'
  | 'tool_calls'
  | 'content_filter'
  | 'refusal'
  | 'pause'
  | 'failed'

export interface AnswerChoice {
  readonly index: number
  readonly parts: readonly Part[]
  readonly finish: Finish
  readonly stopSequence?: string
  /** The provider's refusal or error message, which is not the model's text: chat completions and Responses have no place for it. */
  readonly explanation?: string
  /** OpenAI's shape: `{content: [{token, logprob, bytes, top_logprobs}]}`. */
  readonly logprobs?: unknown
}

/** An answer of a model, in a form that all dialects share. */
export interface Answer {
  readonly id: string
  readonly model: string
  /** Unix seconds; 0 when the provider does not state it. */
  readonly created: number
  readonly choices: readonly AnswerChoice[]
  /** undefined when the provider reports none. */
  readonly usage: Usage | undefined
  readonly serviceTier?: string
  readonly fingerprint?: string
}
