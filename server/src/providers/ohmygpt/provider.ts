import { compatible } from '../dialects/openai.ts'
import { openaiReasoning } from '../dialects/openai-reasoning.ts'

export const ohmygpt = compatible({
  type: 7,
  name: 'OhMyGPT',
  label: { zh: 'OhMyGPT', en: 'OhMyGPT' },
  color: 'grey',
  baseUrl: 'https://api.ohmygpt.com',
  owner: 'custom',
  models: [],
  adjust: openaiReasoning,
})
