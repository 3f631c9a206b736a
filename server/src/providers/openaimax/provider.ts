import { compatible } from '../dialects/openai.ts'

export const openaimax = compatible({
  type: 6,
  name: 'OpenAIMax',
  label: { zh: 'OpenAIMax', en: 'OpenAIMax' },
  color: 'grey',
  baseUrl: 'https://api.openaimax.com',
  owner: 'custom',
  models: [],
})
