import { plainCallId } from '../conversation/call-ids.ts'
import type { DocumentPart, MediaSource, Message, Part, ToolResultPart } from '../conversation/conversation.ts'
import { assistantBegan } from '../conversation/gaps/filler-texts.ts'
import { defined, type JsonObject } from '../conversation/json.ts'
import { dropDetail } from '../conversation/provider-fields.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { inputOf } from '../tools/custom-tools.ts'
import { writeCache } from './blocks.ts'

interface Writing {
  /** True if pictures and documents may be URLs. */
  readonly urls: boolean
  readonly unsupported: UnsupportedFields
}

const writeSource = (source: MediaSource, field: string, { urls, unsupported }: Writing): JsonObject | undefined => {
  if (source.kind === 'base64') return { type: 'base64', media_type: source.mediaType, data: source.data }
  if (source.kind === 'url' && urls) return { type: 'url', url: source.url }
  if (source.kind === 'file' && source.id.startsWith('file_')) return { type: 'file', file_id: source.id }
  unsupported.add(`${field}.${source.kind}`)
  return undefined
}

/** Writes PDFs as bytes and texts as text. Other files are unsupported. */
const documentSource = ({ source }: DocumentPart, writing: Writing): JsonObject | undefined => {
  if (source.kind === 'text') return { type: 'text', media_type: 'text/plain', data: source.text }
  if (source.kind !== 'base64' || source.mediaType === 'application/pdf') {
    return writeSource(source, 'messages.document', writing)
  }
  if (/^text\/|^application\/(json|xml)/.test(source.mediaType)) {
    return { type: 'text', media_type: 'text/plain', data: Buffer.from(source.data, 'base64').toString() }
  }
  writing.unsupported.add(`messages.document.${source.mediaType}`)
  return undefined
}

const documentBlock = (part: DocumentPart, writing: Writing): JsonObject | undefined => {
  const source = documentSource(part, writing)
  if (source === undefined) return undefined
  const { title = part.filename, context, citations } = part
  return {
    type: 'document',
    source,
    ...defined({ title, context, citations: citations ? { enabled: true } : undefined }),
  }
}

const resultBlock = ({ id, content, isError }: ToolResultPart, writing: Writing): JsonObject => {
  const blocks = content.flatMap((part) => writeBlock(part, writing))
  const [only] = blocks
  const plain = blocks.length === 1 && only?.type === 'text' && only.cache_control === undefined
  return {
    type: 'tool_result',
    tool_use_id: plainCallId(id),
    ...(blocks.length === 0 ? {} : { content: plain ? only.text : blocks }),
    ...(isError ? { is_error: true } : {}),
  }
}

/** Drops unsigned thinking, which Anthropic refuses. */
const thinkingBlock = (part: Extract<Part, { kind: 'thinking' }>, { unsupported }: Writing): JsonObject | undefined => {
  const foreign = part.by !== undefined && part.by !== 'anthropic'
  if (!foreign && part.encrypted !== undefined) return { type: 'redacted_thinking', data: part.encrypted }
  if (!foreign && part.signature) return { type: 'thinking', thinking: part.text, signature: part.signature }
  unsupported.add('messages.thinking')
  return undefined
}

/** Drops blank texts and citations of other providers: Anthropic refuses both. */
const textBlock = ({ text, citations = [] }: Extract<Part, { kind: 'text' }>): JsonObject | undefined => {
  if (text.trim() === '') return undefined
  const own = citations.flatMap((citation) => (citation.own?.dialect === 'anthropic' ? [citation.own.value] : []))
  return { type: 'text', text, ...(own.length > 0 ? { citations: own } : {}) }
}

const bareBlock = (part: Part, writing: Writing): JsonObject | undefined => {
  switch (part.kind) {
    case 'text':
      return textBlock(part)
    case 'refusal':
      return part.text.trim() === '' ? undefined : { type: 'text', text: part.text }
    case 'image': {
      dropDetail(part, writing.unsupported)
      const source = writeSource(part.source, 'messages.image', writing)
      return source && { type: 'image', source }
    }
    case 'document':
      return documentBlock(part, writing)
    case 'tool_call':
      return { type: 'tool_use', id: plainCallId(part.id), name: part.name, input: inputOf(part) }
    case 'tool_result':
      return resultBlock(part, writing)
    case 'thinking':
      return thinkingBlock(part, writing)
    case 'opaque':
      if (part.dialect === 'anthropic') return part.value
      writing.unsupported.add(`messages.${part.type}`)
      return undefined
    case 'audio':
    case 'video':
      writing.unsupported.add(`messages.${part.kind}`)
      return undefined
  }
}

export const writeBlock = (part: Part, writing: Writing): JsonObject[] => {
  const block = bareBlock(part, writing)
  if (block === undefined) return []
  return ['cache' in part && part.cache !== undefined ? { ...block, ...writeCache(part.cache) } : block]
}

export const isWritten =
  (writing: Writing) =>
  ({ parts }: Message): boolean =>
    parts.some((part) => writeBlock(part, writing).length > 0)

/** Joins all instructions into one system prompt. */
export const writeSystem = (instructions: readonly Message[], unsupported: UnsupportedFields): JsonObject => {
  const blocks = instructions.flatMap(({ parts }) =>
    parts.flatMap((part) => writeBlock(part, { urls: false, unsupported })),
  )
  const [only] = blocks
  if (only === undefined) return {}
  return { system: blocks.length === 1 && only.cache_control === undefined ? only.text : blocks }
}

interface Turn {
  readonly role: 'user' | 'assistant' | 'system'
  readonly blocks: JsonObject[]
}

/** Joins consecutive turns of one role. Tool results come first in the joined turn. */
const turnsOf = (messages: readonly Message[], writing: Writing): Turn[] => {
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.name !== undefined) writing.unsupported.add('messages.name')
    const { role: asked } = message
    const role = asked === 'assistant' || asked === 'system' ? asked : 'user'
    const blocks = message.parts.flatMap((part) => writeBlock(part, writing))
    if (blocks.length === 0) continue
    const last = turns.at(-1)
    if (last?.role === role) last.blocks.push(...blocks)
    else turns.push({ role, blocks })
  }
  return turns
}

/** Puts tool results first: Anthropic refuses a turn with anything before them. */
const resultsFirst = (blocks: readonly JsonObject[]): readonly JsonObject[] => {
  const isResult = ({ type }: JsonObject): boolean => type === 'tool_result'
  return blocks.some(isResult) ? [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))] : blocks
}

const contentOf = (turn: Turn): string | readonly JsonObject[] => {
  const blocks = resultsFirst(turn.blocks)
  const [only] = blocks
  return blocks.length === 1 && only?.type === 'text' && only.cache_control === undefined ? String(only.text) : blocks
}

const begun: JsonObject = { type: 'text', text: assistantBegan }

/** Anthropic requires a user turn first and refuses empty turns, which are left out. */
export const writeMessages = (messages: readonly Message[], writing: Writing): JsonObject[] => {
  const written = turnsOf(messages, writing)
  const turns: Turn[] = written[0]?.role === 'assistant' ? [{ role: 'user', blocks: [begun] }, ...written] : written
  return turns.map((turn) => ({ role: turn.role, content: contentOf(turn) }))
}
