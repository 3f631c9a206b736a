import { numbersIn, usageStated } from '../../billing/declared/usage-stated.ts'
import { bedrockConverse } from '../../dialects/bedrock/dialect.ts'
import { bedrockEmbeddings } from '../../dialects/bedrock/embeddings.ts'
import { claudeFrames, converseFrames } from '../../dialects/bedrock/frames.ts'
import { readCohereResults, writeCohereRerank } from '../../dialects/cohere/rerank.ts'
import type { RerankDialect } from '../../dialects/media/rerank.ts'
import { claudeHeaders, hostedClaude, hostedClaudeAdjustment } from '../dialects/claude.ts'
import { askedBetas, betasIn, keptBetas } from '../dialects/claude-betas.ts'
import type { Adjustment, OutgoingRequest, Provider, ProviderCall, ProviderDialect } from '../provider.ts'
import { bedrockModel, isClaude } from './model-ids.ts'
import models from './models.json' with { type: 'json' }
import { bedrockCredential, sign } from './signature.ts'

const documentsPerUnit = 100

/**
 * Rerankers of Amazon and Cohere at Bedrock (docs.aws.amazon.com/bedrock/latest/userguide/rerank-supported.html). Answers report
 * no usage: a number in them is unknown. Bedrock bills a query once per hundred documents.
 */
const bedrockRerank: RerankDialect = {
  write(request, unsupported) {
    const version = request.model.includes('cohere.') ? { api_version: 2 } : {}
    return { ...writeCohereRerank(request, unsupported), ...version }
  },
  read: (json, { documents }) => ({
    results: readCohereResults(json),
    usage: usageStated('titan', { ...numbersIn(json), usage: json.usage }),
    searchUnits: Math.max(1, Math.ceil(documents.length / documentsPerUnit)),
  }),
}

const converse: ProviderDialect = {
  name: bedrockConverse.name,
  dialect: () => bedrockConverse,
  path: '/converse',
  frames: converseFrames,
}

const claude: ProviderDialect = { name: 'anthropic', dialect: hostedClaude, path: '/v1/messages', frames: claudeFrames }

const actionOf = ({ path, stream }: ProviderCall): string => {
  if (path === converse.path) return stream ? 'converse-stream' : 'converse'
  return stream ? 'invoke-with-response-stream' : 'invoke'
}

const hostOf = (region: string): string =>
  `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`

const url = (call: ProviderCall): string => {
  const region = bedrockCredential(call.key)?.region ?? ''
  const id = bedrockModel(call.model, region)
  return `${call.channel.baseUrl || hostOf(region)}/model/${encodeURIComponent(id)}/${actionOf(call)}`
}

/** Bedrock takes beta names in the body, and model and stream in the address (platform.claude.com, Claude on Amazon Bedrock). */
const adjust = (request: OutgoingRequest): Adjustment | undefined => {
  if (!isClaude(request.model)) return undefined
  const { model, options } = request
  // The operator's own names go as they are.
  const own = claudeHeaders(model, options)['anthropic-beta']
  const betas = own === undefined ? keptBetas('bedrock', model, askedBetas(request)) : betasIn(own)
  const adjusted = hostedClaudeAdjustment(request, { version: 'bedrock-2023-05-31', betas })
  const beta = betas.length === 0 ? {} : { anthropic_beta: betas }
  return { ...adjusted, members: { ...adjusted.members, stream: undefined, ...beta } }
}

/** Amazon Bedrock: Claude through Anthropic's dialect, other models through Converse (docs.aws.amazon.com/bedrock). */
export const bedrock: Provider = {
  type: 33,
  name: 'Aws',
  console: {
    label: { zh: 'AWS Claude', en: 'AWS Claude' },
    color: 'indigo',
    key_hint: {
      zh: '按照如下格式输入：AccessKey|SecretKey|Region，或 APIKey|Region',
      en: 'AccessKey|SecretKey|Region, or a Bedrock API key: APIKey|Region',
    },
    fields: [],
  },
  baseUrl: '',
  models,
  owner: 'aws',
  streamOptions: false,
  languages: [converse, claude],
  languagesOf: (model) => (isClaude(model) ? [claude] : [converse]),
  envelope: true,
  otherCalls: false,
  // It completes and bills an answer after a disconnect (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
  embeddings: { ...bedrockEmbeddings, path: '/embeddings' },
  rerank: { ...bedrockRerank, path: '/rerank' },
  adjust,
  url,
  headers: () => ({}),
  sign,
  modelList: undefined,
}
