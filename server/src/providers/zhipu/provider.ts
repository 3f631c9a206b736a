import { zhipu } from '../dialects/zhipu.ts'
import type { Provider } from '../provider.ts'
import { models } from './models.ts'

/**
 * The type of Zhipu's version 3, which is gone from Zhipu's reference: version 4 takes its keys, and answers for the models
 * that Zhipu offers today (docs.bigmodel.cn/cn/api/introduction).
 */
export const zhipuV3: Provider = zhipu({
  type: 16,
  name: 'Zhipu',
  label: { zh: '智谱 ChatGLM', en: 'Zhipu ChatGLM' },
  color: 'violet',
  owner: 'zhipu',
  models,
  keyHint: { zh: '按照如下格式输入：id.secret', en: 'id.secret' },
})
