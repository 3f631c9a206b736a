import { aiStudio } from '../dialects/gemini.ts'
import { genericKeyHint } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'
import models from './models.json' with { type: 'json' }

/** Google's AI Studio (ai.google.dev/api). */
export const gemini: Provider = {
  type: 24,
  name: 'Gemini',
  console: {
    label: { zh: 'Google Gemini', en: 'Google Gemini' },
    color: 'orange',
    key_hint: genericKeyHint,
    fields: [],
  },
  baseUrl: 'https://generativelanguage.googleapis.com',
  models,
  owner: 'google gemini',
  streamOptions: false,
  otherCalls: false,
  // It completes and bills an answer after a disconnect (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
  ...aiStudio,
}
