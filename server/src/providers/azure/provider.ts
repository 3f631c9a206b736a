import { openaiHabits } from '../../dialects/openai-chat/write-request.ts'
import { compatible, isCloudflareGateway, pathBehindVersion } from '../dialects/openai.ts'
import { openaiReasoning } from '../dialects/openai-reasoning.ts'
import type { ProviderCall } from '../provider.ts'

const fallbackVersion = '2024-12-01-preview'

const versionOf = ({ query, channel, defaultApiVersion }: ProviderCall): string =>
  new URLSearchParams(query).get('api-version') || channel.other || defaultApiVersion || fallbackVersion

/** Deployments have the model's name without dots; the client's query is not passed on (providers reference §2.1). */
const url = (call: ProviderCall): string => {
  const { baseUrl } = call.channel
  const deployments = isCloudflareGateway(baseUrl) ? baseUrl : `${baseUrl}/openai/deployments`
  const deployment = encodeURIComponent(call.model.replaceAll('.', ''))
  return `${deployments}/${deployment}${pathBehindVersion(call.path)}?api-version=${encodeURIComponent(versionOf(call))}`
}

export const azure = compatible({
  type: 3,
  name: 'Azure',
  label: { zh: 'Azure OpenAI', en: 'Azure OpenAI' },
  color: 'teal',
  baseUrl: '',
  owner: 'azure',
  models: [],
  streamOptions: true,
  habits: openaiHabits,
  adjust: openaiReasoning,
  fields: [
    { column: 'base_url', label: { zh: 'AZURE_OPENAI_ENDPOINT', en: 'AZURE_OPENAI_ENDPOINT' }, required: true },
    {
      column: 'other',
      label: { zh: '默认 API 版本', en: 'Default API Version' },
      placeholder: fallbackVersion,
    },
  ],
  url,
  headers: ({ key }) => ({ 'api-key': key }),
  modelList: (channel, key) => ({
    url: `${channel.baseUrl}/openai/models?api-version=${encodeURIComponent(channel.other || fallbackVersion)}`,
    headers: { 'api-key': key },
  }),
})
