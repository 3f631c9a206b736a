import { zhipu } from '../dialects/zhipu.ts'

/** Models that the console offers for a new channel of this type, newest first; older names that clients may still use stand at the end. */
const models: readonly string[] = [
  'glm-5.3',
  'glm-5.3-flash',
  'glm-5.2',
  'glm-5.1',
  'glm-5',
  'glm-5-code',
  'glm-5v-turbo',
  'glm-4.7',
  'glm-4.7-flash',
  'glm-4.6',
  'glm-4.5',
  'glm-4.5-air',
  'glm-4.5-flash',
  'glm-4.5v',
  'glm-image',
  'cogview-4',
  'cogview-4-250304',
  'cogview-3-flash',
  'glm-4-plus',
  'glm-4-0520',
  'glm-4-air',
  'glm-4-airx',
  'glm-4-long',
  'glm-4-flash',
  'glm-4-alltools',
  'glm-4v-plus',
  'glm-4v',
  'glm-4',
  'glm-3-turbo',
]

export const zhipuV4 = zhipu({
  type: 26,
  name: 'Zhipu_v4',
  label: { zh: '智谱 GLM-4V', en: 'Zhipu GLM-4V' },
  color: 'purple',
  owner: 'zhipu_4v',
  models,
})
