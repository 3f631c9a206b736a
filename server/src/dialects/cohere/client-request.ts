import { ownMember } from '@tollgate/contract/own-member'
import { AppError } from '../../lib/app-error.ts'
import { effortOf } from '../conversation/effort.ts'
import {
  defined,
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
  textOf,
} from '../conversation/json.ts'

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

/** Members without an equivalent in chat requests that would change the answer. */
const refuseUnknown = (body: JsonObject): void => {
  for (const name of ['documents', 'connectors', 'search_queries_only'] as const) {
    const value = body[name]
    if (value === true || listOf(value).length > 0) throw invalid(`${name} is not supported here`)
  }
}

/** `thinking` is a word that OpenAI refuses; an effort is read by all. Cohere thinks without a bound where none is named. */
const efforts = (thinking: unknown): JsonObject => {
  if (!isObject(thinking)) return {}
  if (thinking.type === 'disabled') return { reasoning_effort: 'none' }
  const budget = numberIn(thinking.token_budget)
  return { reasoning_effort: budget === undefined ? 'high' : effortOf({ budget }) }
}

const formatOf = (format: unknown): JsonObject | undefined => {
  if (!isObject(format) || format.type !== 'json_object') return undefined
  const schema = format.json_schema ?? format.schema
  return isObject(schema) ? { type: 'json_schema', json_schema: { name: 'answer', schema } } : { type: 'json_object' }
}

/** Settings that both versions of the API have. */
const settingsOf = (body: JsonObject): JsonObject =>
  defined({
    max_tokens: body.max_tokens,
    temperature: body.temperature,
    top_p: body.p,
    top_k: body.k,
    frequency_penalty: body.frequency_penalty,
    presence_penalty: body.presence_penalty,
    seed: body.seed,
    stop: body.stop_sequences,
    response_format: formatOf(body.response_format),
    ...efforts(body.thinking),
  })

const streaming = (body: JsonObject): JsonObject =>
  body.stream === true ? { stream: true, stream_options: { include_usage: true } } : {}

const partOf = (part: JsonObject): JsonObject => {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: textOf(part.text) }
    case 'image_url':
      return { type: 'image_url', image_url: part.image_url }
    case 'document':
      return { type: 'text', text: JSON.stringify(membersOf(part.document).data ?? part.document) }
    default:
      throw invalid(`content of the type ${textOf(part.type) || 'none'} is not supported`)
  }
}

const contentOf = (content: unknown): unknown =>
  Array.isArray(content)
    ? objectsOf(content)
        .filter(({ type }) => type !== 'thinking')
        .map(partOf)
    : content

const thoughtsIn = (content: unknown): string | undefined =>
  objectsOf(content)
    .flatMap(({ type, thinking }) => (type === 'thinking' ? [textOf(thinking)] : []))
    .join('') || undefined

const messageOf = (message: JsonObject): JsonObject => {
  const { role, content, tool_calls: calls, tool_plan: plan, tool_call_id: id } = message
  if (role === 'tool') return { role, tool_call_id: id, content: contentOf(content) }
  if (role !== 'assistant') return { role, content: contentOf(content) }
  const written = contentOf(content) ?? plan
  return defined({
    role,
    content: written ?? null,
    reasoning_content: thoughtsIn(content),
    tool_calls: listOf(calls).length === 0 ? undefined : calls,
  })
}

const choices: Readonly<Record<string, string>> = { REQUIRED: 'required', NONE: 'none' }

/** A chat request of version 2 (docs.cohere.com/reference/chat) as one of chat completions. */
export const readChatV2 = (body: JsonObject): JsonObject => {
  refuseUnknown(body)
  const choice = textIn(body.tool_choice)
  return {
    model: body.model,
    messages: objectsOf(body.messages).map(messageOf),
    ...defined({
      tools: listOf(body.tools).length === 0 ? undefined : body.tools,
      tool_choice: choice === undefined ? undefined : ownMember(choices, choice),
    }),
    ...settingsOf(body),
    ...streaming(body),
  }
}

const roles: Readonly<Record<string, string>> = { USER: 'user', CHATBOT: 'assistant', SYSTEM: 'system' }

/** The id by which a call of version 1, which has none, is known to its result. */
const callId = (turn: number, index: number): string => `call_${turn}_${index}`

interface Called {
  readonly name: unknown
  readonly id: string
}

const schemaOf = (definitions: unknown): JsonObject => {
  const members = Object.entries(membersOf(definitions)).filter((entry): entry is [string, JsonObject] =>
    isObject(entry[1]),
  )
  const types: Readonly<Record<string, string>> = {
    str: 'string',
    int: 'integer',
    float: 'number',
    bool: 'boolean',
    dict: 'object',
    list: 'array',
  }
  const property = ({ type, description }: JsonObject): JsonObject =>
    defined({ type: ownMember(types, textOf(type).toLowerCase()) ?? 'string', description })
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, definition]) => [name, property(definition)])),
    required: members.filter(([, { required }]) => required === true).map(([name]) => name),
  }
}

/** A chat request of version 1 (docs.cohere.com/v1/reference/chat) as one of chat completions. */
export const readChatV1 = (body: JsonObject): JsonObject => {
  refuseUnknown(body)
  let called: Called[] = []
  const results = (list: unknown): JsonObject[] =>
    objectsOf(list).map(({ call, outputs }, index) => ({
      role: 'tool',
      tool_call_id: called.find(({ name }) => name === membersOf(call).name)?.id ?? callId(0, index),
      content: JSON.stringify(outputs ?? []),
    }))
  const history = objectsOf(body.chat_history).flatMap((turn, at): JsonObject[] => {
    if (textOf(turn.role) === 'TOOL') return results(turn.tool_results)
    const calls = objectsOf(turn.tool_calls)
    if (calls.length > 0) called = calls.map(({ name }, index) => ({ name, id: callId(at, index) }))
    const toolCalls = calls.map(({ name, parameters }, index) => ({
      id: callId(at, index),
      type: 'function',
      function: { name, arguments: JSON.stringify(parameters ?? {}) },
    }))
    const role = ownMember(roles, textOf(turn.role).toUpperCase()) ?? 'user'
    const content = textIn(turn.message) || (toolCalls.length > 0 ? null : '')
    return [defined({ role, content, tool_calls: toolCalls.length === 0 ? undefined : toolCalls })]
  })
  const preamble = textIn(body.preamble)
  const tools = objectsOf(body.tools).map(({ name, description, parameter_definitions: definitions }) => ({
    type: 'function',
    function: defined({ name, description, parameters: schemaOf(definitions) }),
  }))
  const asked = textIn(body.message)
  return {
    model: body.model,
    messages: [
      ...(preamble ? [{ role: 'system', content: preamble }] : []),
      ...history,
      ...(asked ? [{ role: 'user', content: asked }] : []),
      ...results(body.tool_results),
    ],
    ...(tools.length === 0 ? {} : { tools }),
    ...settingsOf(body),
    ...streaming(body),
  }
}
