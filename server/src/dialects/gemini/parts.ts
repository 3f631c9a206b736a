import { ownMember } from '@tollgate/contract/own-member'
import type { DocumentPart, MediaSource, Part, ToolResultPart } from '../conversation/conversation.ts'
import {
  defined,
  isObject,
  type JsonObject,
  membersOf,
  objectsOf,
  parsedJson,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { dropDetail, dropNotes, type MediaPart, withUnread } from '../conversation/provider-fields.ts'
import { unwrapSignature } from '../conversation/signatures.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { inputOf } from '../tools/custom-tools.ts'
import { field, spellings } from './names.ts'
import { holdsReferences } from './schemas/references.ts'

/** Parts of Gemini's contents (ai.google.dev/api/caching#Part). */

const mediaPart = (source: MediaSource, mediaType: string): MediaPart => {
  if (mediaType.startsWith('image/')) return { kind: 'image', source }
  if (mediaType.startsWith('audio/')) return { kind: 'audio', source }
  if (mediaType.startsWith('video/')) return { kind: 'video', source }
  return { kind: 'document', source }
}

/** Placeholder for a signature on calls of other models; Google's clients send it, too (ai.google.dev/gemini-api/docs/thought-signatures). */
export const noSignature = 'skip_thought_signature_validator'
const noSignatures: readonly unknown[] = [noSignature, 'context_engineering_is_the_way_to_go']

const signatureIn = (part: JsonObject): string | undefined => {
  const signature = field(part, 'thoughtSignature')
  return noSignatures.includes(signature) ? undefined : textIn(signature)
}

/** Google's clients treat signatures as bytes, so signatures of other providers are base64. */
const thoughtSignature = (value: string | undefined): Partial<Extract<Part, { kind: 'thinking' }>> => {
  if (value === undefined) return { by: 'gemini' }
  return unwrapSignature(Buffer.from(value, 'base64').toString()) ?? { by: 'gemini', signature: value }
}

/** Members of parts with data or a file that are read, or have no meaning for a model. */
const mediaMembers = spellings(['inlineData', 'fileData', 'thought', 'thoughtSignature', 'partMetadata'])

const inlinePart = (data: JsonObject): MediaPart => {
  const mediaType = textOf(field(data, 'mimeType'))
  const name = textIn(field(data, 'displayName'))
  const part = mediaPart({ kind: 'base64', mediaType, data: textOf(data.data) }, mediaType)
  return part.kind === 'document' && name !== undefined ? { ...part, filename: name } : part
}

const filePart = (data: JsonObject): MediaPart => {
  const mediaType = textIn(field(data, 'mimeType'))
  const source = { kind: 'url' as const, url: textOf(field(data, 'fileUri')), ...defined({ mediaType }) }
  // A URL without a media type is a video: clients send YouTube URLs without one.
  return mediaPart(source, mediaType ?? 'video/mp4')
}

const resultPart = (result: JsonObject): ToolResultPart => {
  const response = membersOf(result.response)
  const more = objectsOf(result.parts).map(readPart)
  return {
    kind: 'tool_result',
    id: textOf(result.id),
    name: textOf(result.name),
    content: [{ kind: 'text', text: JSON.stringify(response) }, ...more],
    ...(typeof response.error === 'string' && Object.keys(response).length === 1 ? { isError: true } : {}),
  }
}

export const readPart = (part: JsonObject): Part => {
  const signature = signatureIn(part)
  const signed = defined({ signature })
  if (typeof part.text === 'string') {
    if (part.thought === true) return { kind: 'thinking', text: part.text, ...thoughtSignature(signature) }
    return { kind: 'text', text: part.text, ...signed }
  }
  const call = field(part, 'functionCall')
  if (isObject(call)) {
    const text = JSON.stringify(call.args ?? {})
    return { kind: 'tool_call', id: textOf(call.id), name: textOf(call.name), arguments: text, ...signed }
  }
  const result = field(part, 'functionResponse')
  if (isObject(result)) return resultPart(result)
  const inline = field(part, 'inlineData')
  if (isObject(inline) && part.thought !== true) return withUnread(inlinePart(inline), part, mediaMembers)
  const file = field(part, 'fileData')
  if (isObject(file) && field(part, 'videoMetadata') === undefined)
    return withUnread(filePart(file), part, mediaMembers)
  const [type = 'part'] = Object.keys(part).filter((name) => !/^thought/.test(name))
  return { kind: 'opaque', dialect: 'gemini', type, value: part }
}

const writeSource = (
  source: MediaSource,
  fallback: string,
  field_: string,
  unsupported: UnsupportedFields,
): JsonObject | undefined => {
  if (source.kind === 'base64') return { inlineData: { mimeType: source.mediaType || fallback, data: source.data } }
  if (source.kind === 'url')
    return { fileData: { fileUri: source.url, mimeType: source.mediaType ?? typeOf(source.url, fallback) } }
  unsupported.add(`${field_}.file_id`)
  return undefined
}

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  pdf: 'application/pdf',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
  mp4: 'video/mp4',
}

