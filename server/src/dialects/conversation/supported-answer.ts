import type { Answer, DialectName, Part } from './conversation.ts'
import type { StreamEvent } from './stream-event.ts'
import { createUnsupportedFields } from './unsupported-fields.ts'

/** What answers in a client's dialect can hold. */
export interface AnswerSupport {
  /** Kinds of parts that they cannot hold. */
  readonly unsupported: ReadonlySet<Part['kind']>
  /** True if a picture may be an address. */
  readonly imageUrls: boolean
  /** True if they can show searches that a provider of another dialect made. */
  readonly searches: boolean
}

interface Client {
  readonly name: DialectName
  readonly support: AnswerSupport
}

/** A part that only its provider's dialect has, as the text or the picture that it stands for. */
const plainPart = (part: Part, { name }: Client): Part =>
  part.kind === 'opaque' && part.dialect !== name && part.plain !== undefined ? part.plain : part

const isForeignPicture = (part: Part, { support }: Client): boolean => {
  if (part.kind !== 'image' || part.source.kind === 'base64') return false
  // Files belong to one provider.
  return part.source.kind === 'file' || !support.imageUrls
}

/** The name under which the part is listed as unsupported; undefined if the client can be given it. */
const unsupportedName = (part: Part, client: Client): string | undefined => {
  const { name, support } = client
  if (part.kind === 'opaque') {
    const { search } = part
    const isSupported = part.dialect === name || search?.isCited === true || (search !== undefined && support.searches)
    return isSupported ? undefined : `answer.${part.type}`
  }
  return support.unsupported.has(part.kind) || isForeignPicture(part, client) ? `answer.${part.kind}` : undefined
}

/** A whole answer for a client, and the parts that its dialect cannot hold, as `answer.image`. */
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

/** The same for the events of a stream; one per stream. */
export interface SupportedStream {
  /** The event as the client can be given it. */
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
