import { isObject, type JsonObject } from '../conversation/json.ts'
import { dataUrlOf, type FileRules, type InlineFile, isOwnFileId, isPicture } from './file-rules.ts'

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
