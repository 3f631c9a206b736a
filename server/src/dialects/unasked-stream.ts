import { collect } from './conversation/collect.ts'
import type { Answer } from './conversation/conversation.ts'
import { isObject, type JsonObject, objectIn, objectsOf, textOf } from './conversation/json.ts'
import { errorObject } from './conversation/stream-event.ts'
import type { UpstreamDialect } from './dialect.ts'
import { eventFrames, type Frames } from './frames.ts'

/** Result of a stream that the client did not request. */
export type Unasked =
  | { readonly kind: 'answer'; readonly json: JsonObject }
  | { readonly kind: 'error'; readonly json: JsonObject; readonly status: number | undefined }
  | { readonly kind: 'broken' }

const lastOfResponses = /^response\.(completed|incomplete|failed)$/

/** The last event of a stream of Responses holds all of the answer; where its output is left out, it has come item by item. */
const wholeResponse = (messages: readonly string[]): JsonObject | undefined => {
  const events = messages.map(objectIn).filter((event) => event !== undefined)
  const response = events.findLast(({ type }) => lastOfResponses.test(textOf(type)))?.response
  if (!isObject(response)) return undefined
  const items = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
  return objectsOf(response.output).length > 0 ? response : { ...response, output: items }
}

/** Reads a whole stream in the dialect of its client, and builds the requested answer; `write` prints one. */
export const unaskedStream = (
  bytes: Buffer,
  upstream: UpstreamDialect,
  write: (answer: Answer) => JsonObject,
  frames: Frames = eventFrames(),
): Unasked => {
  const messages = [...frames.push(bytes), ...frames.rest()]
  const response = wholeResponse(messages)
  if (response !== undefined) return { kind: 'answer', json: response }
  const reader = upstream.openStream()
  const events = [...messages.flatMap((message) => reader.read(message, '')), ...reader.end()]
  const error = events.find((event) => event.kind === 'error')
  if (error !== undefined) return { kind: 'error', json: { error: errorObject(error) }, status: error.status }
  if (!events.some(({ kind }) => kind === 'finish')) return { kind: 'broken' }
  return { kind: 'answer', json: write(collect(events)) }
}