/** Guesses the media type from the file extension, without fetching the URL. */
const typeOf = (url: string, fallback: string): string =>
  ownMember(types, /\.([a-z0-9]+)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? '') ?? fallback

const documentPart = (part: DocumentPart, unsupported: UnsupportedFields): JsonObject | undefined => {
  const { source } = part
  dropNotes(part, unsupported)
  if (source.kind === 'text' && source.text === '') return undefined
  return source.kind === 'text'
    ? { text: source.text }
    : writeSource(source, 'application/pdf', 'messages.document', unsupported)
}

const responseOf = ({ content, isError }: ToolResultPart, unsupported: UnsupportedFields): JsonObject => {
  const text = content.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  const parsed = parsedJson(text)
  // Names in references would have to be those of media beside the result (github.com/vercel/ai/issues/14369).
  const isPlain = isObject(parsed) && !(text.includes('"$') && holdsReferences(parsed))
  if (isPlain) {
    if (isError) unsupported.add('messages.tool_result.is_error')
    return parsed
  }
  return isError ? { error: text } : { result: isObject(parsed) ? text : (parsed ?? text) }
}

const resultMembers = (part: ToolResultPart, unsupported: UnsupportedFields): JsonObject => {
  const others = part.content.filter(({ kind }) => kind !== 'text').flatMap((more) => writePart(more, unsupported))
  return {
    functionResponse: {
      ...defined({ id: idOf(part.id) }),
      name: part.name ?? part.id,
      response: responseOf(part, unsupported),
      ...(others.length > 0 ? { parts: others } : {}),
    },
  }
}

/** Moves media out of tool results, behind all of them: models before Gemini 3 take JSON objects only (…/docs/function-calling). */
export const withMediaBehind = (parts: readonly Part[]): Part[] => {
  const behind: Part[] = []
  const results = parts.map((part): Part => {
    if (part.kind !== 'tool_result') return part
    behind.push(...part.content.filter(({ kind }) => kind !== 'text'))
    return { ...part, content: part.content.filter(({ kind }) => kind === 'text') }
  })
  return [...results, ...behind]
}

/** Ids that `inventedId` makes. They are removed again before the request goes to Google. */
const ownId = /^call_gemini_\d+_/
const idOf = (id: string): string | undefined => (id === '' || ownId.test(id) ? undefined : id)

/** An id for a call without one. `answer` keeps ids unique across answers; 40 characters at most, OpenAI's limit. */
export const inventedId = (number: number, answer: string): string =>
  `call_gemini_${number}_${answer.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 23)}`

const signatureOf = (part: Part): JsonObject =>
  'signature' in part && part.signature !== undefined ? { thoughtSignature: part.signature } : {}

const bare = (part: Part, unsupported: UnsupportedFields): JsonObject | undefined => {
  switch (part.kind) {
    case 'text':
      return part.text === '' && part.signature === undefined ? undefined : { text: part.text }
    case 'refusal':
      return part.text === '' ? undefined : { text: part.text }
    case 'image':
      dropDetail(part, unsupported)
      return writeSource(part.source, 'image/png', 'messages.image', unsupported)
    case 'audio':
      return writeSource(part.source, 'audio/wav', 'messages.audio', unsupported)
    case 'video':
      return writeSource(part.source, 'video/mp4', 'messages.video', unsupported)
    case 'document':
      return documentPart(part, unsupported)
    case 'tool_call': {
      const identity = { ...defined({ id: idOf(part.id) }), name: part.name }
      return { functionCall: { ...identity, args: inputOf(part) } }
    }
    case 'tool_result':
      return resultMembers(part, unsupported)
    case 'thinking':
      if ((part.by === undefined || part.by === 'gemini') && part.encrypted === undefined && part.text !== '')
        return { text: part.text, thought: true }
      unsupported.add('messages.thinking')
      return undefined
    case 'opaque':
      if (part.dialect === 'gemini') return part.value
      unsupported.add(`messages.${part.type}`)
      return undefined
  }
}

export const writePart = (part: Part, unsupported: UnsupportedFields): JsonObject[] => {
  const written = bare(part, unsupported)
  if (written === undefined) return []
  if ('cache' in part && part.cache !== undefined) unsupported.add('cache_control')
  // Google refuses signatures of other providers.
  const foreign = part.kind === 'thinking' && part.by !== 'gemini'
  return [foreign || part.kind === 'opaque' ? written : { ...written, ...signatureOf(part) }]
}
