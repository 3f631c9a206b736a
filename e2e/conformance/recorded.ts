import type { Recording } from '../../server/test/support/relay/wire.ts'
import { isJson, type Json } from './parsed-answer.ts'

const dataOf = (event: string): string =>
  event
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trimStart())
    .join('\n')

const parsedAll = (texts: readonly string[]): Json[] =>
  texts.flatMap((one) => {
    try {
      const value: unknown = JSON.parse(one)
      return isJson(value) ? [value] : []
    } catch {
      return []
    }
  })

/** Bedrock names the events of Converse beside them, and puts Claude's own into pieces. */
const eventOf = ({ type, payload }: { readonly type: string; readonly payload: Json }): Json =>
  type === 'chunk' ? payload : { [type]: payload }

/** The chunks of a recorded answer, parsed. */
export const answersOf = ({ response }: Recording): Json[] => {
  const { sse, ndjson, events, body } = response
  if (sse !== undefined) return parsedAll(sse.map(dataOf))
  if (ndjson !== undefined) return parsedAll(ndjson)
  if (events !== undefined) return events.map(eventOf)
  return isJson(body) ? [body] : []
}

/** A recording that was published without the end of its stream. */
const cutOff = 'dashscope-generation-stream-db85fb9d'

/** Detects error events; Alibaba's have only a code and a message. */
const isError = (event: Json): boolean =>
  event.type === 'error' || isJson(event.error) || (typeof event.code === 'string' && typeof event.message === 'string')

/** A choice with a finish reason is complete. OpenAI's client still throws if an error follows it. */
const hasEnded = (event: Json): boolean =>
  Array.isArray(event.choices) && event.choices.some((choice) => isJson(choice) && Boolean(choice.finish_reason))

/** True if the client must receive an error because the provider broke off its stream. */
export const breaksOff = (recording: Recording, native: boolean): boolean => {
  if (recording.response.sse === undefined) return false
  if (recording.id === cutOff) return true
  const answers = answersOf(recording)
  const at = answers.findIndex(isError)
  return at >= 0 && (native || !answers.slice(0, at).some(hasEnded))
}
