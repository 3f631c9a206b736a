import type { Answer, DialectName, Part } from './conversation.ts'
import { createLosses } from './losses.ts'
import type { StreamEvent } from './stream-event.ts'

/** What of an answer the clients of a dialect can hear. Fields of answers are lost by names that begin with `answer.` */

/** What only the provider's dialect has words for, in words that all have, where there are such. */
const toldPart = (part: Part, client: DialectName): Part =>
  part.kind === 'opaque' && part.dialect !== client && part.told !== undefined ? part.told : part

const silent: Readonly<Record<DialectName, ReadonlySet<Part['kind']>>> = {
  'openai-chat': new Set(['video', 'document']),
  'openai-responses': new Set(['audio', 'video', 'document']),
  anthropic: new Set(['image', 'audio', 'video', 'document']),
  gemini: new Set(),
}

const isForeignPicture = (part: Part, client: DialectName): boolean => {
  if (part.kind !== 'image' || part.source.kind === 'base64') return false
  // Addresses have no place among the items of a response, and files belong to one provider.
  return part.source.kind === 'file' || client === 'openai-responses'
}

const unsaid = (part: Part, client: DialectName): string | undefined => {
  if (part.kind === 'opaque') {
    const isSaid = part.dialect === client || (part.search !== undefined && client === 'anthropic')
    return isSaid ? undefined : `answer.${part.type}`
  }
  return silent[client].has(part.kind) || isForeignPicture(part, client) ? `answer.${part.kind}` : undefined
}

/** A whole answer as a client hears it, and what it does not. */
export const heardAnswer = (answer: Answer, client: DialectName): { answer: Answer; lost: readonly string[] } => {
  const losses = createLosses()
  const hear = (part: Part): Part => {
    const told = toldPart(part, client)
    const name = unsaid(told, client)
    if (name !== undefined) losses.lose(name)
    return told
  }
  const choices = answer.choices.map((choice) => ({ ...choice, parts: choice.parts.map(hear) }))
  return { answer: { ...answer, choices }, lost: losses.list() }
}

/** The same for a stream. */
export interface Heard {
  hear(event: StreamEvent): StreamEvent
  lost(): readonly string[]
}

export const openHeard = (client: DialectName): Heard => {
  const losses = createLosses()
  return {
    hear(event) {
      if (event.kind === 'audio' && silent[client].has('audio')) losses.lose('answer.audio')
      if (event.kind !== 'part') return event
      const part = toldPart(event.part, client)
      const name = unsaid(part, client)
      if (name !== undefined) losses.lose(name)
      if (part === event.part) return event
      if (part.kind === 'text') return { kind: 'text', choice: event.choice, text: part.text }
      return part.kind === 'image' ? { ...event, part } : event
    },
    lost: losses.list,
  }
}
