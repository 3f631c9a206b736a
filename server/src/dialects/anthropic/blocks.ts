import { ownMember } from '@tollgate/contract/own-member'
import type {
  CacheMark,
  Citation,
  DocumentPart,
  MediaSource,
  Part,
  TextPart,
  ThinkingPart,
} from '../conversation/conversation.ts'
import { loadedTools, summaryOf } from '../conversation/gaps/filler-texts.ts'
import { defined, isObject, type JsonObject, membersOf, objectsOf, textIn, textOf } from '../conversation/json.ts'
import { withUnread } from '../conversation/provider-fields.ts'
import { unwrapSignature } from '../conversation/signatures.ts'
import { foreignResults, isForeignSearch, isOwnCitation } from './searches.ts'

/** Anthropic's content blocks as parts (docs.anthropic.com/en/api/messages). */

const readCache = ({ cache_control: mark }: JsonObject): CacheMark | undefined => {
  if (!isObject(mark)) return undefined
  return { ttl: mark.ttl === '1h' ? '1h' : '5m' }
}

const readSource = (source: JsonObject): MediaSource | undefined => {
  if (source.type === 'url') return { kind: 'url', url: textOf(source.url) }
  if (source.type === 'file') return { kind: 'file', id: textOf(source.file_id) }
  if (source.type !== 'base64') return undefined
  return { kind: 'base64', mediaType: textOf(source.media_type), data: textOf(source.data) }
}

const documentSource = (source: JsonObject): DocumentPart['source'] | undefined => {
  if (source.type === 'text') return { kind: 'text', text: textOf(source.data) }
  if (source.type !== 'content') return readSource(source)
  const { content } = source
  if (typeof content === 'string') return { kind: 'text', text: content }
  const texts = objectsOf(content).map((block) => textIn(block.text))
  return texts.every((text) => text !== undefined) ? { kind: 'text', text: texts.join('\n') } : undefined
}

/** Reads a citation. Its positions refer to the document, so it applies to the whole text block. */
export const readCitation = (value: JsonObject): Citation => ({
  own: { dialect: 'anthropic', value },
  ...defined({
    url: textIn(value.url) ?? textIn(value.source),
    title: textIn(value.title) ?? textIn(value.document_title),
    citedText: textIn(value.cited_text),
  }),
})

const textBlock = (block: JsonObject): Part => {
  const citations = objectsOf(block.citations).filter(isOwnCitation).map(readCitation)
  return { kind: 'text', text: textOf(block.text), ...(citations.length > 0 ? { citations } : {}) }
}

/** Members of pictures and documents that are read. */
const mediaMembers = new Set(['type', 'source', 'title', 'context', 'citations', 'cache_control'])

const documentBlock = (block: JsonObject): Part | undefined => {
  const source = documentSource(membersOf(block.source))
  if (source === undefined) return undefined
  const citations = membersOf(block.citations).enabled === true ? true : undefined
  const fields = defined({ title: textIn(block.title), context: textIn(block.context), citations })
  return withUnread({ kind: 'document', source, ...fields }, block, mediaMembers)
}

const imageBlock = (block: JsonObject): Part | undefined => {
  const source = readSource(membersOf(block.source))
  return source && withUnread({ kind: 'image', source }, block, mediaMembers)
}

/** One line names all tools that a search found: many providers take one text per result. */
const withJoinedReferences = (content: readonly Part[]): readonly Part[] => {
  const references = content.filter((part) => part.kind === 'opaque' && part.type === 'tool_reference')
  if (references.length < 2) return content
  const names = references.map((part) => (part.kind === 'opaque' ? textOf(part.value.tool_name) : ''))
  const plain = (text: string): TextPart => ({ kind: 'text', text })
  return content.map((part) =>
    part.kind === 'opaque' && references.includes(part)
      ? { ...part, plain: plain(part === references[0] ? loadedTools(names) : '') }
      : part,
  )
}

const resultBlock = (block: JsonObject): Part => ({
  kind: 'tool_result',
  id: textOf(block.tool_use_id),
  content: withJoinedReferences(readContent(block.content)),
  ...(block.is_error === true ? { isError: true } : {}),
})

const readThinking = (block: JsonObject): ThinkingPart => {
  const signature = textIn(block.signature) || undefined
  const foreign = signature === undefined ? undefined : unwrapSignature(signature)
  return {
    kind: 'thinking',
    text: textOf(block.thinking),
    ...(foreign ?? defined({ by: 'anthropic' as const, signature })),
  }
}

const readRedacted = (block: JsonObject): ThinkingPart => {
  const data = textOf(block.data)
  return { kind: 'thinking', text: '', ...(unwrapSignature(data) ?? { encrypted: data, by: 'anthropic' as const }) }
}

/** A thought; undefined for blocks of all other types. */
export const readThought = (block: JsonObject): ThinkingPart | undefined => {
  if (block.type === 'thinking') return readThinking(block)
  return block.type === 'redacted_thinking' ? readRedacted(block) : undefined
}

const readers: Readonly<Record<string, (block: JsonObject) => Part | undefined>> = {
  text: textBlock,
  image: imageBlock,
  document: documentBlock,
  tool_result: resultBlock,
  tool_use: (block) => ({
    kind: 'tool_call',
    id: textOf(block.id),
    name: textOf(block.name),
    arguments: JSON.stringify(block.input ?? {}),
  }),
  thinking: readThinking,
  redacted_thinking: readRedacted,
}

/** Anthropic's summary of compacted turns; null where it failed. */
const summaryText = ({ content }: JsonObject): { plain?: TextPart } =>
  typeof content === 'string' && content !== '' ? { plain: { kind: 'text', text: summaryOf(content) } } : {}

/** Blocks of the client's own searches, with a text form for other dialects. */
const plainText = (block: JsonObject): { plain?: TextPart } => {
  // The definitions of the tools are among those of the request; other dialects offer them from the start.
  if (block.type === 'tool_reference') return { plain: { kind: 'text', text: loadedTools([textOf(block.tool_name)]) } }
  if (block.type === 'compaction') return summaryText(block)
  if (block.type !== 'search_result') return {}
  const texts = objectsOf(block.content).map(({ text }) => textOf(text))
  const lines = [textOf(block.title), textOf(block.source), ...texts]
  return {
    plain: {
      kind: 'text',
      text: lines.filter((line) => line !== '').join('\n'),
      ...defined({ cache: readCache(block) }),
    },
  }
}

export const readBlock = (block: JsonObject): Part => {
  const type = textOf(block.type)
  const part = ownMember(readers, type)?.(block)
  if (part === undefined) return { kind: 'opaque', dialect: 'anthropic', type, value: block, ...plainText(block) }
  const cache = readCache(block)
  if (cache === undefined || part.kind === 'thinking' || part.kind === 'refusal' || part.kind === 'opaque') return part
  return { ...part, cache }
}

/** Reads blocks that clients return. Unlike Anthropic's answers, they may hold results of another provider's search. */
const readForeignResults = (block: JsonObject): Part | undefined => {
  const part = foreignResults(block)
  return part && { ...part, ...defined({ cache: readCache(block) }) }
}

export const readContent = (content: unknown): Part[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return objectsOf(content)
    .filter((block) => !isForeignSearch(block))
    .map((block) => readForeignResults(block) ?? readBlock(block))
}

export const writeCache = (cache: CacheMark | undefined): JsonObject =>
  cache === undefined ? {} : { cache_control: { type: 'ephemeral', ...(cache.ttl === '1h' ? { ttl: '1h' } : {}) } }
