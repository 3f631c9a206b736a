import { isObject, type JsonObject } from '../conversation/json.ts'
import { type FileRules, type InlineFile, isOwnFileId, isPicture, isText } from './file-rules.ts'

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
