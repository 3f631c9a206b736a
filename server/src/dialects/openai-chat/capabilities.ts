import type { HostFacts } from '../facts/hosts.ts'

/** Differences between providers of this dialect. */
export interface ChatCapabilities {
  /** Facts from the table of providers (`dialects/facts/hosts.ts`). */
  readonly host: HostFacts
  /** The field that limits the output tokens. */
  readonly maxTokens: 'max_tokens' | 'max_completion_tokens'
  /** The field that carries the reasoning of earlier turns; `none` drops it. */
  readonly thoughts: 'none' | 'reasoning_content' | 'reasoning_details'
  /** True if the provider refuses earlier tool calls without the reasoning before them (`reasoning_content`). */
  readonly wantsThoughts: boolean
  /** True if tool calls may carry signatures in Google's extension. */
  readonly callSignatures: boolean
  /** True if the model takes a reasoning effort. */
  readonly effort: (model: string) => boolean
  readonly topK: boolean
  readonly customTools: boolean
  /** True if tool results may hold pictures and files beside text. */
  readonly toolPictures: boolean
  /** True if parts may carry Anthropic's `cache_control`. */
  readonly cacheMarks: boolean
  /** True if the provider takes `prompt_cache_key`. */
  readonly cacheKeys: boolean
  /** True if streams report usage only with `stream_options`. */
  readonly streamOptions: boolean
  /** True if the models are OpenAI's own, which refuse requests with unsupported fields. */
  readonly ownModels: boolean
  /** True if the role `developer` exists; elsewhere developer messages get the role `system`. */
  readonly developers: boolean
  /** True if it takes a list of allowed tools. */
  readonly toolLists: boolean
  /** Members of requests that pass from every dialect, although only this provider has them. */
  readonly passes: readonly string[]
  /** True if the model searches the web when it gets `web_search_options`. */
  readonly search: (model: string) => boolean
}
