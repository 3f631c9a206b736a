import { bearer, compatible, pathBehindVersion } from '../dialects/openai.ts'

/** Models that the console offers for a new channel of this type. */
const models: readonly string[] = [
  'ernie-4.0-8k-latest',
  'ernie-4.0-8k-preview',
  'ernie-4.0-8k',
  'ernie-4.0-turbo-8k-latest',
  'ernie-4.0-turbo-8k-preview',
  'ernie-4.0-turbo-8k',
  'ernie-4.0-turbo-128k',
  'ernie-3.5-8k-preview',
  'ernie-3.5-8k',
  'ernie-3.5-128k',
  'ernie-speed-8k',
  'ernie-speed-128k',
  'ernie-speed-pro-128k',
  'ernie-lite-8k',
  'ernie-lite-pro-128k',
  'ernie-tiny-8k',
  'ernie-char-8k',
  'ernie-char-fiction-8k',
  'ernie-novel-8k',
  'deepseek-v3',
  'deepseek-r1',
  'deepseek-r1-distill-qwen-32b',
  'deepseek-r1-distill-qwen-14b',
]

export const baiduV2 = compatible({
  type: 46,
  name: 'BaiduV2',
  label: { zh: '百度文心千帆V2', en: 'Baidu Qianfan V2' },
  color: 'blue',
  baseUrl: 'https://qianfan.baidubce.com',
  owner: 'baidu',
  models,
  url: ({ channel, path, query }) => `${channel.baseUrl}/v2${pathBehindVersion(path)}${query}`,
  modelList: (channel, key) => ({ url: `${channel.baseUrl}/v2/models`, headers: bearer({ key }) }),
})
