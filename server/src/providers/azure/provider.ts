import { hostOf } from '../../dialects/facts/hosts.ts'
import { openaiCapabilities } from '../../dialects/openai-chat/write-request.ts'
import { compatible, isCloudflareGateway, pathBehindVersion } from '../dialects/openai.ts'
import type { Provider, ProviderCall, ProviderChannel } from '../provider.ts'

const fallbackVersion = '2024-12-01-preview'

const versionOf = ({ query, channel, defaultApiVersion }: ProviderCall): string =>
  new URLSearchParams(query).get('api-version') || channel.other || defaultApiVersion || fallbackVersion

/**
 * The undated API (learn.microsoft.com, Azure OpenAI API version lifecycle). The model names the deployment. The address has no
 * version, except `preview`.
 */
const undated = '/openai/v1'
const undatedVersions: ReadonlySet<string> = new Set(['v1', 'latest', 'preview'])

const isUndated = ({ baseUrl, other }: Pick<ProviderChannel, 'baseUrl' | 'other'>): boolean =>
  undatedVersions.has(other.trim()) || baseUrl.endsWith(undated)

const undatedUrl = ({ baseUrl, other }: Pick<ProviderChannel, 'baseUrl' | 'other'>, path: string): string => {
  const base = baseUrl.endsWith(undated) ? baseUrl : baseUrl + undated
  return `${base}${path}${other.trim() === 'preview' ? '?api-version=preview' : ''}`
}

/** Path of realtime sessions, whose address names the deployment in its query. */
const sessionPath = '/v1/realtime'

const sessionUrl = (call: ProviderCall): string => {
  const { channel, model } = call
  if (isUndated(channel)) {
    const url = undatedUrl(channel, pathBehindVersion(sessionPath))
    return `${url}${url.includes('?') ? '&' : '?'}model=${encodeURIComponent(model)}`
  }
  const deployment = encodeURIComponent(model.replaceAll('.', ''))
  const version = encodeURIComponent(versionOf(call))
  return `${channel.baseUrl}/openai/realtime?deployment=${deployment}&api-version=${version}`
}

/** A deployment is named as its model without dots. The client's query is not passed on. */
const url = (call: ProviderCall): string => {
  const { channel, path } = call
  if (path === sessionPath) return sessionUrl(call)
  if (isUndated(channel)) return undatedUrl(channel, pathBehindVersion(path))
  const { baseUrl } = channel
  const deployments = isCloudflareGateway(baseUrl) ? baseUrl : `${baseUrl}/openai/deployments`
  const deployment = encodeURIComponent(call.model.replaceAll('.', ''))
  return `${deployments}/${deployment}${pathBehindVersion(path)}?api-version=${encodeURIComponent(versionOf(call))}`
}

const openaiCompatible = compatible({
  type: 3,
  name: 'Azure',
  label: { zh: 'Azure OpenAI', en: 'Azure OpenAI' },
  color: 'teal',
  note: {
    zh: '默认 API 版本填 v1 时使用不带日期的新接口（/openai/v1），也支持 Responses；模型名即部署名。',
    en: 'Enter v1 as the default API version to use the undated API (/openai/v1), which also supports Responses. The model name is the deployment name.',
  },
  baseUrl: '',
  owner: 'azure',
  models: [],
  streamOptions: true,
  takesCacheKey: () => true,
  responses: true,
  ownModels: true,
  capabilities: { ...openaiCapabilities, host: hostOf('Azure') },
  fields: [
    { column: 'base_url', label: { zh: 'AZURE_OPENAI_ENDPOINT', en: 'AZURE_OPENAI_ENDPOINT' }, required: true },
    {
      column: 'other',
      label: { zh: '默认 API 版本', en: 'Default API version' },
      placeholder: fallbackVersion,
    },
  ],
  url,
  headers: ({ key }) => ({ 'api-key': key }),
  modelList: (channel, key) => ({
    url: isUndated(channel)
      ? undatedUrl(channel, '/models')
      : `${channel.baseUrl}/openai/models?api-version=${encodeURIComponent(channel.other || fallbackVersion)}`,
    headers: { 'api-key': key },
  }),
})

/** Dated API versions serve chat completions only. */
const datedLanguages = openaiCompatible.languages.slice(0, 1)

export const azure: Provider = {
  ...openaiCompatible,
  countsTokens: false,
  languagesOf: (model, at) =>
    isUndated(at.channel) ? (openaiCompatible.languagesOf?.(model, at) ?? openaiCompatible.languages) : datedLanguages,
}
