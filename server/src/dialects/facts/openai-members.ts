/**
 * Members of requests that OpenAI's API has, which may be null there. It refuses members that it does not know, null or not
 * (developers.openai.com/api/docs/guides/error-codes: "Unknown parameter"), and typed clients of other providers send all of theirs with
 * every call: Volcengine's Ark client has `thinking`, `caching` and `repetition_penalty` among them. Read on 2026-11-29.
 */

/** developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create */
const chat = [
  ...['audio', 'frequency_penalty', 'function_call', 'functions', 'logit_bias', 'logprobs', 'max_completion_tokens'],
  ...['max_tokens', 'messages', 'metadata', 'modalities', 'model', 'moderation', 'n', 'parallel_tool_calls'],
  ...['prediction', 'presence_penalty', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
  ...['reasoning_effort', 'response_format', 'safety_identifier', 'seed', 'service_tier', 'stop', 'store', 'stream'],
  ...['stream_options', 'temperature', 'tool_choice', 'tools', 'top_logprobs', 'top_p', 'user', 'verbosity'],
  'web_search_options',
]

/** developers.openai.com/api/reference/resources/responses/methods/create */
const responses = [
  ...['background', 'client_metadata', 'context_management', 'conversation', 'include', 'input', 'instructions'],
  ...['max_output_tokens', 'max_tool_calls', 'metadata', 'model', 'moderation', 'parallel_tool_calls'],
  ...['previous_response_id', 'prompt', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
  ...['reasoning', 'safety_identifier', 'service_tier', 'store', 'stream', 'stream_options', 'temperature', 'text'],
  ...['tool_choice', 'tools', 'top_logprobs', 'top_p', 'truncation', 'user'],
]

/** developers.openai.com/api/reference/resources/embeddings/methods/create */
const embeddings = ['dimensions', 'encoding_format', 'input', 'model', 'user']

/** developers.openai.com/api/reference/resources/images/methods/generate */
const images = [
  ...['background', 'model', 'moderation', 'n', 'output_compression', 'output_format', 'partial_images', 'prompt'],
  ...['quality', 'response_format', 'size', 'stream', 'style', 'user'],
]

const byEnd: readonly (readonly [end: string, names: ReadonlySet<string>])[] = [
  ['/chat/completions', new Set(chat)],
  ['/responses', new Set(responses)],
  ['/embeddings', new Set(embeddings)],
  ['/images/generations', new Set(images)],
]

/** The members that OpenAI has at a path; undefined where none are listed. */
export const openaiMembers = (path: string): ReadonlySet<string> | undefined =>
  byEnd.find(([end]) => path.endsWith(end))?.[1]
