import { zhipu } from '../dialects/zhipu.ts'
import type { Provider } from '../provider.ts'

/** Models that the console offers for a new channel of this type. */
const models: readonly string[] = ['chatglm_turbo', 'chatglm_pro', 'chatglm_std', 'chatglm_lite']

/**
 * The type of Zhipu's API version 3, which Zhipu no longer documents. Its channels call version 4, which takes the same keys, with
 * the current models (docs.bigmodel.cn/cn/api/introduction).
 */
export const zhipuV3: Provider = zhipu({
  type: 16,
  name: 'Zhipu',
  label: { zh: '智谱 ChatGLM', en: 'Zhipu ChatGLM' },
  color: 'violet',
  owner: 'zhipu',
  models,
  note: {
    zh: '智谱的接口文档已不再包含 V3，本类型改用 V4 接口，请选择智谱当前提供的模型。',
    en: 'Zhipu no longer documents the V3 API, so this type uses V4. Choose current Zhipu models.',
  },
  keyHint: { zh: '按照如下格式输入：id.secret', en: 'id.secret' },
})
