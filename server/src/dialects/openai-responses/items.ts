import { shortCallId } from '../conversation/call-ids.ts'
import type {
  ImagePart,
  Message,
  OpaquePart,
  Part,
  Role,
  ThinkingPart,
  WebSearch,
} from '../conversation/conversation.ts'
import {
  defined,
  type JsonObject,
  listOf,
  membersOf,
  objectsOf,
  parsedJson,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { unwrapSignature } from '../conversation/signatures.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { agentMessage } from './agent-message.ts'
import { calledTool, clientToolCall, toolOutput } from './client-tools.ts'
import { summaryIn } from './compaction/summaries.ts'
import { type InputContext, readContent, writeInput, writeOutputPart } from './content.ts'

/** Items of a response's input and output (platform.openai.com/docs/api-reference/responses). */

const summaryOf = (item: JsonObject): string => {
  const summary = objectsOf(item.summary).map(({ text }) => textOf(text))
  return (summary.length > 0 ? summary : objectsOf(item.content).map(({ text }) => textOf(text))).join('\n\n')
}

const thinkingPart = (item: JsonObject): ThinkingPart => {
  const encrypted = textIn(item.encrypted_content)
  const foreign = encrypted === undefined ? undefined : unwrapSignature(encrypted)
  const thinking = { kind: 'thinking', text: summaryOf(item) } as const
  return foreign === undefined
    ? { ...thinking, by: 'openai-responses', ...defined({ id: textIn(item.id), encrypted }) }
    : { ...thinking, ...foreign }
}

const callPart = (item: JsonObject): Part => {
  const namespace = textIn(item.namespace)
  const fields = {
    kind: 'tool_call',
    id: textOf(item.call_id),
    name: textOf(item.name),
    ...defined({ namespace }),
  } as const
  return item.type === 'custom_tool_call'
    ? { ...fields, arguments: textOf(item.input), custom: true }
    : { ...fields, arguments: textOf(item.arguments) }
}

const resultPart = (item: JsonObject): Part => ({
  kind: 'tool_result',
  id: textOf(item.call_id),
  content: readContent(item.output),
  ...(item.type === 'custom_tool_call_output' ? { custom: true } : {}),
})

const roles: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant'])

/** Reads a picture of the image tool as an image part of the model. */
const drawn = ({ type, result, output_format: format }: JsonObject): { plain?: ImagePart } => {
  if (type !== 'image_generation_call' || typeof result !== 'string' || result === '') return {}
  const mediaType = `image/${textOf(format) || 'png'}`
  return { plain: { kind: 'image', source: { kind: 'base64', mediaType, data: result } } }
}

/** Reads a web search of the provider, for dialects that can show searches. */
const searched = ({ type, id, action }: JsonObject): { search?: WebSearch } => {
  if (type !== 'web_search_call') return {}
  const fields = membersOf(action)
  const named = listOf(fields.queries).filter((query) => typeof query === 'string')
  const queries = named.length > 0 ? named : [textOf(fields.query)].filter((query) => query !== '')
  const sources = objectsOf(fields.sources).map(({ url }) => ({ url: textOf(url) }))
  return { search: { id: textOf(id), queries, sources: sources.filter(({ url }) => url !== '') } }
}

/** An item that only this dialect has. */
const opaqueItem = (item: JsonObject): { role: Role; parts: readonly Part[] } => {
  const type = textOf(item.type)
  const part = {
    kind: 'opaque',
    dialect: 'openai-responses',
    type,
    value: item,
    isItem: true,
    ...drawn(item),
    ...searched(item),
  } as const
  return { role: 'assistant', parts: [part] }
}

/** The parts that one item adds, and the role of the message that gets them. */
export const readItem = (item: JsonObject): { role: Role; parts: readonly Part[] } => {
  switch (item.type ?? 'message') {
    case 'message': {
      const role = textOf(item.role)
      return { role: roles.has(role) ? (role as Role) : 'user', parts: readContent(item.content) }
    }
    case 'function_call':
    case 'custom_tool_call':
      return { role: 'assistant', parts: [callPart(item)] }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', parts: [resultPart(item)] }
    case 'reasoning':
      return { role: 'assistant', parts: [thinkingPart(item)] }
    case 'agent_message':
      return { role: 'user', parts: [agentMessage(item)] }
    case 'compaction': {
      const summary = summaryIn(item)
      return summary === undefined ? opaqueItem(item) : { role: 'user', parts: [{ kind: 'text', text: summary }] }
    }
    default:
      return opaqueItem(item)
  }
}

/** The same for input items, which include calls and outputs of client-run tools. */
const readInputItem = (item: JsonObject): { role: Role; parts: readonly Part[] } => {
  const call = calledTool(item)
  if (call !== undefined) {
    const { type, ...fields } = call
    return { role: 'assistant', parts: [{ kind: 'tool_call', name: type, clientTool: type, ...fields }] }
  }
  const output = toolOutput(item)
  return output === undefined ? readItem(item) : { role: 'tool', parts: [{ kind: 'tool_result', ...output, item }] }
}

/** Joins the reasoning, text and call items of one turn into one message. */
export const readItems = (items: readonly JsonObject[]): Message[] => {
  const messages: { role: Role; parts: Part[] }[] = []
  for (const item of items) {
    // `readTools` reads these items.
    if (item.type === 'additional_tools') continue
    const { role, parts } = readInputItem(item)
    const last = messages.at(-1)
    const goesOn = last?.role === role && (role === 'assistant' || role === 'tool')
    if (goesOn) last.parts.push(...parts)
    else messages.push({ role, parts: [...parts] })
  }
  return messages
}

const reasoningItem = (part: ThinkingPart, unsupported: UnsupportedFields): JsonObject[] => {
  const foreign = part.by !== 'openai-responses'
  if (foreign || (part.encrypted === undefined && part.id === undefined)) {
    unsupported.add('messages.thinking')
    return []
  }
  const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }]
  return [
    { type: 'reasoning', ...defined({ id: part.id }), summary, ...defined({ encrypted_content: part.encrypted }) },
  ]
}

