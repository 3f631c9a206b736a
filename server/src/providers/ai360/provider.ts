import { compatible } from '../dialects/openai.ts'

/** Models that the console offers for a new channel of this type. */
const models: readonly string[] = [
  '360gpt-turbo',
  '360gpt-turbo-responsibility-8k',
  '360gpt-pro',
  '360gpt2-pro',
  '360GPT_S2_V9',
  'embedding-bert-512-v1',
  'embedding_s1_v1',
  'semantic_similarity_s1_v1',
]

export const ai360 = compatible({
  type: 19,
  name: '360',
  label: { zh: '360 智脑', en: '360 Zhinao' },
  color: 'blue',
  baseUrl: 'https://api.360.cn',
  owner: 'ai360',
  models,
})
