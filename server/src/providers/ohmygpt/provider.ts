import { compatible } from '../dialects/openai.ts'

export const ohmygpt = compatible({
  type: 7,
  name: 'OhMyGPT',
  label: { zh: 'OhMyGPT', en: 'OhMyGPT' },
  color: 'grey',
  baseUrl: 'https://api.ohmygpt.com',
  owner: 'custom',
  models: [],
})
