import { compatible } from '../dialects/openai.ts'
import { openaiReasoning } from '../dialects/openai-reasoning.ts'
import { models } from './models.ts'

export const minimax = compatible({
  type: 35,
  name: 'MiniMax',
  label: { zh: 'MiniMax', en: 'MiniMax' },
  color: 'green',
  baseUrl: 'https://api.minimax.chat',
  owner: 'minimax',
  models,
  adjust: openaiReasoning,
  url: ({ channel }) => `${channel.baseUrl}/v1/text/chatcompletion_v2`,
})
