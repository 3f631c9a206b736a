import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { bearer, compatible, pathBehindVersion, plainHabits } from '../dialects/openai.ts'
import type { Language, Provider, ProviderCall } from '../provider.ts'
import { accessToken } from './access-token.ts'
import { wenxinAddress } from './addresses.ts'
import { wenxin } from './language.ts'
import { models } from './models.ts'
import { embeddings, rerank } from './vectors.ts'

const firstBase = 'https://aip.baidubce.com'
const secondBase = 'https://qianfan.baidubce.com'

const chat = openaiChat({ ...plainHabits, streamOptions: true })
const chatLanguage: Language = { name: chat.name, dialect: () => chat, path: '/v1/chat/completions' }
const wenxinLanguage: Language = { name: wenxin.name, dialect: () => wenxin, path: '/wenxin/chat' }

/** `APIKey|SecretKey` of the first version; plain keys (`bce-v3/…`) are the second one's. */
const isPair = (key: string): boolean => key.includes('|')

const secondRoot = (baseUrl: string): string => `${baseUrl === firstBase ? secondBase : baseUrl}/v2`

const url = ({ channel: { baseUrl }, key, path, query, model }: ProviderCall): string =>
  isPair(key)
    ? `${baseUrl}/rpc/2.0/ai_custom/v1/wenxinworkshop/${wenxinAddress(model, path)}`
    : `${secondRoot(baseUrl)}${pathBehindVersion(path)}${query}`

/**
 * Baidu's Wenxin. Its first version, with access tokens, was closed by Baidu on 2026-08-31 and lives on at addresses that
 * speak it; the second one, in OpenAI's words, takes over for its keys (cloud.baidu.com/doc/qianfan/s/rmse4vxp8).
 */
export const baidu: Provider = {
  ...compatible({
    type: 15,
    name: 'Baidu',
    label: { zh: '百度文心千帆', en: 'Baidu ERNIE' },
    color: 'blue',
    baseUrl: firstBase,
    owner: 'baidu',
    models,
    keyHint: { zh: '按照如下格式输入：APIKey|SecretKey', en: 'APIKey|SecretKey' },
    note: {
      zh: '百度已于 2026-08-31 下线使用 APIKey|SecretKey 的 V1 接口：请直接输入 V2 的 API Key（bce-v3/ 开头）。',
      en: 'Baidu closed version 1, which takes APIKey|SecretKey, on 2026-08-31: enter an API key of version 2 (bce-v3/…).',
    },
    streamOptions: true,
    url,
    headers: ({ key }) => (isPair(key) ? {} : bearer({ key })),
    // The second version has the same models under small letters.
    adjust: ({ path, model }) =>
      path === chatLanguage.path && model.startsWith('ERNIE') ? { model: model.toLowerCase() } : undefined,
    modelList: (channel, key) => ({ url: `${secondRoot(channel.baseUrl)}/models`, headers: bearer({ key }) }),
  }),
  languages: [wenxinLanguage, chatLanguage],
  languagesOf: (_, { key }) => (isPair(key) ? [wenxinLanguage] : [chatLanguage]),
  otherCalls: false,
  embeddings,
  rerank,
  async sign({ call: { channel, key }, url: address, headers }, tools) {
    if (!isPair(key)) return { url: address, headers: { ...headers } }
    const token = await accessToken(channel.baseUrl, key, tools)
    return { url: `${address}?access_token=${encodeURIComponent(token)}`, headers: { ...headers } }
  },
}
