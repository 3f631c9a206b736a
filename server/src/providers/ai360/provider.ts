import { compatible } from '../dialects/openai.ts'
import { models } from './models.ts'

export const ai360 = compatible({
  type: 19,
  name: '360',
  label: { zh: '360 智脑', en: '360 Zhinao' },
  color: 'blue',
  baseUrl: 'https://api.360.cn',
  owner: 'ai360',
  models,
})
