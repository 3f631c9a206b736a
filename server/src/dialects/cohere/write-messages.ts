import type { Message, Part, ToolCallPart, ToolResultPart } from '../conversation/conversation.ts'
import { dataUrl } from '../conversation/data-url.ts'
import { type JsonObject, listOf, textOf } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'

/** Messages of Cohere's chat (docs.cohere.com/reference/chat). */

const imageBlock = (
  { source, detail }: Extract<Part, { kind: 'image' }>,
  unsupported: UnsupportedFields,
): JsonObject[] => {
  if (source.kind === 'file') {
    unsupported.add('messages.image.file_id')
    return []
  }
  const url = source.kind === 'url' ? source.url : dataUrl(source)
  return [{ type: 'image_url', image_url: { url, ...(detail === undefined ? {} : { detail }) } }]
}

const dropCache = (part: Part, unsupported: UnsupportedFields): void => {
  if ('cache' in part && part.cache !== undefined) unsupported.add('cache_control')
}

const userBlock = (part: Part, unsupported: UnsupportedFields): JsonObject[] => {
  dropCache(part, unsupported)
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image':
      return imageBlock(part, unsupported)
    case 'document':
      if (part.source.kind === 'text') return [{ type: 'text', text: part.source.text }]
      unsupported.add('messages.document')
      return []
    default:
      unsupported.add(`messages.${part.kind === 'opaque' ? part.type : part.kind}`)
      return []
  }
}

/** Writes a single text as a string and anything else as a list of blocks. */
const contentOf = (blocks: readonly JsonObject[]): unknown => {
  const [only] = blocks
  return blocks.length === 1 && only?.type === 'text' ? only.text : blocks
}

const thoughtBlock = (part: Extract<Part, { kind: 'thinking' }>, unsupported: UnsupportedFields): JsonObject[] => {
  if (part.text !== '') return [{ type: 'thinking', thinking: part.text }]
  unsupported.add('messages.thinking.encrypted')
  return []
}

const writeCall = ({ id, name, arguments: text }: ToolCallPart): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: text === '' ? '{}' : text },
})

/** Text before tool calls becomes `tool_plan`. */
const assistant = ({ parts }: Message, unsupported: UnsupportedFields): JsonObject => {
  const calls = parts.filter((part) => part.kind === 'tool_call')
  const content = parts.filter(({ kind }) => kind !== 'tool_call')
  const text = content.map((part) => (part.kind === 'text' || part.kind === 'refusal' ? part.text : '')).join('')
  const thoughts = content.flatMap((part) => (part.kind === 'thinking' ? thoughtBlock(part, unsupported) : []))
  for (const part of content) {
    if (part.kind !== 'text' && part.kind !== 'refusal' && part.kind !== 'thinking') userBlock(part, unsupported)
  }
  if (calls.length === 0) {
    const blocks = [...thoughts, ...(text === '' ? [] : [{ type: 'text', text }])]
    return { role: 'assistant', content: contentOf(blocks) }
  }
  return {
    role: 'assistant',
    ...(thoughts.length > 0 ? { content: thoughts } : {}),
    ...(text === '' ? {} : { tool_plan: text }),
    tool_calls: calls.map(writeCall),
  }
}

const toolMessage = ({ id, content }: ToolResultPart, unsupported: UnsupportedFields): JsonObject => {
  const texts = content.flatMap((part) => {
    if (part.kind === 'text') return [part.text]
    if (part.kind === 'document' && part.source.kind === 'text') return [part.source.text]
    unsupported.add(`messages.tool.${part.kind}`)
    return []
  })
  return { role: 'tool', tool_call_id: id, content: texts.join('\n') }
}

const writeMessage = (message: Message, unsupported: UnsupportedFields): JsonObject[] => {
  if (message.name !== undefined) unsupported.add('messages.name')
  if (message.role === 'assistant') return [assistant(message, unsupported)]
  if (message.role === 'tool') {
    return message.parts.flatMap((part) => (part.kind === 'tool_result' ? [toolMessage(part, unsupported)] : []))
  }
  const role = message.role === 'user' ? 'user' : 'system'
  return [{ role, content: contentOf(message.parts.flatMap((part) => userBlock(part, unsupported))) }]
}

const holdsSomething = ({ content, tool_plan, tool_calls, role }: JsonObject): boolean =>
  role === 'tool' ||
  tool_plan !== undefined ||
  tool_calls !== undefined ||
  listOf(content).length > 0 ||
  textOf(content) !== ''

export const isWritten =
  (unsupported: UnsupportedFields) =>
  (message: Message): boolean =>
    writeMessage(message, unsupported).some(holdsSomething)

export const writeMessages = (messages: readonly Message[], unsupported: UnsupportedFields): JsonObject[] =>
  messages.flatMap((message) => writeMessage(message, unsupported))
