import type { UpstreamDialect } from '../../dialect.ts'
import { isDrawing } from '../../facts/media-types.ts'
import { isSystem } from '../../joined-instructions.ts'
import type { Conversation, Message, Part } from '../conversation.ts'
import type { UnsupportedFields } from '../unsupported-fields.ts'
import { InexpressibleError } from './inexpressible.ts'

/**
 * Pictures and documents that a model cannot read. In the question they are refused, because the model would answer without them;
 * in earlier turns and in results of tools they are left out and reported.
 */

const questionOf = ({ messages }: Conversation): Message | undefined => {
  const last = messages.findLast((message) => !isSystem(message))
  return last?.role === 'user' ? last : undefined
}

const unread = ({ model }: Conversation, what: string): InexpressibleError =>
  new InexpressibleError('attachment_unread', { params: { model, what } })

/** Pictures of types that the model reads. Throws InexpressibleError for others in the question. */
export const withReadablePictures = (
  conversation: Conversation,
  { pictures }: Pick<UpstreamDialect, 'pictures'>,
  unsupported: UnsupportedFields,
): Conversation => {
  const isRead = (mediaType: string): boolean => pictures?.has(mediaType) ?? !isDrawing(mediaType)
  const isUnread = (part: Part): boolean =>
    part.kind === 'image' && part.source.kind === 'base64' && !isRead(part.source.mediaType)
  const question = questionOf(conversation)
  const asked = question?.parts.find(isUnread)
  if (asked?.kind === 'image' && asked.source.kind === 'base64') {
    const types = pictures === undefined ? '' : ` (${[...pictures].join(', ')})`
    throw unread(conversation, `${asked.source.mediaType}${types}`)
  }
  const readable = (part: Part): Part[] => {
    if (part.kind === 'tool_result') return [{ ...part, content: part.content.flatMap(readable) }]
    if (!isUnread(part)) return [part]
    if (part.kind === 'image' && part.source.kind === 'base64')
      unsupported.add(`messages.image.${part.source.mediaType}`)
    return []
  }
  const messages = conversation.messages.map((message) => ({ ...message, parts: message.parts.flatMap(readable) }))
  return { ...conversation, messages }
}

/** True for a document that its reader has to fetch. */
const isFetched = (part: Part): boolean => part.kind === 'document' && part.source.kind === 'url'

/** True if the conversation holds documents that only some dialects can fetch. */
export const holdsFetchedDocuments = ({ messages }: Conversation): boolean =>
  messages.some(({ parts }) => parts.some(isFetched))

/** Throws InexpressibleError where the question holds a document by its address that was left out. */
export const checkDocumentsRead = (conversation: Conversation, unsupported: readonly string[]): void => {
  const field = unsupported.find((name) => name === 'messages.document.url' || name === 'messages.document')
  if (field !== undefined && questionOf(conversation)?.parts.some(isFetched)) throw unread(conversation, field)
}
