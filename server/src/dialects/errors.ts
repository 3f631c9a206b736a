import { isObject, type JsonObject, textOf } from './conversation/json.ts'

/** The error of a failed call, as the client may see it. */
export interface ClientError {
  readonly status: number
  readonly type: string
  /** As the upstream wrote it: text, a number or null. */
  readonly code: unknown
  readonly param: unknown
  /** Further members of an error object from an upstream of the same dialect. A format passes on the members that it knows. */
  readonly upstreamFields?: JsonObject
  /** Refused before it reached the relay. */
  readonly early: boolean
  /** Set where the error is ours; absent where an upstream named it. */
  readonly english?: string
  /** Seconds, or a date, after which the same call may pass. */
  readonly retryAfter?: string | undefined
}

/** How the clients of an API read errors. */
export interface ErrorFormat {
  /** The body of an answer. `message` is for people; `requestId` names the call in the log. */
  body(error: ClientError, message: string, requestId: string): unknown
  /** The last event of a stream that broke off, from the JSON text of `body`. */
  event(body: string): string
  /** The HTTP status of an overload that a provider tells within a success; 503 when absent. */
  readonly overloadStatus?: number
}

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
