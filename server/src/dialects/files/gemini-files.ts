import { isObject, textOf } from '../conversation/json.ts'
import { type FileRules, isOwnFileId } from './file-rules.ts'

/** The name of a file, or its address at this gateway, by any of its hosts. */
const fileUri = /^(?:https?:\/\/[^?#]*\/)?files\/([0-9a-f]{32})$/

/** Id of a file of the gateway that an address names; undefined for other addresses. */
const idIn = (uri: unknown): string | undefined => {
  const [, key] = fileUri.exec(textOf(uri)) ?? []
  return key !== undefined && isOwnFileId(`file-${key}`) ? `file-${key}` : undefined
}

/** Files of Gemini's contents: `fileData: { fileUri }`, also with the names of its protocol buffers. */
export const geminiFiles: FileRules = {
  member: 'contents',
  namedBy(part) {
    const { fileData, file_data: other, ...rest } = part
    const data = fileData ?? other
    if (!isObject(data)) return undefined
    const id = idIn(data.fileUri ?? data.file_uri)
    if (id === undefined) return undefined
    const stated = textOf(data.mimeType ?? data.mime_type)
    return {
      id,
      inline: ({ contentType, base64 }) => ({ ...rest, inlineData: { mimeType: stated || contentType, data: base64 } }),
    }
  },
}
