import type { AnswerChoice, Finish, Part } from './conversation.ts'
import { type JsonObject, membersOf, objectsOf, textIn, textOf } from './json.ts'
import type { StreamEvent } from './stream-event.ts'

/** Finish reasons of declined answers, in chat completions, Messages and Gemini's dialect. */
const reasons: ReadonlySet<string> = new Set([
  ...['content_filter', 'sensitive', 'refusal'],
  ...['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII', 'IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT'],
])

const has = (reason: unknown): boolean => reasons.has(textOf(reason))

/** True if a whole answer, or an event of a stream, states in any dialect that the provider declined to answer. */
export const saysDeclined = (json: JsonObject): boolean => {
  if (membersOf(json.promptFeedback).blockReason !== undefined) return true
  // Responses: of the answer itself, or of the one in an event.
  const { incomplete_details: details } = 'response' in json ? membersOf(json.response) : json
  if (has(membersOf(details).reason)) return true
  if (has(json.stop_reason) || has(membersOf(json.delta).stop_reason)) return true
  const choices = [...objectsOf(json.choices), ...objectsOf(json.candidates)]
  return choices.length > 0 && choices.every(({ finish_reason, finishReason }) => has(finish_reason ?? finishReason))
}

export const isDeclined = (finish: Finish | undefined): boolean => finish === 'content_filter' || finish === 'refusal'

/** The same of an answer that was read. */
export const areDeclined = (choices: readonly Pick<AnswerChoice, 'finish'>[]): boolean =>
  choices.length > 0 && choices.every(({ finish }) => isDeclined(finish))

/** The fallback mark is written by the provider, not by a model. */
const fallbackMark = 'fallback'

/** True for a part that a model wrote; an empty text is none. */
const isWritten = (part: Part): boolean => {
  if (part.kind === 'opaque') return part.type !== fallbackMark
  if (part.kind === 'thinking') return part.text !== '' || (part.signature ?? part.encrypted ?? '') !== ''
  return part.kind === 'text' ? part.text !== '' : true
}

/** True for choices that were all refused before anything was written. */
export const areRefusedAtOnce = (choices: readonly Pick<AnswerChoice, 'finish' | 'parts'>[]): boolean =>
  choices.length > 0 && choices.every(({ finish, parts }) => finish === 'refusal' && !parts.some(isWritten))

/** True for an event of a stream that brings something that a model wrote. */
export const isOutput = (event: StreamEvent): boolean => {
  switch (event.kind) {
    case 'text':
      return event.text !== ''
    case 'thinking':
      return event.text !== '' || (event.signature ?? event.encrypted ?? '') !== ''
    case 'part':
      return isWritten(event.part)
    case 'tool_call':
    case 'arguments':
    case 'refusal':
    case 'audio':
      return true
    default:
      return false
  }
}

/** The model that continues at a fallback mark; undefined for other parts. */
export const fallbackIn = (part: Part): string | undefined =>
  part.kind === 'opaque' && part.type === fallbackMark ? textIn(membersOf(part.value.to).model) : undefined
