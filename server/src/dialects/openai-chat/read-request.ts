import { AppError } from '../../lib/app-error.ts'
import type { AnswerFormat, Conversation, Message, Reasoning } from '../conversation/conversation.ts'
import { effortIn } from '../conversation/effort.ts'
import {
  defined,
  flagIn,
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
  textOf,
  without,
} from '../conversation/json.ts'
import { unreadMembers } from '../conversation/provider-fields.ts'
import type { RequestTarget } from '../dialect.ts'
import { readMessage } from './read-message.ts'
import { readToolChoice, readTools } from './read-tools.ts'

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

const translatedFields: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'stream_options',
  'messages',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'web_search_options',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'reasoning',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'stop',
  'n',
  'logprobs',
  'top_logprobs',
  'user',
  'safety_identifier',
  'service_tier',
  'verbosity',
  'modalities',
])

const formatOf = (value: unknown): AnswerFormat | undefined => {
  const { type, json_schema: schema } = membersOf(value)
  if (type === 'json_object') return { kind: 'json' }
  if (type === 'text') return { kind: 'text' }
  if (type !== 'json_schema' || !isObject(schema)) return undefined
  return {
    kind: 'schema',
    name: textOf(schema.name) || 'answer',
    schema: membersOf(schema.schema),
    ...defined({ strict: flagIn(schema.strict), description: textIn(schema.description) }),
  }
}

/** Reads `reasoning_effort` and the fields of OpenRouter (`reasoning`), Anthropic (`thinking`) and Qwen (`enable_thinking`). */
const reasoningOf = (body: JsonObject): Reasoning | undefined => {
  const router = membersOf(body.reasoning)
  const thinking = membersOf(body.thinking)
  const off = thinking.type === 'disabled' || body.enable_thinking === false || router.enabled === false
  const budget = off
    ? 0
    : (numberIn(thinking.budget_tokens) ?? numberIn(router.max_tokens) ?? numberIn(body.thinking_budget))
  const isOn = thinking.type === 'enabled' || thinking.type === 'adaptive'
  const on = isOn || body.enable_thinking === true || router.enabled === true
  const effort = effortIn(body.reasoning_effort) ?? effortIn(router.effort)
  if (budget === undefined && effort === undefined) return on ? { budget: -1 } : undefined
  return defined({ budget, effort, summary: router.exclude === true ? ('none' as const) : undefined })
}

const stopOf = (value: unknown): readonly string[] | undefined => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : undefined
}

/** Members read from fields of other APIs that hold more than the gateway translates. */
const readMembers = {
  reasoning: new Set(['effort', 'max_tokens', 'exclude', 'enabled', 'summary']),
  thinking: new Set(['type', 'budget_tokens']),
}

const messagesOf = (value: unknown): Message[] => {
  if (!Array.isArray(value)) throw invalid('field messages is not a list')
  return objectsOf(value).map(readMessage)
}

/** Response formats and tool choices of other providers, which stay provider fields. */
const unread = ({ response_format, ...body }: JsonObject): JsonObject =>
  defined({
    response_format: isObject(response_format) && formatOf(response_format) === undefined ? response_format : undefined,
    tool_choice: isObject(body.tool_choice) && readToolChoice(body) === undefined ? body.tool_choice : undefined,
  })

/** Reads a chat completion request (platform.openai.com/docs/api-reference/chat/create). */
export const readRequest = (body: JsonObject, { model, stream }: RequestTarget): Conversation => ({
  model,
  stream,
  streamUsage: membersOf(body.stream_options).include_usage === true,
  messages: messagesOf(body.messages),
  tools: readTools(body),
  ...defined({
    toolChoice: readToolChoice(body),
    parallelToolCalls: flagIn(body.parallel_tool_calls),
    format: formatOf(body.response_format),
    reasoning: reasoningOf(body),
    maxTokens: numberIn(body.max_completion_tokens) ?? numberIn(body.max_tokens),
    temperature: numberIn(body.temperature),
    topP: numberIn(body.top_p),
    topK: numberIn(body.top_k),
    frequencyPenalty: numberIn(body.frequency_penalty),
    presencePenalty: numberIn(body.presence_penalty),
    seed: numberIn(body.seed),
    stop: stopOf(body.stop),
    n: numberIn(body.n),
    logprobs: flagIn(body.logprobs),
    topLogprobs: numberIn(body.top_logprobs),
    user: textIn(body.safety_identifier) ?? textIn(body.user),
    serviceTier: textIn(body.service_tier),
    verbosity: textIn(body.verbosity),
    modalities: Array.isArray(body.modalities) ? body.modalities.map(textOf) : undefined,
  }),
  own: {
    dialect: 'openai-chat',
    members: { ...without(body, translatedFields), ...unread(body) },
    ...unreadMembers(body, readMembers),
  },
})
