import { ownMember } from '@tollgate/contract/own-member'
import { openaiAddress } from '../address.ts'

type Params = Readonly<Record<string, string>>

/** A deployment as a channel of this gateway. */
export interface Deployment {
  readonly type: number
  readonly key: string
  readonly baseUrl: string
  readonly other: string
}

type ToDeployment = (params: Params) => Deployment

const param = (params: Params, ...names: readonly string[]): string => {
  for (const name of names) {
    const value = ownMember(params, name)
    if (value !== undefined && value !== '') return value
  }
  return ''
}

const plain =
  (type: number): ToDeployment =>
  (params) => ({
    type,
    key: param(params, 'api_key'),
    baseUrl: param(params, 'api_base', 'base_url').replace(/\/v1\/?$/, ''),
    other: '',
  })

/** OpenAI's API, at the deployment's address or the provider's own. */
const openai =
  (address = ''): ToDeployment =>
  (params) => ({
    ...openaiAddress(param(params, 'api_base', 'base_url') || address),
    key: param(params, 'api_key'),
    other: '',
  })

const azure: ToDeployment = (params) => ({
  type: 3,
  key: param(params, 'api_key'),
  baseUrl: param(params, 'api_base', 'base_url').replace(/\/+$/, ''),
  other: param(params, 'api_version'),
})

const vertex: ToDeployment = (params) => ({
  type: 41,
  key: param(params, 'vertex_credentials'),
  baseUrl: '',
  other: param(params, 'vertex_location') || 'us-central1',
})

const bedrock: ToDeployment = (params) => ({
  type: 33,
  key: ['aws_access_key_id', 'aws_secret_access_key', 'aws_region_name'].map((name) => param(params, name)).join('|'),
  baseUrl: '',
  other: '',
})

/** LiteLLM's name of a provider, before the slash of a model, to the channel that calls it. */
export const providers: ReadonlyMap<string, ToDeployment> = new Map<string, ToDeployment>([
  ['openai', openai()],
  ['text-completion-openai', openai()],
  ['azure', azure],
  ['anthropic', plain(14)],
  ['gemini', plain(24)],
  ['vertex_ai', vertex],
  ['bedrock', bedrock],
  ['deepseek', plain(43)],
  ['mistral', plain(42)],
  ['cohere', plain(34)],
  ['cohere_chat', plain(34)],
  ['xai', plain(48)],
  ['openrouter', plain(20)],
  ['ollama', plain(4)],
  ['ollama_chat', plain(4)],
  ['perplexity', plain(27)],
  ['moonshot', plain(25)],
  ['jina_ai', plain(38)],
  ['volcengine', plain(45)],
  ['groq', openai('https://api.groq.com/openai/v1')],
  ['together_ai', openai('https://api.together.xyz/v1')],
  ['fireworks_ai', openai('https://api.fireworks.ai/inference/v1')],
  ['dashscope', openai('https://dashscope.aliyuncs.com/compatible-mode/v1')],
  ['openai_like', openai()],
  ['hosted_vllm', openai()],
  ['lm_studio', openai()],
  ['litellm_proxy', openai()],
])

/** Provider and model of LiteLLM's `provider/model`; names without a provider are OpenAI's. */
export const splitModel = (name: string): { readonly provider: string; readonly model: string } => {
  const slash = name.indexOf('/')
  if (slash < 0) return { provider: name.startsWith('claude') ? 'anthropic' : 'openai', model: name }
  return { provider: name.slice(0, slash), model: name.slice(slash + 1) }
}
