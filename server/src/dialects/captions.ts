import type { BilingualText, Caption } from '@tollgate/contract'

/** Name and purpose of a call on the home page; translated like every pair (`scripts/languages`). */
export const caption = (name: BilingualText, text: BilingualText): Caption => ({ name, text })

// Of calls that several dialects have.
export const countCaption = caption(
  { zh: '计算 Token', en: 'Count tokens' },
  { zh: '不计费，发送前得知用量', en: 'Free, before you send a request' },
)
export const modelsCaption = caption(
  { zh: '模型列表', en: 'Models' },
  { zh: '当前令牌可用的模型', en: 'Models available to the key' },
)
export const modelCaption = caption(
  { zh: '单个模型', en: 'One model' },
  { zh: '查询某个模型是否可用', en: 'Check whether a model is available' },
)
export const embeddingsCaption = caption(
  { zh: '向量', en: 'Embeddings' },
  { zh: '文本向量，可批量', en: 'Text vectors, in batches' },
)
