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
  capabilities: {
    thoughts: 'reasoning_details',
    cacheMarks: true,
    effort: () => true,
    // openrouter.ai/docs/guides/features/plugins/web-search
    search: () => true,
    ownModels: false,
    callSignatures: true,
  },
  // Many of its providers complete and bill an answer after a disconnect (openrouter.ai/docs/api-reference/streaming).
  billsAborted: true,
  headers: (call) => ({ ...bearer(call), 'http-referer': 'https://tollgate.local', 'x-title': 'Tollgate' }),
})
