import { readBreakpoint, writeBreakpoint } from '../conversation/cache-breakpoints.ts'
import type { Citation, Part, TextPart } from '../conversation/conversation.ts'
import { dataUrl, sourceOfFile, sourceOfUrl } from '../conversation/data-url.ts'
import { defined, type JsonObject, membersOf, objectsOf, textIn, textOf } from '../conversation/json.ts'
import { dropNotes, type MediaPart, withUnread } from '../conversation/provider-fields.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'

/** Content of messages and results in OpenAI's responses (platform.openai.com/docs/api-reference/responses). */

/** Members of pictures and files that are read. */
const mediaMembers = new Set([
  ...['type', 'image_url', 'file_id', 'file_data', 'file_url', 'filename', 'detail', 'input_audio'],
  'prompt_cache_breakpoint',
])

const imagePart = (part: JsonObject): MediaPart => {
  const detail = defined({ detail: textIn(part.detail) })
  if (typeof part.image_url === 'string') return { kind: 'image', source: sourceOfUrl(part.image_url), ...detail }
  return { kind: 'image', source: { kind: 'file', id: textOf(part.file_id) }, ...detail }
}

const filePart = (part: JsonObject): MediaPart => {
  const filename = defined({ filename: textIn(part.filename) })
  if (typeof part.file_data === 'string') return { kind: 'document', source: sourceOfFile(part.file_data), ...filename }
  if (typeof part.file_url === 'string')
    return { kind: 'document', source: { kind: 'url', url: part.file_url }, ...filename }
  return { kind: 'document', source: { kind: 'file', id: textOf(part.file_id) }, ...filename }
}

const placeIn = (value: unknown, before: number): number | undefined =>
  typeof value === 'number' ? value + before : undefined

/** Reads an annotation. `before` is the number of characters before its part. */
export const readCitation = (value: JsonObject, before = 0): Citation => ({
  own: { dialect: 'openai-responses', value },
  ...defined({
    url: textIn(value.url),
    title: textIn(value.title) ?? textIn(value.filename),
    start: placeIn(value.start_index, before),
    end: placeIn(value.end_index, before),
  }),
})

const textPart = (part: JsonObject): TextPart => {
  const citations = objectsOf(part.annotations).map((value) => readCitation(value))
  return { kind: 'text', text: textOf(part.text), ...(citations.length > 0 ? { citations } : {}) }
}

/** The mark of a part of the input, which is OpenAI's own. */
const marked = <P extends MediaPart | TextPart>(part: P, value: JsonObject): P => {
  const cache = readBreakpoint(value)
  return cache === undefined ? part : { ...part, cache }
}

const media = (part: MediaPart, value: JsonObject): Part => marked(withUnread(part, value, mediaMembers), value)

export const readPart = (part: JsonObject): Part => {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return marked(textPart(part), part)
    case 'refusal':
      return { kind: 'refusal', text: textOf(part.refusal) }
    case 'input_image':
      return media(imagePart(part), part)
    case 'input_file':
      return media(filePart(part), part)
    case 'input_audio': {
      const { data, format } = membersOf(part.input_audio)
      return {
        kind: 'audio',
        source: { kind: 'base64', mediaType: `audio/${textOf(format) || 'wav'}`, data: textOf(data) },
      }
    }
    default:
      return { kind: 'opaque', dialect: 'openai-responses', type: textOf(part.type), value: part }
  }
}

export const readContent = (content: unknown): Part[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return objectsOf(content).map(readPart)
}

/** Writes a citation; one of this dialect is unchanged. Positions count from the start of the part, `before` characters into the answer. */
export const writeCitation = ({ own, url, title, start, end }: Citation, before: number): JsonObject =>
  own?.dialect === 'openai-responses'
    ? own.value
    : {
        type: 'url_citation',
        url: url ?? '',
        title: title ?? '',
        start_index: Math.max(0, (start ?? before) - before),
        end_index: Math.max(0, (end ?? before) - before),
      }

const writeImage = (part: Extract<Part, { kind: 'image' }>): JsonObject => {
  const { source, detail = 'auto' } = part
  if (source.kind === 'file') return { type: 'input_image', file_id: source.id, detail }
  return { type: 'input_image', image_url: source.kind === 'url' ? source.url : dataUrl(source), detail }
}

const writeFile = ({ source, filename, title }: Extract<Part, { kind: 'document' }>): JsonObject => {
  switch (source.kind) {
    case 'text':
      return { type: 'input_text', text: source.text }
    case 'url':
      return { type: 'input_file', file_url: source.url }
    case 'file':
      return { type: 'input_file', file_id: source.id }
    case 'base64':
      return { type: 'input_file', filename: filename ?? title ?? 'document.pdf', file_data: dataUrl(source) }
  }
}

export interface InputContext {
  /** True if parts may carry marks of what to cache, which OpenAI's own clients set. */
  readonly breakpoints: boolean
  readonly unsupported: UnsupportedFields
}

/** Writes a part of the model's input. */
const writeInputPart = (part: Part, { breakpoints, unsupported }: InputContext): JsonObject[] => {
  const written = bareInputPart(part, unsupported)
  const cache = 'cache' in part ? part.cache : undefined
  if (cache === undefined) return written
  if (breakpoints) return written.map((one) => ({ ...one, ...writeBreakpoint(cache) }))
  unsupported.add('cache_control')
  return written
}

const bareInputPart = (part: Part, unsupported: UnsupportedFields): JsonObject[] => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return [{ type: 'input_text', text: part.text }]
    case 'image':
      return [writeImage(part)]
    case 'document':
      dropNotes(part, unsupported, part.source.kind === 'base64')
      return [writeFile(part)]
    case 'audio':
    case 'video':
      unsupported.add(`messages.${part.kind}`)
      return []
    case 'opaque':
      if (part.dialect === 'openai-responses') return [part.value]
      unsupported.add(`messages.${part.type}`)
      return []
    default:
      return []
  }
}

/** Content that is one text becomes a string. */
export const writeInput = (parts: readonly Part[], writing: InputContext): string | JsonObject[] => {
  const written = parts.flatMap((part) => writeInputPart(part, writing))
  const [only] = written
  if (only === undefined) return ''
  const isPlain = written.length === 1 && only.type === 'input_text' && only.prompt_cache_breakpoint === undefined
  return isPlain ? textOf(only.text) : written
}

/** Writes a part of the model's output. `before` is the number of characters before it. */
export const writeOutputPart = (part: Part, before = 0): JsonObject[] => {
  if (part.kind === 'refusal') return [{ type: 'refusal', refusal: part.text }]
  if (part.kind !== 'text') return []
  return [
    {
      type: 'output_text',
      text: part.text,
      annotations: (part.citations ?? []).map((citation) => writeCitation(citation, before)),
      logprobs: [],
    },
  ]
}
