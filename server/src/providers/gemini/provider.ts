import { aiStudio } from '../dialects/gemini.ts'
import { genericKeyHint } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'
import { models } from './models.ts'

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
  // It goes on after a disconnect and bills the whole answer (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
  ...aiStudio,
}
