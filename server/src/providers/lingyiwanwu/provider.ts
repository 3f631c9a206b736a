import { compatible } from '../dialects/openai.ts'
import { models } from './models.ts'

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
