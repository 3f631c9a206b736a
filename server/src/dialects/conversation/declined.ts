import type { Choice, Finish } from './conversation.ts'
import { type JsonObject, membersOf, objectsOf, textOf } from './json.ts'

/** Reasons to finish with which providers say that they did not want to answer, in chat completions, Messages and Gemini's dialect. */
const reasons: ReadonlySet<string> = new Set([
  ...['content_filter', 'sensitive', 'refusal'],
  ...['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII', 'IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT'],
])

const has = (reason: unknown): boolean => reasons.has(textOf(reason))

/** Whether a whole answer, or an event of a stream, says in any dialect that the provider did not want to answer. */
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
export const areDeclined = (choices: readonly Pick<Choice, 'finish'>[]): boolean =>
  choices.length > 0 && choices.every(({ finish }) => isDeclined(finish))
