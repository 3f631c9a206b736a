import { cappedTopP } from '../dialects/limits.ts'
import { compatible, pathBehindVersion } from '../dialects/openai.ts'
import type { Adjustment, Ask } from '../provider.ts'
import { withBareImages } from './images.ts'
import { models } from './models.ts'
import { zhipuToken } from './token.ts'

const authorization = (key: string): Record<string, string> => ({
  authorization: `Bearer ${zhipuToken(key, Date.now())}`,
})

const adjust = (ask: Ask): Adjustment => {
  const messages = withBareImages(ask.body.messages)
  return {
    members: {
      ...cappedTopP(ask)?.members,
      ...(typeof ask.body.stop === 'string' ? { stop: [ask.body.stop] } : {}),
      ...(messages === undefined ? {} : { messages }),
    },
  }
}

export const zhipuV4 = compatible({
  type: 26,
  name: 'Zhipu_v4',
  label: { zh: '智谱 GLM-4V', en: 'Zhipu GLM-4V' },
  color: 'purple',
  baseUrl: 'https://open.bigmodel.cn',
  owner: 'zhipu_4v',
  models,
  url: ({ channel, path, query }) => `${channel.baseUrl}/api/paas/v4${pathBehindVersion(path)}${query}`,
  headers: ({ key }) => authorization(key),
  adjust,
  modelList: (channel, key) => ({
    url: `${channel.baseUrl}/api/paas/v4/models`,
    headers: authorization(key),
  }),
})
