import { compatible } from '../dialects/openai.ts'

/** Models that the console offers for a new channel of this type. */
const models: readonly string[] = [
  'yi-large',
  'yi-medium',
  'yi-vision',
  'yi-medium-200k',
  'yi-spark',
  'yi-large-rag',
  'yi-large-turbo',
  'yi-large-preview',
  'yi-large-rag-preview',
]

export const lingyiwanwu = compatible({
  type: 31,
  name: 'LingYiWanWu',
  label: { zh: '零一万物', en: '01.AI' },
  color: 'green',
  baseUrl: 'https://api.lingyiwanwu.com',
  owner: 'lingyiwanwu',
  models,
  // It completes and bills an answer after a disconnect (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
})
