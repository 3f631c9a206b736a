import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { bearer, compatible } from '../dialects/openai.ts'
import { plainCapabilities } from '../dialects/plain-capabilities.ts'
import type { Provider, ProviderCall, ProviderDialect, UnsignedRequest } from '../provider.ts'
import { embeddings } from './embeddings.ts'
import { hunyuan } from './language.ts'
import { tc3Authorization } from './signature.ts'

/** Models that the console offers for a new channel of this type. */
const models: readonly string[] = ['hunyuan-lite', 'hunyuan-standard', 'hunyuan-standard-256K', 'hunyuan-pro']

const service = 'hunyuan'
const ownHost = 'hunyuan.tencentcloudapi.com'
const ownBase = `https://${ownHost}`
/** Tencent's address since the platform of `ownHost` was closed (cloud.tencent.com/document/product/1823/131382). */
const tokenHub = 'https://tokenhub.tencentmaas.com'

const chat = openaiChat({ ...plainCapabilities, streamOptions: true })
const chatLanguage: ProviderDialect = { name: chat.name, dialect: () => chat, path: '/v1/chat/completions' }
const ownLanguage: ProviderDialect = { name: hunyuan.name, dialect: () => hunyuan, path: '/ChatCompletions' }

/** `AppId|SecretId|SecretKey`; undefined for the plain keys of TokenHub. */
const secretsOf = (key: string): { id: string; key: string } | undefined => {
  const [, id = '', secret = '', ...more] = key.split('|')
  return id === '' || secret === '' || more.length > 0 ? undefined : { id, key: secret }
}

const isSigned = (key: string): boolean => key.includes('|')

const url = ({ channel: { baseUrl }, key, path, query }: ProviderCall): string => {
  if (isSigned(key)) return `${baseUrl}/`
  return `${baseUrl === ownBase ? tokenHub : baseUrl}${path}${query}`
}

/** Host in the signature. Behind a proxy Tencent still checks its own host. */
const signedHost = (address: string): string => {
  const { host } = new URL(address)
  return host.endsWith('.tencentcloudapi.com') ? host : ownHost
}

const sign = ({ call, url: address, headers, body }: UnsignedRequest, now: number): Record<string, string> => {
  const secrets = secretsOf(call.key)
  if (secrets === undefined) throw new Error('the key is not AppId|SecretId|SecretKey')
  const action = call.path.slice(1)
  const timestamp = Math.floor(now / 1000)
  const contentType = 'application/json'
  const request = { service, host: signedHost(address), action, contentType, body, timestamp }
  return {
    ...headers,
    'content-type': contentType,
    'x-tc-action': action,
    'x-tc-version': '2023-09-01',
    'x-tc-timestamp': String(timestamp),
    authorization: tc3Authorization(request, secrets.id, secrets.key),
  }
}

/** Tencent's Hunyuan. Keys of Tencent Cloud select its signed native API, plain keys the OpenAI-compatible TokenHub. */
export const tencent: Provider = {
  ...compatible({
    type: 23,
    name: 'Tencent',
    label: { zh: '腾讯混元', en: 'Tencent Hunyuan' },
    color: 'teal',
    baseUrl: ownBase,
    owner: 'tencent',
    models,
    keyHint: { zh: '按照如下格式输入：AppId|SecretId|SecretKey', en: 'AppId|SecretId|SecretKey' },
    note: {
      zh: '腾讯混元大模型平台已于 2026-09-30 停服，模型迁移至 TokenHub：请直接输入 TokenHub 的 API Key，并选择其模型（如 hy3-preview）。',
      en: 'Tencent shut down the Hunyuan platform on 2026-09-30. Enter a TokenHub API key and choose its models, e.g. hy3-preview.',
    },
    streamOptions: true,
    url,
    headers: ({ key }) => (isSigned(key) ? {} : bearer({ key })),
    modelList: (channel, key) => ({
      url: `${channel.baseUrl === ownBase ? tokenHub : channel.baseUrl}/v1/models`,
      headers: bearer({ key }),
    }),
  }),
  languages: [ownLanguage, chatLanguage],
  languagesOf: (_, { key }) => (isSigned(key) ? [ownLanguage] : [chatLanguage]),
  otherCalls: false,
  embeddings: { ...embeddings, isFor: isSigned },
  sign: async (request, { now }) => ({
    url: request.url,
    headers: isSigned(request.call.key) ? sign(request, now()) : request.headers,
  }),
}
