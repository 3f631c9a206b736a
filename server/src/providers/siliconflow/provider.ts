import { compatible } from '../dialects/openai.ts'
import { models } from './models.ts'

export const siliconflow = compatible({
  type: 40,
  name: 'SiliconFlow',
  label: { zh: 'SiliconCloud', en: 'SiliconCloud' },
  color: 'purple',
  baseUrl: 'https://api.siliconflow.cn',
  owner: 'siliconflow',
  models,
})
