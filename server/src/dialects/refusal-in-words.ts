import { isObject, type JsonObject, textOf } from './conversation/json.ts'

/** Errors are objects; those of some servers are a sentence. */
export const saysError = (error: unknown): boolean => isObject(error) || textOf(error) !== ''

/**
 * True for an event that is no part of an answer, because it has none of the dialect's members `known`, and says something in words:
 * how some providers refuse with status 200.
 */
export const refusesInWords = (event: JsonObject, known: readonly string[]): boolean => {
  const { error, message, msg, detail } = event
  return (
    known.every((name) => !Object.hasOwn(event, name)) &&
    (saysError(error) || [message, msg, detail].some((text) => textOf(text) !== ''))
  )
}
