import { isObject } from '../../dialects/conversation/json.ts'

const dataUri = /^data:image\/[^;,]+;base64,/

const withoutPrefix = (part: unknown): unknown => {
  if (!isObject(part) || part.type !== 'image_url') return part
  if (typeof part.image_url === 'string') return { ...part, image_url: part.image_url.replace(dataUri, '') }
  if (!isObject(part.image_url) || typeof part.image_url.url !== 'string') return part
  return { ...part, image_url: { ...part.image_url, url: part.image_url.url.replace(dataUri, '') } }
}

const hasDataUri = (part: unknown): boolean => JSON.stringify(withoutPrefix(part)) !== JSON.stringify(part)

/** Removes the data URI prefix of images, because Zhipu takes bare base64. undefined if no message has one. */
export const withBareImages = (messages: unknown): unknown[] | undefined => {
  if (!Array.isArray(messages)) return undefined
  const list = messages as unknown[]
  const partsOf = (message: unknown): unknown[] =>
    isObject(message) && Array.isArray(message.content) ? (message.content as unknown[]) : []
  if (!list.some((message) => partsOf(message).some(hasDataUri))) return undefined
  return list.map((message) =>
    isObject(message) && Array.isArray(message.content)
      ? { ...message, content: partsOf(message).map(withoutPrefix) }
      : message,
  )
}
