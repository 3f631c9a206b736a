import type { RelayEndpoint } from '../../relay/call.ts'
import type { EndReason } from '../../relay/call-trace.ts'

/** Names of the GenAI semantic conventions; providers that have none there keep their own, in lower case. */
const providerNames = new Map([
  ['OpenAI', 'openai'],
  ['Azure', 'azure.ai.openai'],
  ['Anthropic', 'anthropic'],
  ['Aws', 'aws.bedrock'],
  ['Gemini', 'gcp.gemini'],
  ['PaLM', 'gcp.gen_ai'],
  ['VertexAi', 'gcp.vertex_ai'],
  ['Cohere', 'cohere'],
  ['DeepSeek', 'deepseek'],
  ['Mistral', 'mistral_ai'],
  ['Perplexity', 'perplexity'],
  ['Xai', 'x_ai'],
  ['Moonshot', 'moonshot_ai'],
])

/** `gen_ai.provider.name` of a kind of upstream. */
export const providerNameOf = (name: string): string => providerNames.get(name) ?? name.toLowerCase()

const operations: Readonly<Record<RelayEndpoint, string>> = {
  conversation: 'chat',
  completions: 'text_completion',
  embeddings: 'embeddings',
  moderations: 'moderation',
  rerank: 'rerank',
  images: 'generate_content',
  speech: 'generate_content',
  transcripts: 'generate_content',
  realtime: 'chat',
  live: 'chat',
  cached_content: 'generate_content',
}

/** `gen_ai.operation.name` of a kind of call. */
export const operationOf = (endpoint: RelayEndpoint): string => operations[endpoint]

const reasonNames: Readonly<Record<EndReason, string>> = {
  stop: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
  refusal: 'content_filter',
  pause: 'pause',
  failed: 'error',
}

/** An entry of `gen_ai.response.finish_reasons`: one name for what dialects call differently. */
export const reasonNameOf = (finish: EndReason): string => reasonNames[finish]
