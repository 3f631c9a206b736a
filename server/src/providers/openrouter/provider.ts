import { bearer, compatible } from '../dialects/openai.ts'

export const openrouter = compatible({
  type: 20,
  name: 'OpenRouter',
  responses: true,
  label: { zh: 'OpenRouter', en: 'OpenRouter' },
  color: 'green',
  baseUrl: 'https://openrouter.ai/api',
  owner: 'openrouter',
  models: [],
  // openrouter.ai/docs: reasoning tokens, prompt caching.
  habits: {
    thoughts: 'reasoning_details',
    cacheMarks: true,
    effort: () => true,
    // openrouter.ai/docs/guides/features/plugins/web-search
    search: () => true,
    ownModels: false,
    callSignatures: true,
  },
  // Whole answers, and streams of many of its providers, go on after a disconnect and are billed (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
  headers: (call) => ({ ...bearer(call), 'http-referer': 'https://tollgate.local', 'x-title': 'Tollgate' }),
})
