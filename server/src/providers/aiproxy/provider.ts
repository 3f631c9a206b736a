import { compatible } from '../dialects/openai.ts'

export const aiproxy = compatible({
  type: 10,
  name: 'AIProxy',
  label: { zh: 'AIProxy', en: 'AIProxy' },
  color: 'grey',
  baseUrl: 'https://api.aiproxy.io',
  owner: 'custom',
  models: [],
})
