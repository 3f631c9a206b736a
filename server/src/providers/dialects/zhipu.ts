import type { Adjustment, OutgoingRequest, Provider } from '../provider.ts'
import { cappedTopP } from './limits.ts'
import { type CompatibleOptions, compatible, pathBehindVersion } from './openai.ts'
import { lacks } from './plain-rules.ts'
import { withBareImages } from './zhipu-images.ts'
import { pictures } from './zhipu-pictures.ts'
import { zhipuToken } from './zhipu-token.ts'

const authorization = (key: string): Record<string, string> => ({
  authorization: `Bearer ${zhipuToken(key, Date.now())}`,
})

const adjust = (request: OutgoingRequest): Adjustment => {
  const messages = withBareImages(request.body.messages)
  return {
    members: {
      ...cappedTopP(request)?.members,
      ...(typeof request.body.stop === 'string' ? { stop: [request.body.stop] } : {}),
      ...(messages === undefined ? {} : { messages }),
    },
  }
}

/** Makes a provider for Zhipu's API version 4, which is OpenAI-compatible (docs.bigmodel.cn/api-reference). */
export const zhipu = (
  options: Pick<CompatibleOptions, 'type' | 'name' | 'label' | 'color' | 'owner' | 'models' | 'keyHint' | 'note'>,
): Provider => ({
  ...compatible({
    ...options,
    baseUrl: 'https://open.bigmodel.cn',
    capabilities: { thoughts: 'reasoning_content' },
    url: ({ channel, path, query }) => `${channel.baseUrl}/api/paas/v4${pathBehindVersion(path)}${query}`,
    headers: ({ key }) => authorization(key),
    // Its tokens name the time.
    freshHead: true,
    adjust,
    leavesPlain: () => [lacks(['top_p', 'stop'])],
    modelList: (channel, key) => ({
      url: `${channel.baseUrl}/api/paas/v4/models`,
      headers: authorization(key),
    }),
  }),
  pictures,
})
