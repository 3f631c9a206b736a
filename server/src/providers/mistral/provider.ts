import { mistralInfill } from '../dialects/mistral-infill.ts'
import { compatible } from '../dialects/openai.ts'
import { withMistralCallIds } from './call-ids.ts'
import { models } from './models.ts'

export const mistral = compatible({
  type: 42,
  name: 'Mistral',
  label: { zh: 'Mistral AI', en: 'Mistral AI' },
  color: 'blue',
  baseUrl: 'https://api.mistral.ai',
  owner: 'mistral',
  models,
  // It answers 422 `extra_forbidden`, and reports usage without being asked (github.com/openai/openai-agents-python/issues/442).
  refusesStreamOptions: true,
  adjust: withMistralCallIds,
  leavesPlain: () => [],
  infills: () => mistralInfill,
  // It completes and bills an answer after a disconnect (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
})
