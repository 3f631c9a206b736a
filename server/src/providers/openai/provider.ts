import { mistralInfill } from '../../dialects/media/infill.ts'
import { openaiCapabilities } from '../../dialects/openai-chat/write-request.ts'
import { bearer, compatible, isCloudflareGateway, pathBehindVersion } from '../dialects/openai.ts'
import models from './models.json' with { type: 'json' }

export const openai = compatible({
  type: 1,
  name: 'OpenAI',
  responses: true,
  ownModels: true,
  label: { zh: 'OpenAI', en: 'OpenAI' },
  color: 'green',
  baseUrl: 'https://api.openai.com',
  owner: 'openai',
  models,
  streamOptions: true,
  engines: 'self_hosted',
  // Other hosts of OpenAI's API may refuse unknown members.
  takesCacheKey: ({ baseUrl }) => URL.parse(baseUrl)?.hostname.endsWith('.openai.com') === true,
  capabilities: openaiCapabilities,
  infills: ({ baseUrl }) => (URL.parse(baseUrl)?.hostname.endsWith('.mistral.ai') === true ? mistralInfill : undefined),
  fields: [
    {
      column: 'openai_organization',
      label: { zh: '组织', en: 'Organisation' },
      placeholder: 'org-xxx',
    },
  ],
  url: ({ channel, path, query }) =>
    isCloudflareGateway(channel.baseUrl)
      ? `${channel.baseUrl}${pathBehindVersion(path)}${query}`
      : `${channel.baseUrl}${path}${query}`,
  headers: (call) =>
    call.channel.organization === ''
      ? bearer(call)
      : { ...bearer(call), 'openai-organization': call.channel.organization },
})
