import { compatible } from '../dialects/openai.ts'
import { grokReasoning } from '../dialects/openai-reasoning.ts'
import { models } from './models.ts'

export const xai = compatible({
  type: 48,
  name: 'Xai',
  responses: true,
  label: { zh: 'xAI', en: 'xAI' },
  color: 'blue',
  baseUrl: 'https://api.x.ai',
  owner: 'xai',
  models,
  streamOptions: true,
  adjust: grokReasoning,
})
