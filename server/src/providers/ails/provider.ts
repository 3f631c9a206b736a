import { compatible } from '../dialects/openai.ts'

export const ails = compatible({
  type: 9,
  name: 'AILS',
  label: { zh: 'AILS', en: 'AILS' },
  color: 'grey',
  baseUrl: 'https://api.caipacity.com',
  owner: 'custom',
  models: [],
})
