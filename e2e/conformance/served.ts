import { generateKeyPairSync } from 'node:crypto'
import type { Recording } from '../../server/test/support/relay/wire.ts'
import { parseChatAnswer } from './chat-answer.ts'
import { parseClaudeAnswer } from './claude-answer.ts'
import type { DialectName } from './dialect-name.ts'
import { parseGeminiAnswer } from './gemini-answer.ts'
import type { Json, ParsedAnswer } from './parsed-answer.ts'
import { parseCohereAnswer, parseConverseAnswer, parseDashscopeAnswer, parseOllamaAnswer } from './provider-answers.ts'
import { parseResponsesAnswer } from './responses-answer.ts'

/** Which recorded exchanges are served, by channels of which type. A new line here adds a provider. */

/** A wire dialect as it was recorded. */
interface Wire {
  /** The client dialect that speaks it natively. */
  readonly native?: DialectName
  readonly parse: (answers: readonly Json[]) => ParsedAnswer
}

export interface Served {
  readonly provider: string
  readonly format: string
  readonly wire: Wire
  /** Channel type. */
  readonly type: number
  /** The type for clients whose language this type speaks as well, so that theirs is converted all the same. */
  readonly otherwise?: number
  readonly takes?: (recording: Recording) => boolean
  /** Of the channel; `wire-<id>` when absent. */
  readonly key?: (id: string, url: string) => string
  readonly baseUrl?: (url: string) => string
  readonly other?: string
  /** The client's name of the model; the recorded name if absent. */
  readonly model?: (recording: Recording) => string
}

const chat: Wire = { native: 'openai-chat', parse: parseChatAnswer }
const responses: Wire = { native: 'openai-responses', parse: parseResponsesAnswer }
const claude: Wire = { native: 'anthropic', parse: parseClaudeAnswer }
const gemini: Wire = { native: 'gemini', parse: parseGeminiAnswer }
const converse: Wire = { parse: parseConverseAnswer }
const cohere: Wire = { parse: parseCohereAnswer }
const ollama: Wire = { parse: parseOllamaAnswer }
const dashscope: Wire = { parse: parseDashscopeAnswer }

/** OpenAI, which answers in responses as well, and a reseller of it that does not. */
const openai = 1
const reseller = 6

/** Providers that are called through OpenAI channels: they have no channel type, or more endpoints than their type covers. */
const compatible = [
  'avian',
  'bedrock',
  'cerebras',
  'crusoe',
  'databricks',
  'gemini',
  'gpustack',
  'groq',
  'huggingface',
  'llamacpp',
  'ollama',
  'openai',
  'snowflake',
  'together',
  'vercel-gateway',
  'vllm',
].map((provider): Served => ({ provider, format: 'openai.chat', wire: chat, type: openai, otherwise: reseller }))

const ownType = (
  [
    ['azure', 3],
    ['deepseek', 43],
    ['mistral', 42],
    ['perplexity', 27],
    ['dashscope', 17],
  ] as const
).map(([provider, type]): Served => ({ provider, format: 'openai.chat', wire: chat, type }))

/** A model that OpenAI answers in responses only: clients of other languages are converted to it. */
const responsesModel = 'gpt-5-codex'

const inResponses = ['azure', 'bedrock', 'deepseek', 'lmstudio', 'openai', 'openrouter', 'xai'].map(
  (provider): Served => ({
    provider,
    format: 'openai.responses',
    wire: responses,
    type: openai,
    model: () => responsesModel,
  }),
)

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

const account = (id: string, url: string): string =>
  JSON.stringify({
    project_id: 'project',
    private_key: privateKey,
    private_key_id: 'key',
    client_email: `wire-${id}@x.iam.gserviceaccount.com`,
    token_uri: `${url}/token`,
  })

const vertex = { provider: 'vertex', type: 41, key: account, other: 'us-central1' } as const
const aws = { provider: 'bedrock', type: 33, key: (id: string) => `wire-${id}|secret|us-east-1` } as const
const isClaude = ({ model }: Recording): boolean => /anthropic\.claude/.test(model ?? '')

export const served: readonly Served[] = [
  ...compatible,
  ...ownType,
  { provider: 'openrouter', format: 'openai.chat', wire: chat, type: 20, otherwise: reseller },
  { provider: 'xai', format: 'openai.chat', wire: chat, type: 48, otherwise: reseller },
  { provider: 'cloudflare', format: 'openai.chat', wire: chat, type: 39, other: 'account' },
  { provider: 'zhipu', format: 'openai.chat', wire: chat, type: 26, key: (id) => `wire-${id}.secret` },
  ...inResponses,
  { provider: 'anthropic', format: 'anthropic.messages', wire: claude, type: 14 },
  { ...vertex, format: 'anthropic.messages', wire: claude },
  { ...aws, format: 'bedrock.invoke', wire: claude, takes: isClaude },
  { provider: 'gemini', format: 'gemini.generateContent', wire: gemini, type: 24 },
  { provider: 'gemini', format: 'gemini.streamGenerateContent', wire: gemini, type: 24 },
  { ...vertex, format: 'gemini.generateContent', wire: gemini },
  { ...vertex, format: 'gemini.streamGenerateContent', wire: gemini },
  { ...aws, format: 'bedrock.converse', wire: converse, takes: (recording) => !isClaude(recording) },
  { provider: 'cohere', format: 'cohere.chat.v2', wire: cohere, type: 34 },
  { provider: 'ollama', format: 'ollama.chat', wire: ollama, type: 4 },
  {
    provider: 'dashscope',
    format: 'dashscope.generation',
    wire: dashscope,
    type: 17,
    baseUrl: (url) => `${url}/api/v1`,
  },
  {
    provider: 'dashscope',
    format: 'dashscope.multimodal',
    wire: dashscope,
    type: 17,
    baseUrl: (url) => `${url}/api/v1`,
  },
]
