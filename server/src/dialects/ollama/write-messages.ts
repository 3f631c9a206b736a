import type { Message, Part, ToolCallPart, ToolResultPart } from '../conversation/conversation.ts'
import { defined, isObject, type JsonObject, parsedJson } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'

/** Messages of Ollama's chat (docs.ollama.com/api/chat): one text each, with pictures as base64 beside it. */

const imageOf = ({ source }: Extract<Part, { kind: 'image' }>, unsupported: UnsupportedFields): string[] => {
  if (source.kind === 'base64') return [source.data]
  unsupported.add(`messages.image.${source.kind}`)
  return []
}

const textOfPart = (part: Part, unsupported: UnsupportedFields): string[] => {
  if ('cache' in part && part.cache !== undefined) unsupported.add('cache_control')
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [part.text]
    case 'document':
      if (part.source.kind === 'text') return [part.source.text]
      unsupported.add('messages.document')
      return []
    case 'image':
    case 'thinking':
    case 'tool_call':
    case 'tool_result':
      return []
    default:
      unsupported.add(`messages.${part.kind === 'opaque' ? part.type : part.kind}`)
      return []
  }
}

const contentOf = (parts: readonly Part[], unsupported: UnsupportedFields): { content: string; images?: string[] } => {
  const images = parts.flatMap((part) => (part.kind === 'image' ? imageOf(part, unsupported) : []))
  const content = parts.flatMap((part) => textOfPart(part, unsupported)).join('\n')
  return images.length === 0 ? { content } : { content, images }
}

const writeCall = ({ id, name, arguments: text }: ToolCallPart): JsonObject => {
  const parsed = parsedJson(text === '' ? '{}' : text)
  return { id, function: { name, arguments: isObject(parsed) ? parsed : { arguments: text } } }
}

const assistant = ({ parts }: Message, unsupported: UnsupportedFields): JsonObject => {
  const calls = parts.filter((part) => part.kind === 'tool_call')
  const thoughts = parts.filter((part) => part.kind === 'thinking')
  if (thoughts.some(({ encrypted }) => encrypted !== undefined)) unsupported.add('messages.thinking.encrypted')
  const thinking = thoughts.map(({ text }) => text).join('')
  return {
    role: 'assistant',
    ...contentOf(parts, unsupported),
    ...defined({
      thinking: thinking === '' ? undefined : thinking,
      tool_calls: calls.length === 0 ? undefined : calls.map(writeCall),
    }),
  }
}

const result = (
  { id, name, content }: ToolResultPart,
  names: ReadonlyMap<string, string>,
  unsupported: UnsupportedFields,
): JsonObject => ({
  role: 'tool',
  ...contentOf(content, unsupported),
  tool_call_id: id,
  ...defined({ tool_name: name ?? names.get(id) }),
})

const namesOfCalls = (messages: readonly Message[]): Map<string, string> =>
  new Map(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === 'tool_call' ? [[part.id, part.name] as const] : [])),
    ),
  )

export const isWritten =
  (unsupported: UnsupportedFields) =>
  ({ parts }: Message): boolean => {
    const { content, images } = contentOf(parts, unsupported)
    return content !== '' || images !== undefined || parts.some((part) => part.kind === 'thinking' && part.text !== '')
  }

export const writeMessages = (messages: readonly Message[], unsupported: UnsupportedFields): JsonObject[] => {
  const names = namesOfCalls(messages)
  return messages.flatMap((message) => {
    if (message.name !== undefined) unsupported.add('messages.name')
    if (message.role === 'assistant') return [assistant(message, unsupported)]
    if (message.role === 'tool') {
      return message.parts.flatMap((part) => (part.kind === 'tool_result' ? [result(part, names, unsupported)] : []))
    }
    const role = message.role === 'user' ? 'user' : 'system'
    return [{ role, ...contentOf(message.parts, unsupported) }]
  })
}
