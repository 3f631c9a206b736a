import { compatible } from '../dialects/openai.ts'
import { ownCallIds } from './call-ids.ts'
import { models } from './models.ts'

export const mistral = compatible({
  type: 42,
  name: 'Mistral',
  label: { zh: 'Mistral AI', en: 'Mistral AI' },
  color: 'blue',
  baseUrl: 'https://api.mistral.ai',
  owner: 'mistral',
  models,
  adjust: ownCallIds,
  // It goes on after a disconnect and bills the whole answer (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
})
