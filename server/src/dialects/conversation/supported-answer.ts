import type { Answer, DialectName, Part } from './conversation.ts'
import type { StreamEvent } from './stream-event.ts'
import { createUnsupportedFields } from './unsupported-fields.ts'

/** Content that answers of a client's dialect support. */
export interface AnswerSupport {
  /** Unsupported kinds of parts. */
  readonly unsupported: ReadonlySet<Part['kind']>
  /** True if pictures may be URLs. */
  readonly imageUrls: boolean
  /** True if answers can hold web searches of other dialects. */
  readonly searches: boolean
}

interface Client {
  readonly name: DialectName
  readonly support: AnswerSupport
}

/** Replaces opaque parts of other dialects by their plain text or picture. */
const plainPart = (part: Part, { name }: Client): Part =>
  part.kind === 'opaque' && part.dialect !== name && part.plain !== undefined ? part.plain : part

const isForeignPicture = (part: Part, { support }: Client): boolean => {
  if (part.kind !== 'image' || part.source.kind === 'base64') return false
  // File ids are valid at one provider only.
  return part.source.kind === 'file' || !support.imageUrls
}

/** The name of the part in the list of unsupported fields; undefined if the client's dialect supports it. */
const unsupportedName = (part: Part, client: Client): string | undefined => {
  const { name, support } = client
  if (part.kind === 'opaque') {
    const { search } = part
    const isSupported = part.dialect === name || search?.isCited === true || (search !== undefined && support.searches)
    return isSupported ? undefined : `answer.${part.type}`
  }
  return support.unsupported.has(part.kind) || isForeignPicture(part, client) ? `answer.${part.kind}` : undefined
}

/** The answer for a client, and its unsupported parts, e.g. `answer.image`. */
export const supportedAnswer = (
  answer: Answer,
  client: Client,
): { readonly answer: Answer; readonly unsupported: readonly string[] } => {
  const fields = createUnsupportedFields()
  const supported = (part: Part): Part => {
    const plain = plainPart(part, client)
    const name = unsupportedName(plain, client)
    if (name !== undefined) fields.add(name)
    return plain
  }
  const choices = answer.choices.map((choice) => ({ ...choice, parts: choice.parts.map(supported) }))
  return { answer: { ...answer, choices }, unsupported: fields.list() }
}

/** Like `supportedAnswer` for the events of a stream. One per stream. */
export interface SupportedStream {
  /** The event for the client. */
  filter(event: StreamEvent): StreamEvent
  unsupported(): readonly string[]
}

export const createSupportedStream = (client: Client): SupportedStream => {
  const fields = createUnsupportedFields()
  return {
    filter(event) {
      if (event.kind === 'audio' && client.support.unsupported.has('audio')) fields.add('answer.audio')
      if (event.kind !== 'part') return event
      const part = plainPart(event.part, client)
      const name = unsupportedName(part, client)
      if (name !== undefined) fields.add(name)
      if (part === event.part) return event
      if (part.kind === 'text') return { kind: 'text', choice: event.choice, text: part.text }
      return part.kind === 'image' ? { ...event, part } : event
    },
    unsupported: fields.list,
  }
}
