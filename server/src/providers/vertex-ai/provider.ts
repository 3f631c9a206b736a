import { hostOf } from '../../dialects/facts/hosts.ts'
import { vertexEmbeddings } from '../../dialects/gemini/media/embeddings.ts'
import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { claudeHeaders, hostedClaude, hostedClaudeAdjustment } from '../dialects/claude.ts'
import { betasIn, keptBetas } from '../dialects/claude-betas.ts'
import { googlePictures, vertexDialect, withinThinkingBudget } from '../dialects/gemini.ts'
import { withModelRules } from '../dialects/model-rules.ts'
import { plainCapabilities } from '../dialects/plain-capabilities.ts'
import type {
  Adjustment,
  OutgoingRequest,
  Provider,
  ProviderCall,
  ProviderDialect,
  SigningTools,
  UnsignedRequest,
} from '../provider.ts'
import { vertexAuthorization } from './access-token.ts'
import { embeddingsPath, makerOf, regionOf, type VertexPublisher, vertexLive, vertexUrl } from './address.ts'
import { vertexCaches, withCacheName, withRoles } from './cached-contents.ts'
import { vertexCredential } from './credential.ts'
import models from './models.json' with { type: 'json' }

const partnerChat = openaiChat({
  ...plainCapabilities,
  host: hostOf('VertexAi'),
  streamOptions: true,
  effort: (model) => model.includes('gpt-oss'),
})

const languages: Readonly<Record<VertexPublisher, ProviderDialect>> = {
  google: { name: 'gemini', dialect: vertexDialect, path: '/v1beta/models' },
  anthropic: { name: 'anthropic', dialect: hostedClaude, path: '/v1/messages' },
  partner: { name: partnerChat.name, dialect: () => partnerChat, path: '/v1/chat/completions' },
}

const byPartnerRules = withModelRules('VertexAi', undefined)

/** Names of beta features that the call asks for; the operator's own go as they are. */
const betasOf = ({ model, options, passed }: Pick<ProviderCall, 'model' | 'options' | 'passed'>): readonly string[] => {
  const own = claudeHeaders(model, options)['anthropic-beta']
  return own === undefined ? keptBetas('vertex', model, passed['anthropic-beta']) : betasIn(own)
}

const adjust = (request: OutgoingRequest): Adjustment | undefined => {
  const maker = makerOf(request.model)
  if (maker === 'anthropic')
    return hostedClaudeAdjustment(request, { version: 'vertex-2023-10-16', betas: betasOf(request) })
  if (maker === 'partner') return byPartnerRules(request)
  const roles = withRoles(request.body.contents)
  const budget = withinThinkingBudget(request)
  return roles === undefined ? budget : { ...budget, members: { ...budget?.members, ...roles } }
}

/** Throws when the key is no credential, the region is malformed, or an API key is used for another maker's model. */
const sign = async ({ call, url, headers, body }: UnsignedRequest, tools: SigningTools) => {
  const credential = vertexCredential(call.key)
  if (!/^[a-z0-9-]+$/.test(regionOf(call))) throw new Error('the region is none')
  if (credential === undefined) throw new Error('the key is neither a service account document nor an API key')
  if (credential.kind === 'key' && makerOf(call.model) !== 'google')
    throw new Error('an API key is only good for Google’s own models')
  const signed = { ...headers, ...(await vertexAuthorization(credential, tools)) }
  return { url, headers: signed, ...(credential.kind === 'account' ? { body: withCacheName(body, call) } : {}) }
}

/** Google Vertex AI: Gemini, Claude and partner models, each through its own dialect (cloud.google.com/vertex-ai). */
export const vertexAi: Provider = {
  type: 41,
  name: 'VertexAi',
  console: {
    label: { zh: 'Vertex AI', en: 'Vertex AI' },
    color: 'blue',
    key_hint: {
      zh: '按照如下格式输入：Google 服务账号 JSON 文档，或 API 密钥',
      en: 'Google service-account JSON document, or an API key',
    },
    fields: [
      {
        column: 'other',
        label: { zh: '部署地区', en: 'Deployment region' },
        placeholder: 'us-central1',
        required: true,
      },
    ],
  },
  baseUrl: '',
  models,
  owner: 'vertex-ai',
  streamOptions: true,
  languages: Object.values(languages),
  languagesOf: (model) => [languages[makerOf(model)]],
  envelope: true,
  otherCalls: false,
  // It completes and bills an answer after a disconnect (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
  embeddings: { ...vertexEmbeddings, path: embeddingsPath },
  pictures: googlePictures,
  live: vertexLive,
  cachesContents: vertexCaches,
  adjust,
  url: vertexUrl,
  headers(call) {
    const betas = betasOf(call)
    return {
      ...(betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') }),
      ...claudeHeaders(call.model, call.options),
    }
  },
  sign,
  modelList: undefined,
}
