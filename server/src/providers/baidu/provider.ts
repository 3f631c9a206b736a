import { promptUsage } from '../../billing/usage-openai.ts'
import { defined, type JsonObject, numberIn, objectsOf } from '../../dialects/conversation/json.ts'
import { vectorOf } from '../../dialects/media/embeddings.ts'
import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { bearer, compatible, pathBehindVersion } from '../dialects/openai.ts'
import { plainCapabilities } from '../dialects/plain-capabilities.ts'
import type { Provider, ProviderCall, ProviderDialect } from '../provider.ts'
import { accessToken } from './access-token.ts'
import { wenxinAddress } from './address.ts'
import { errorOf, wenxin } from './language.ts'

/** Reranking of both API versions (cloud.baidu.com/doc/WENXINWORKSHOP/s/2lu4g89j2). */
const rerank: NonNullable<Provider['rerank']> = {
  path: '/v1/rerank',
  write({ model, query, documents, topN, own }, unsupported) {
    for (const name of Object.keys(own)) unsupported.add(name)
    return { model, query, documents, ...defined({ top_n: topN }) }
  },
  read: (json) => ({
    results: objectsOf(json.results).map(({ index, relevance_score: score }) => ({
      index: numberIn(index) ?? 0,
      score: numberIn(score) ?? 0,
    })),
    usage: promptUsage(json.usage),
  }),
  errorOf,
}

const inOrder = (entries: unknown): readonly JsonObject[] =>
  objectsOf(entries).toSorted((a, b) => Number(a.index) - Number(b.index))

/** Both API versions take this request; version 1 has the model in its address (cloud.baidu.com/doc/WENXINWORKSHOP/s/alj562vvu). */
const embeddings: NonNullable<Provider['embeddings']> = {
  path: '/v1/embeddings',
  write({ model, texts, dimensions, user, own }, unsupported) {
    if (dimensions !== undefined) unsupported.add('dimensions')
    for (const name of Object.keys(own)) unsupported.add(name)
    return { model, input: texts, ...defined({ user_id: user }) }
  },
  read: (json) => ({
    vectors: inOrder(json.data).map(({ embedding }) => vectorOf(embedding)),
    usage: promptUsage(json.usage),
  }),
  errorOf,
}

/** Models that the console offers for a new channel of this type. */
const models: readonly string[] = [
  'ERNIE-4.0-8K',
  'ERNIE-3.5-8K',
  'ERNIE-3.5-8K-0205',
  'ERNIE-3.5-8K-1222',
  'ERNIE-Bot-8K',
  'ERNIE-3.5-4K-0205',
  'ERNIE-Speed-8K',
  'ERNIE-Speed-128K',
  'ERNIE-Lite-8K-0922',
  'ERNIE-Lite-8K-0308',
  'ERNIE-Tiny-8K',
  'BLOOMZ-7B',
  'Embedding-V1',
  'bge-large-zh',
  'bge-large-en',
  'tao-8k',
]

const v1Base = 'https://aip.baidubce.com'
const v2Base = 'https://qianfan.baidubce.com'

const chat = openaiChat({ ...plainCapabilities, streamOptions: true })
const chatLanguage: ProviderDialect = { name: chat.name, dialect: () => chat, path: '/v1/chat/completions' }
const wenxinLanguage: ProviderDialect = { name: wenxin.name, dialect: () => wenxin, path: '/wenxin/chat' }

/** True for a key of API version 1, `APIKey|SecretKey`. Keys of version 2 (`bce-v3/…`) have no `|`. */
const isV1Key = (key: string): boolean => key.includes('|')

const v2Root = (baseUrl: string): string => `${baseUrl === v1Base ? v2Base : baseUrl}/v2`

const url = ({ channel: { baseUrl }, key, path, query, model }: ProviderCall): string =>
  isV1Key(key)
    ? `${baseUrl}/rpc/2.0/ai_custom/v1/wenxinworkshop/${wenxinAddress(model, path)}`
    : `${v2Root(baseUrl)}${pathBehindVersion(path)}${query}`

/**
 * Baidu's Wenxin. The form of the key selects the API version: version 1 uses access tokens and its own dialect, version 2 is
 * OpenAI-compatible. Baidu closed version 1 on 2026-08-31 (cloud.baidu.com/doc/qianfan/s/rmse4vxp8); compatible servers still
 * serve it.
 */
export const baidu: Provider = {
  ...compatible({
    type: 15,
    name: 'Baidu',
    label: { zh: '百度文心千帆', en: 'Baidu ERNIE' },
    color: 'blue',
    baseUrl: v1Base,
    owner: 'baidu',
    models,
    keyHint: { zh: '按照如下格式输入：APIKey|SecretKey', en: 'APIKey|SecretKey' },
    note: {
      zh: '百度已于 2026-08-31 下线使用 APIKey|SecretKey 的 V1 接口：请直接输入 V2 的 API Key（bce-v3/ 开头）。',
      en: 'Baidu shut down the V1 API (APIKey|SecretKey) on 2026-08-31. Enter a V2 API key (bce-v3/…).',
    },
    streamOptions: true,
    url,
    headers: ({ key }) => (isV1Key(key) ? {} : bearer({ key })),
    // Version 2 has the same models in lower case.
    adjust: ({ path, model }) =>
      path === chatLanguage.path && model.startsWith('ERNIE') ? { model: model.toLowerCase() } : undefined,
    leavesPlain: ({ model }) => (model.startsWith('ERNIE') ? undefined : []),
    modelList: (channel, key) => ({ url: `${v2Root(channel.baseUrl)}/models`, headers: bearer({ key }) }),
  }),
  languages: [wenxinLanguage, chatLanguage],
  languagesOf: (_, { key }) => (isV1Key(key) ? [wenxinLanguage] : [chatLanguage]),
  otherCalls: false,
  embeddings,
  rerank,
  async sign({ call: { channel, key }, url: address, headers }, tools) {
    if (!isV1Key(key)) return { url: address, headers: { ...headers } }
    const token = await accessToken(channel.baseUrl, key, tools)
    return { url: `${address}?access_token=${encodeURIComponent(token)}`, headers: { ...headers } }
  },
}
