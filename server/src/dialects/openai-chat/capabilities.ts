/** What differs between providers of this dialect. */
export interface ChatCapabilities {
  /** The member that bounds the answer. */
  readonly maxTokens: 'max_tokens' | 'max_completion_tokens'
  /** How thoughts of earlier turns are given back; `none` loses them. */
  readonly thoughts: 'none' | 'reasoning_content' | 'reasoning_details'
  /** True if the provider refuses earlier tool calls without the reasoning before them (`reasoning_content`). */
  readonly wantsThoughts: boolean
  /** Whether calls may carry signatures in Google's extension. */
  readonly callSignatures: boolean
  /** True if the model takes a reasoning effort. */
  readonly effort: (model: string) => boolean
  readonly topK: boolean
  readonly customTools: boolean
  /** Whether results of tools may hold more than text. */
  readonly toolPictures: boolean
  /** Whether Anthropic's cache marks may stand on parts. */
  readonly cacheMarks: boolean
  /** Whether a key may name the prompt's place in the cache. */
  readonly cacheKeys: boolean
  /** Whether the usage at the end of a stream must be asked for. */
  readonly streamOptions: boolean
  /** Whether the models are OpenAI's own, which refuse what they do not take. */
  readonly ownModels: boolean
  /** Whether instructions of developers have a role of their own; elsewhere they are the system's. */
  readonly developers: boolean
  /** Whether a model searches the web when it gets `web_search_options`. */
  readonly search: (model: string) => boolean
}
