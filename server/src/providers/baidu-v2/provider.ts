import { bearer, compatible, pathBehindVersion } from '../dialects/openai.ts'
import models from './models.json' with { type: 'json' }

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
