import { bearer, genericKeyHint } from '../dialects/openai.ts'
import type { Provider, ProviderDialect } from '../provider.ts'
import { dify as dialect } from './language.ts'
import { withUploads } from './uploads.ts'

const language: ProviderDialect = { name: dialect.name, dialect: () => dialect, path: '/chat-messages' }

const rootOf = (baseUrl: string): string => (baseUrl.endsWith('/v1') ? baseUrl : `${baseUrl}/v1`)

/** Chat apps of Dify (docs.dify.ai/api-reference). A key belongs to one app, and the app chooses the model. */
export const dify: Provider = {
  type: 37,
  name: 'Dify',
  console: {
    label: { zh: 'Dify', en: 'Dify' },
    color: 'teal',
    key_hint: genericKeyHint,
    note: {
      zh: 'Dify 渠道只适配 chatflow 和 agent，并且 agent 不支持图片！',
      en: 'Supports chatflow and agent apps. Agents don’t accept images.',
    },
    fields: [],
  },
  baseUrl: 'https://api.dify.ai',
  models: [],
  owner: 'dify',
  streamOptions: false,
  addsContext: true,
  languages: [language],
  otherCalls: false,
  url: ({ channel, path }) => `${rootOf(channel.baseUrl)}${path}`,
  headers: bearer,
  async sign({ call: { channel, key }, url, headers, body }, tools) {
    const { authorization = '' } = bearer({ key })
    const address = `${rootOf(channel.baseUrl)}/files/upload`
    return { url, headers: { ...headers }, body: await withUploads(body, { url: address, authorization }, tools) }
  },
  modelList: undefined,
}
