import { isObject, type JsonObject } from '../conversation/json.ts'
import { dataUrlOf, type FileRules, type InlineFile, isOwnFileId, isPicture, isText } from './file-rules.ts'

/** Formats of sound that chat completions take (platform.openai.com/docs/guides/audio). */
const sounds: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
])

const chatPart = (file: InlineFile): JsonObject => {
  const { filename, contentType, base64 } = file
  if (isPicture(contentType)) return { type: 'image_url', image_url: { url: dataUrlOf(file) } }
  const format = sounds.get(contentType)
  if (format !== undefined) return { type: 'input_audio', input_audio: { data: base64, format } }
  return { type: 'file', file: { filename, file_data: dataUrlOf(file) } }
}

/** Files of chat completions: `{ type: 'file', file: { file_id } }`. */
export const chatFiles: FileRules = {
  member: 'messages',
  namedBy({ type, file }) {
    if (type !== 'file' || !isObject(file) || !isOwnFileId(file.file_id)) return undefined
    return { id: file.file_id, inline: chatPart }
  },
}

/** Files of responses: `file_id` of `input_file` and of `input_image`. */
export const responsesFiles: FileRules = {
  member: 'input',
  namedBy(part) {
    const { file_id: id, ...rest } = part
    const { type } = part
    if ((type !== 'input_file' && type !== 'input_image') || !isOwnFileId(id)) return undefined
    const inline = (file: InlineFile): JsonObject =>
      type === 'input_image' || isPicture(file.contentType)
        ? { detail: 'auto', ...rest, type: 'input_image', image_url: dataUrlOf(file) }
        : { ...rest, filename: file.filename, file_data: dataUrlOf(file) }
    return { id, inline }
  },
}

const block = (part: JsonObject, { contentType, base64, text, filename }: InlineFile): JsonObject => {
  const source = { type: 'base64', media_type: contentType, data: base64 }
  const { title, context, citations, ...rest } = part
  if (isPicture(contentType)) return { ...rest, type: 'image', source }
  if (isText(contentType))
    return { title: filename, ...part, source: { type: 'text', media_type: 'text/plain', data: text } }
  return { title: filename, ...part, source }
}

/** Files of messages: `source: { type: 'file', file_id }` of documents and pictures. */
export const messageFiles: FileRules = {
  member: 'messages',
  namedBy(part) {
    const { type, source } = part
    if (type !== 'document' && type !== 'image') return undefined
    if (!isObject(source) || source.type !== 'file' || !isOwnFileId(source.file_id)) return undefined
    return { id: source.file_id, inline: (file) => block(part, file) }
  },
}
