import type { Caption } from '@tollgate/contract'

/** What a call is called on the home page, and what it is for; Chinese first. */
export const caption = (name: readonly [string, string], text: readonly [string, string]): Caption => ({
  name: { zh: name[0], en: name[1] },
  text: { zh: text[0], en: text[1] },
})

// Of calls that several dialects have.
export const countCaption = caption(
  ['计算 Token', 'Count tokens'],
  ['不计费，发送之前得知用量', 'Free of charge, before you send'],
)
export const modelsCaption = caption(['模型列表', 'Models'], ['当前令牌可用的模型', 'What the key can use'])
export const modelCaption = caption(['单个模型', 'One model'], ['查询某个模型是否可用', 'Whether a model can be used'])
export const embeddingsCaption = caption(['向量', 'Embeddings'], ['文本向量，可批量', 'Text vectors, in batches'])
