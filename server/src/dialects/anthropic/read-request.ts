import { AppError } from '../../lib/app-error.ts'
import type {
  AnswerFormat,
  Conversation,
  Message,
  Part,
  Reasoning,
  Tool,
  ToolChoice,
} from '../conversation/conversation.ts'
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
import { providerFields, unreadMembers } from '../conversation/provider-fields.ts'
import type { RequestTarget } from '../dialect.ts'
import { clientTool } from '../tools/anthropic-client-tools.ts'
import { readContent } from './blocks.ts'

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

const translatedFields: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'max_tokens',
  'stop_sequences',
  'temperature',
  'top_p',
  'top_k',
  'metadata',
  'service_tier',
  'thinking',
  'output_config',
  'output_format',
])

/** Splits tool results off user messages into messages of their own, before the rest. */
const userMessages = (parts: readonly Part[]): Message[] => {
  const results = parts.filter(({ kind }) => kind === 'tool_result')
  const rest = parts.filter(({ kind }) => kind !== 'tool_result')
  return [
    ...(results.length > 0 ? [{ role: 'tool', parts: results } as const] : []),
    ...(rest.length > 0 || results.length === 0 ? [{ role: 'user', parts: rest } as const] : []),
  ]
}

const readMessages = (value: unknown): Message[] => {
  if (!Array.isArray(value)) throw invalid('field messages is not a list')
  return objectsOf(value).flatMap(({ role, content }): Message[] => {
    const parts = readContent(content)
    if (role === 'assistant') return [{ role, parts }]
    return role === 'system' ? [{ role, parts }] : userMessages(parts)
  })
}

const systemMessages = (system: unknown): Message[] => {
  const parts = readContent(system)
  return parts.length === 0 ? [] : [{ role: 'system', parts }]
}

const builtIn = (type: string): 'web_search' | 'code_execution' | 'web_fetch' | 'other' => {
  if (type.startsWith('web_search_')) return 'web_search'
  if (type.startsWith('code_execution_')) return 'code_execution'
  return type.startsWith('web_fetch_') ? 'web_fetch' : 'other'
}

const translatedInTool = new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'])

const readTool = (tool: JsonObject): Tool => {
  const type = textOf(tool.type)
  const known = clientTool(tool)
  if (known !== undefined) {
    const { cache_control: cacheMark } = tool
    const cache = isObject(cacheMark) ? ({ ttl: cacheMark.ttl === '1h' ? '1h' : '5m' } as const) : undefined
    return { kind: 'function', ...known, native: { dialect: 'anthropic', value: tool }, ...defined({ cache }) }
  }
  if (type !== '' && type !== 'custom')
    return { kind: 'built_in', type: builtIn(type), dialect: 'anthropic', value: tool }
  const mark = tool.cache_control
  return {
    kind: 'function',
    name: textOf(tool.name),
    ...defined({
      description: textIn(tool.description),
      parameters: isObject(tool.input_schema) ? tool.input_schema : undefined,
      strict: flagIn(tool.strict),
      cache: isObject(mark) ? ({ ttl: mark.ttl === '1h' ? '1h' : '5m' } as const) : undefined,
    }),
    ...providerFields('anthropic', tool, translatedInTool),
  }
}

const readChoice = ({ type, name }: JsonObject): ToolChoice | undefined => {
  if (type === 'auto' || type === 'none') return { kind: type }
  if (type === 'any') return { kind: 'required' }
  return type === 'tool' ? { kind: 'tool', name: textOf(name) } : undefined
}

const readFormat = (body: JsonObject): AnswerFormat | undefined => {
  const format = membersOf(membersOf(body.output_config).format ?? body.output_format)
  if (format.type !== 'json_schema' || !isObject(format.schema)) return undefined
  return { kind: 'schema', name: 'answer', schema: format.schema, strict: true }
}

const readReasoning = (body: JsonObject): Reasoning | undefined => {
  const { type, budget_tokens: budget, display } = membersOf(body.thinking)
  const effort = effortIn(membersOf(body.output_config).effort)
  const summary = display === 'omitted' ? ('none' as const) : undefined
  // Anthropic's client, too, turns thinking off for models that cannot think between tools only.
  if (type === 'disabled' || type === 'between_tools') return { budget: 0 }
  if (type === 'enabled') return defined({ budget: numberIn(budget) ?? -1, effort, summary })
  if (type === 'adaptive') return defined({ budget: -1, effort, summary })
  return effort && { effort }
}

const readMembers = {
  thinking: new Set(['type', 'budget_tokens', 'display']),
  output_config: new Set(['effort', 'format']),
  metadata: new Set(['user_id']),
  tool_choice: new Set(['type', 'name', 'disable_parallel_tool_use']),
}

const thinkingTypes: ReadonlySet<unknown> = new Set(['enabled', 'disabled', 'adaptive', undefined])

/** A kind of thinking that only Anthropic's models have is reported as well. */
const unreadIn = (body: JsonObject): { readonly unread?: readonly string[] } => {
  const { unread = [] } = unreadMembers(body, readMembers)
  const all = thinkingTypes.has(membersOf(body.thinking).type) ? unread : ['thinking.type', ...unread]
  return all.length === 0 ? {} : { unread: all }
}

/** Reads a Messages request (docs.anthropic.com/en/api/messages). */
export const readRequest = (body: JsonObject, { model, stream }: RequestTarget): Conversation => {
  const choice = membersOf(body.tool_choice)
  return {
    model,
    stream,
    streamUsage: true,
    messages: [...systemMessages(body.system), ...readMessages(body.messages)],
    tools: objectsOf(body.tools).map(readTool),
    ...defined({
      toolChoice: readChoice(choice),
      parallelToolCalls: choice.disable_parallel_tool_use === true ? false : undefined,
      format: readFormat(body),
      reasoning: readReasoning(body),
      maxTokens: numberIn(body.max_tokens),
      temperature: numberIn(body.temperature),
      topP: numberIn(body.top_p),
      topK: numberIn(body.top_k),
      stop: Array.isArray(body.stop_sequences) ? body.stop_sequences.map(textOf) : undefined,
      user: textIn(membersOf(body.metadata).user_id),
      serviceTier: body.service_tier === 'standard_only' ? 'default' : textIn(body.service_tier),
    }),
    own: { dialect: 'anthropic', members: without(body, translatedFields), ...unreadIn(body) },
  }
}