const callItem = (part: Extract<Part, { kind: 'tool_call' }>): JsonObject => {
  const { clientTool, custom, name, namespace, arguments: text } = part
  const call_id = shortCallId(part.id, 64)
  if (clientTool !== undefined) return { ...clientToolCall(clientTool, parsedJson(text)), call_id, status: 'completed' }
  const fields = { call_id, name, ...defined({ namespace }) }
  return custom
    ? { type: 'custom_tool_call', ...fields, input: text }
    : { type: 'function_call', ...fields, arguments: text }
}

const resultItem = (part: Extract<Part, { kind: 'tool_result' }>, writing: InputContext): JsonObject => {
  if (part.item !== undefined) return part.item
  if (part.isError) writing.unsupported.add('messages.tool_result.is_error')
  return {
    type: part.custom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: shortCallId(part.id, 64),
    output: writeInput(part.content, writing),
  }
}

/** Joins consecutive text into one item. */
const assistantItems = ({ parts }: Message, unsupported: UnsupportedFields): JsonObject[] => {
  const items: JsonObject[] = []
  let content: JsonObject[] = []
  const close = (): void => {
    if (content.length > 0) items.push({ type: 'message', role: 'assistant', content })
    content = []
  }
  for (const part of parts) {
    if (part.kind === 'text' || part.kind === 'refusal') {
      content.push(...writeOutputPart(part))
      continue
    }
    close()
    if (part.kind === 'thinking') items.push(...reasoningItem(part, unsupported))
    else if (part.kind === 'tool_call') items.push(callItem(part))
    else if (part.kind === 'opaque' && part.dialect === 'openai-responses') items.push(part.value)
    else unsupported.add(`messages.assistant.${part.kind === 'opaque' ? part.type : part.kind}`)
  }
  close()
  return items
}

const writeMessage = (message: Message, writing: InputContext): JsonObject[] => {
  if (message.role === 'assistant') return assistantItems(message, writing.unsupported)
  if (message.role === 'tool') {
    return message.parts.flatMap((part) => (part.kind === 'tool_result' ? [resultItem(part, writing)] : []))
  }
  if (message.name !== undefined) writing.unsupported.add('messages.name')
  const items = message.parts.flatMap((part) => (isOwnItem(part) ? [part.value] : []))
  const rest = message.parts.filter((part) => !isOwnItem(part))
  if (items.length > 0 && rest.length === 0) return items
  return [...items, { type: 'message', role: message.role, content: writeInput(rest, writing) }]
}

const isOwnItem = (part: Part): part is OpaquePart =>
  part.kind === 'opaque' && part.dialect === 'openai-responses' && part.isItem === true

export const isWritten =
  (writing: InputContext) =>
  (message: Message): boolean =>
    writeMessage(message, writing).some(({ content }) => content !== '')

export const writeItems = (messages: readonly Message[], writing: InputContext): JsonObject[] =>
  messages.flatMap((message) => writeMessage(message, writing))
