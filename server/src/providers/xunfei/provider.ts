import { createHmac } from 'node:crypto'
import { membersOf, parsedJson } from '../../dialects/conversation/json.ts'
import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { bearer, compatible } from '../dialects/openai.ts'
import { plainCapabilities } from '../dialects/plain-capabilities.ts'
import type { Provider, ProviderCall, ProviderDialect, UnsignedRequest } from '../provider.ts'
import { isLastMessage, spark } from './language.ts'
import { type Version, versionOf } from './versions.ts'

/**
 * The signed query of a WebSocket address (www.xfyun.cn/doc/spark/general_url_authentication.html). `now` is
 * milliseconds since 1970.
 */
export const signedQuery = (
  { host, path, now }: { host: string; path: string; now: number },
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
): string => {
  const date = new Date(now).toUTCString()
  const text = `host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`
  const signature = createHmac('sha256', apiSecret).update(text).digest('base64')
  const authorization = `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  const query = new URLSearchParams({ authorization: Buffer.from(authorization).toString('base64'), date, host })
  return query.toString()
}

/** Models that the console offers for a new channel of this type. */
const models: readonly string[] = [
  'SparkDesk',
  'SparkDesk-v1.1',
  'SparkDesk-v2.1',
  'SparkDesk-v3.1',
  'SparkDesk-v3.5',
  'SparkDesk-v4.0',
]

const socketBase = 'wss://spark-api.xf-yun.com'
const httpBase = 'https://spark-api-open.xf-yun.com'
const socketPath = '/spark'

const chat = openaiChat({ ...plainCapabilities, topK: true })
const chatLanguage: ProviderDialect = { name: chat.name, dialect: () => chat, path: '/v1/chat/completions' }

const socketLanguage = (version: Version): ProviderDialect => ({
  name: 'spark',
  dialect: () => spark(version),
  path: socketPath,
})

/** True for `APPID|APISecret|APIKey`, which selects the WebSocket. Any other key is an APIPassword for HTTP. */
const isSocketKey = (key: string): boolean => key.includes('|')

const secretsOf = (key: string): { appId: string; apiSecret: string; apiKey: string } => {
  const [appId = '', apiSecret = '', apiKey = '', ...more] = key.split('|')
  if (appId === '' || apiSecret === '' || apiKey === '' || more.length > 0) {
    throw new Error('the key is not APPID|APISecret|APIKey')
  }
  return { appId, apiSecret, apiKey }
}

const requestVersion = ({ channel, model, query }: Pick<ProviderCall, 'channel' | 'model' | 'query'>): Version => {
  const name = new URLSearchParams(query).get('api-version')
  return name === null ? versionOf(model, channel.other) : versionOf('SparkDesk', name)
}

const url = (call: ProviderCall): string => {
  const { baseUrl } = call.channel
  if (!isSocketKey(call.key)) return `${baseUrl || httpBase}${call.path}`
  return `${(baseUrl || socketBase).replace(/^http/, 'ws')}${requestVersion(call).path}`
}

/** Host in the signature. Behind a proxy iFlytek still checks its own host. */
const signedHost = (host: string): string => (host.endsWith('.xf-yun.com') ? host : new URL(socketBase).host)

const sign = ({ call, url: address, headers, body }: UnsignedRequest, now: number) => {
  const { appId, ...secrets } = secretsOf(call.key)
  const { host, pathname } = new URL(address)
  const query = signedQuery({ host: signedHost(host), path: pathname, now }, secrets)
  const json = membersOf(parsedJson(body.toString()))
  const { parameter, header } = { parameter: membersOf(json.parameter), header: membersOf(json.header) }
  const named = { ...membersOf(parameter.chat), domain: requestVersion(call).domain }
  const signed = { ...json, header: { ...header, app_id: appId }, parameter: { ...parameter, chat: named } }
  return { url: `${address}?${query}`, headers: { ...headers }, body: Buffer.from(JSON.stringify(signed)) }
}

/** iFlytek's Spark. The keys of an app select its WebSocket API, an APIPassword the OpenAI-compatible HTTP API. */
export const xunfei: Provider = {
  ...compatible({
    type: 18,
    name: 'Xunfei',
    label: { zh: '讯飞星火认知', en: 'iFlytek Spark' },
    color: 'blue',
    baseUrl: '',
    owner: 'xunfei',
    models,
    keyHint: { zh: '按照如下格式输入：APPID|APISecret|APIKey', en: 'APPID|APISecret|APIKey' },
    note: {
      zh: '应用密钥使用 WebSocket 接口，不支持工具调用；如需工具调用，请输入 HTTP 服务的 APIPassword。',
      en: 'App keys use the WebSocket API, which doesn’t support tools. To use tools, enter the APIPassword of the HTTP service.',
    },
    fields: [{ column: 'other', label: { zh: '模型版本', en: 'Model version' }, placeholder: 'v2.1' }],
    url,
    headers: ({ key }) => (isSocketKey(key) ? {} : bearer({ key })),
    /** The HTTP API names a model by its domain. */
    adjust: ({ model, path }) =>
      path === socketPath || !model.startsWith('SparkDesk') ? undefined : { model: versionOf(model, '').domain },
    leavesPlain: ({ model }) => (model.startsWith('SparkDesk') ? undefined : []),
    modelList: false,
  }),
  languages: [socketLanguage(versionOf('SparkDesk', '')), chatLanguage],
  languagesOf: (model, { channel, key }) =>
    isSocketKey(key) ? [socketLanguage(versionOf(model, channel.other))] : [chatLanguage],
  otherCalls: false,
  isLast: isLastMessage,
  sign: async (request, { now }) =>
    isSocketKey(request.call.key) ? sign(request, now()) : { url: request.url, headers: { ...request.headers } },
}
