import { compatible } from '../dialects/openai.ts'

export const aigc2d = compatible({
  type: 13,
  name: 'AIGC2D',
  label: { zh: 'AIGC2D', en: 'AIGC2D' },
  color: 'grey',
  baseUrl: 'https://api.aigc2d.com',
  owner: 'custom',
  models: [],
})
