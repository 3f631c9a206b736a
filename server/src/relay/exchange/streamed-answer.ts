import { collect } from '../../dialects/conversation/collect.ts'
import type { Answer } from '../../dialects/conversation/conversation.ts'
import type { StreamEvent } from '../../dialects/conversation/stream-event.ts'
import type { Conversion } from './conversion.ts'

export type StreamedAnswer =
  | { readonly kind: 'whole'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly error: Extract<StreamEvent, { kind: 'error' }> }
  | { readonly kind: 'broken' }

/** The answer that a whole stream tells, for clients that asked for no stream where the upstream knows nothing else. */
export const streamedAnswer = (bytes: Buffer, { frames: openFrames, upstream }: Conversion): StreamedAnswer => {
  const frames = openFrames()
  const reader = upstream.openStream()
  const messages = [...frames.push(bytes), ...frames.rest()]
  const events = [...messages.flatMap((message) => reader.read(message, '')), ...reader.end()]
  const error = events.find((event) => event.kind === 'error')
  if (error !== undefined) return { kind: 'failed', error }
  const isWhole = events.some(({ kind }) => kind === 'finish')
  return isWhole ? { kind: 'whole', answer: collect(events) } : { kind: 'broken' }
}
