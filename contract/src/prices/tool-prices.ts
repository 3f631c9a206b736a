/** Price of a request of Perplexity beside its tokens, by the size of the search context. */
const sonarRequests = (model: string, [low, medium, high]: readonly [number, number, number]) => ({
  [`search_low:${model}`]: low,
  [`search_medium:${model}`]: medium,
  [`search_high:${model}`]: high,
})

/**
 * Tool that runs at the provider → currency units of a thousand calls; `tool:model` and `tool:prefix*` are for some models,
 * and the most specific one counts. Where a tool is not named, its calls are free: image generation is billed by tokens of
 * another model, web fetches cost nothing but tokens.
 */
export const defaultToolPrices: Readonly<Record<string, number>> = {
  // developers.openai.com/api/docs/pricing and platform.claude.com/docs/en/about-claude/pricing ask the same for a search.
  web_search: 10,
  // OpenAI's older tool: 10 with models that reason, 25 (and no tokens for what was found) with those that do not.
  web_search_preview: 10,
  'web_search_preview:gpt-4o*': 25,
  'web_search_preview:gpt-4.1*': 25,
  file_search: 2.5,
  // A container of 1 GB, 0.03 each, for a session of 20 minutes. Since 2 June 2026 OpenAI counts minutes, at least 5
  // (developers.openai.com/api/docs/changelog), which no answer states: a container costs a whole session here.
  code_interpreter: 30,
  // By the memory of the container, as its request asks: 0.03 a GB. 0.12 for 4 GB and 1.92 for 64 GB are stated in
  // simoncarter.ai/posts/openai-container-sessions-now-billed-per-minute-short-sessions-get-cheaper-from-/ (June 2026).
  code_interpreter_4g: 120,
  code_interpreter_16g: 480,
  code_interpreter_64g: 1920,
  // In sessions, by a thousand tokens of the model that makes them; a minute that is not counted in tokens is a thousand.
  input_transcription: 0.006,
  // Cached contents, by a thousand tokens and hour (ai.google.dev/gemini-api/docs/pricing, "Context caching price").
  cache_storage: 0.001,
  'cache_storage:gemini-2.5-pro*': 0.0045,
  'cache_storage:gemini-3-pro*': 0.0045,
  'cache_storage:gemini-3.1-pro*': 0.0045,
  'cache_storage:gemini-pro*': 0.0045,
  // docs.x.ai/developers/pricing, "Tool Invocation Costs".
  'web_search:grok*': 5,
  x_search: 5,
  'code_interpreter:grok*': 5,
  attachment_search: 10,
  // docs.x.ai/docs/guides/live-search: by sources used.
  live_search: 25,
  // ai.google.dev/gemini-api/docs/pricing: up to Gemini 2.5 by grounded answer, from Gemini 3 on by query.
  'google_search:gemini-1*': 35,
  'google_search:gemini-2*': 35,
  google_search_query: 14,
  'google_search_query:gemini-1*': 0,
  'google_search_query:gemini-2*': 0,
  'google_maps:gemini-2*': 25,
  // docs.perplexity.ai/docs/getting-started/pricing, "Request Pricing".
  ...sonarRequests('sonar', [5, 8, 12]),
  ...sonarRequests('sonar-reasoning', [5, 8, 12]),
  ...sonarRequests('sonar-pro*', [6, 10, 14]),
  ...sonarRequests('sonar-reasoning-pro*', [6, 10, 14]),
  'search_query:sonar-deep-research*': 5,
}
