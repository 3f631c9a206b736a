import { ownMember } from '@tollgate/contract/own-member'
import { bedrockCallId } from '../conversation/call-ids.ts'
import type {
  CacheMark,
  DocumentPart,
  MediaSource,
  Part,
  ToolCallPart,
  ToolResultPart,
} from '../conversation/conversation.ts'
import { isObject, type JsonObject, parsedJson } from '../conversation/json.ts'
import { dropDetail } from '../conversation/provider-fields.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'

/** Content blocks of Converse (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html). */

export interface BlockContext {
  readonly unsupported: UnsupportedFields
  /** Names of the documents so far; Converse refuses duplicates. */
  readonly documents: Set<string>
}

export const cachePoint = ({ ttl }: CacheMark): JsonObject => ({
  cachePoint: { type: 'default', ...(ttl === '1h' ? { ttl } : {}) },
})

/** Bytes or an S3 object. Other URLs are not downloaded, and file ids belong to other providers: both are unsupported. */
const bytesOf = (source: MediaSource, field: string, { unsupported }: BlockContext): JsonObject | undefined => {
  if (source.kind === 'base64') return { bytes: source.data }
  if (source.kind === 'url' && source.url.startsWith('s3://')) return { s3Location: { uri: source.url } }
  unsupported.add(`${field}.${source.kind}`)
  return undefined
}

const endingOf = (text: string): string => /[/.]([a-z0-9]+)(?:[?#;]|$)/i.exec(text)?.[1]?.toLowerCase() ?? ''

const mediaFormat = (source: MediaSource, fallback: string): string => {
  const named = source.kind === 'base64' ? source.mediaType : source.kind === 'url' ? source.url : ''
  const format = endingOf(named)
  if (format === 'jpg') return 'jpeg'
  return format || fallback
}

const mediaBlock = (
  part: Extract<Part, { kind: 'image' | 'video' | 'audio' }>,
  fallback: string,
  writing: BlockContext,
): JsonObject[] => {
  const source = bytesOf(part.source, `messages.${part.kind}`, writing)
  return source === undefined ? [] : [{ [part.kind]: { format: mediaFormat(part.source, fallback), source } }]
}

const documentFormats: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
}

/** A unique document name of letters, digits, single spaces, hyphens and brackets, which is all that Converse allows. */
const documentName = ({ title, filename }: DocumentPart, { documents }: BlockContext): string => {
  const base = (title ?? filename ?? '').replace(/\.[a-z0-9]{1,5}$/i, '')
  const allowed =
    base
      .replace(/[^\w\s()[\]-]|_/g, '-')
      .replace(/\s+/g, ' ')
      .trim() || 'document'
  let name = allowed
  for (let number = 2; documents.has(name); number += 1) name = `${allowed} ${number}`
  documents.add(name)
  return name
}

const documentBlock = (part: DocumentPart, writing: BlockContext): JsonObject[] => {
  const { source, context, citations } = part
  const isText = source.kind === 'text'
  const mediaType = source.kind === 'base64' ? source.mediaType.split(';')[0] : 'text/plain'
  const ending = ownMember(documentFormats, mediaType ?? '') ?? endingOf(part.filename ?? '')
  const bytes = isText
    ? { bytes: Buffer.from(source.text).toString('base64') }
    : bytesOf(source, 'messages.document', writing)
  if (bytes === undefined) return []
  const document = { name: documentName(part, writing), format: isText ? 'txt' : ending || 'pdf', source: bytes }
  return [
    {
      document: {
        ...document,
        ...(context === undefined ? {} : { context }),
        ...(citations ? { citations: { enabled: true } } : {}),
      },
    },
  ]
}

/** Arguments that are not a JSON object become the property `arguments`. */
const callBlock = ({ id, name, arguments: text, custom }: ToolCallPart): JsonObject => {
  const input = parsedJson(text === '' ? '{}' : text)
  return {
    toolUse: { toolUseId: bedrockCallId(id), name, input: isObject(input) && !custom ? input : { arguments: text } },
  }
}

/** Converse refuses results without a block and blank texts. */
const emptyResult: JsonObject = { json: {} }

const resultBlock = ({ id, content, isError }: ToolResultPart, writing: BlockContext): JsonObject => {
  const blocks = content.flatMap((part) => writeBlock(part, writing))
  return {
    toolResult: {
      toolUseId: bedrockCallId(id),
      content: blocks.length === 0 ? [emptyResult] : blocks,
      ...(isError ? { status: 'error' } : {}),
    },
  }
}

/** Converse accepts only signed reasoning, and only Anthropic's models sign there. */
const thoughtBlock = (part: Extract<Part, { kind: 'thinking' }>, { unsupported }: BlockContext): JsonObject[] => {
  const isOwn = part.by === undefined || part.by === 'anthropic'
  if (isOwn && part.encrypted !== undefined) {
    return [{ reasoningContent: { redactedContent: Buffer.from(part.encrypted).toString('base64') } }]
  }
  if (isOwn && part.signature) {
    return [{ reasoningContent: { reasoningText: { text: part.text, signature: part.signature } } }]
  }
  unsupported.add('messages.thinking')
  return []
}

const bareBlocks = (part: Part, writing: BlockContext): JsonObject[] => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text.trim() === '' ? [] : [{ text: part.text }]
    case 'image':
      dropDetail(part, writing.unsupported)
      return mediaBlock(part, 'png', writing)
    case 'video':
      return mediaBlock(part, 'mp4', writing)
    case 'audio':
      return mediaBlock(part, 'wav', writing)
    case 'document':
      return documentBlock(part, writing)
    case 'tool_call':
      return [callBlock(part)]
    case 'tool_result':
      return [resultBlock(part, writing)]
    case 'thinking':
      return thoughtBlock(part, writing)
    case 'opaque':
      writing.unsupported.add(`messages.${part.type}`)
      return []
  }
}

/** A cache point follows the block that ends the cached prefix. */
export const writeBlock = (part: Part, writing: BlockContext): JsonObject[] => {
  const blocks = bareBlocks(part, writing)
  const cache = 'cache' in part ? part.cache : undefined
  return cache === undefined || blocks.length === 0 ? blocks : [...blocks, cachePoint(cache)]
}
