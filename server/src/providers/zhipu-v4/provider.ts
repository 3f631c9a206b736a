import { zhipu } from '../dialects/zhipu.ts'
import models from './models.json' with { type: 'json' }

export const zhipuV4 = zhipu({
  type: 26,
  name: 'Zhipu_v4',
  label: { zh: '智谱 GLM-4V', en: 'Zhipu GLM-4V' },
  color: 'purple',
  owner: 'zhipu_4v',
  models,
})
