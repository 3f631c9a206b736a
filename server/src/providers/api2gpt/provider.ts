import { compatible } from '../dialects/openai.ts'

export const api2gpt = compatible({
  type: 12,
  name: 'API2GPT',
  label: { zh: 'API2GPT', en: 'API2GPT' },
  color: 'grey',
  baseUrl: 'https://api.api2gpt.com',
  owner: 'custom',
  models: [],
})
