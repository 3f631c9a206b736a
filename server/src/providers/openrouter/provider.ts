import { bearer, compatible } from '../dialects/openai.ts'
import { openaiReasoning } from '../dialects/openai-reasoning.ts'

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
    ownModels: false,
    callSignatures: true,
  },
  adjust: openaiReasoning,
  headers: (call) => ({ ...bearer(call), 'http-referer': 'https://tollgate.local', 'x-title': 'Tollgate' }),
})
