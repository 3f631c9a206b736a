import type { Adjustment, Ask, Provider } from '../provider.ts'
import { cappedTopP } from './limits.ts'
import { type Compatible, compatible, pathBehindVersion } from './openai.ts'
import { withBareImages } from './zhipu-images.ts'
import { pictures } from './zhipu-pictures.ts'
import { zhipuToken } from './zhipu-token.ts'

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

/** Zhipu's version 4, in OpenAI's words (docs.bigmodel.cn/api-reference). */
export const zhipu = (
  its: Pick<Compatible, 'type' | 'name' | 'label' | 'color' | 'owner' | 'models' | 'keyHint' | 'note'>,
): Provider => ({
  ...compatible({
    ...its,
    baseUrl: 'https://open.bigmodel.cn',
    capabilities: { thoughts: 'reasoning_content' },
    url: ({ channel, path, query }) => `${channel.baseUrl}/api/paas/v4${pathBehindVersion(path)}${query}`,
    headers: ({ key }) => authorization(key),
    adjust,
    modelList: (channel, key) => ({
      url: `${channel.baseUrl}/api/paas/v4/models`,
      headers: authorization(key),
    }),
  }),
  pictures,
})
