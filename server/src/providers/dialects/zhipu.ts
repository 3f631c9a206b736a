import { createHmac } from 'node:crypto'
import type { Adjustment, OutgoingRequest, Provider } from '../provider.ts'
import { type CompatibleOptions, compatible, pathBehindVersion } from './openai.ts'
import { lacks } from './plain-rules.ts'
import { withBareImages } from './zhipu-images.ts'
import { pictures } from './zhipu-pictures.ts'

const dayMs = 24 * 60 * 60 * 1000

const encodedPart = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The JWT that Zhipu expects for a key `id.secret`; other keys are returned unchanged. `now` is milliseconds since 1970. */
export const zhipuToken = (key: string, now: number): string => {
  const [id = '', secret = '', ...more] = key.split('.')
  if (id === '' || secret === '' || more.length > 0) return key
  const head = encodedPart({ alg: 'HS256', sign_type: 'SIGN', typ: 'JWT' })
  const body = encodedPart({ api_key: id, exp: now + dayMs, timestamp: now })
  const signature = createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url')
  return `${head}.${body}.${signature}`
}

/** Lowers a `top_p` of 1 or more to 0.99, because some upstreams refuse 1. */
export const cappedTopP = ({ body }: OutgoingRequest): Adjustment | undefined =>
  typeof body.top_p === 'number' && body.top_p >= 1 ? { members: { top_p: 0.99 } } : undefined

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
