import { failureInBaseResp } from '../../dialects/base-resp.ts'
import { isObject, type JsonObject, membersOf, objectsOf, textOf } from '../../dialects/conversation/json.ts'
import { failureInEvent } from '../../dialects/openai-responses/answer.ts'

/** A provider's error as it stands in its body. */
export interface ErrorBody {
  /** The object with message, type and code; empty where the provider has none. */
  readonly error: JsonObject
  /** Reason of the refusal; empty for none. */
  readonly reason: string
  /** True if `error` has a message under the name that OpenAI gives it. */
  readonly isStated: boolean
}

/** Most entries of a list of errors that are forwarded, and their UTF-16 units together. */
const mostEntries = 5
const longestList = 1000

/** One fault of a list, e.g. of FastAPI's validation: `{loc: ["body", "user"], msg: "Extra inputs are not permitted"}`. */
const entryText = (entry: unknown): string => {
  if (typeof entry === 'string') return entry
  const { loc, message, msg, detail, error } = membersOf(entry)
  const text = [message, msg, detail, error].map(textOf).find((value) => value !== '') ?? ''
  const place = Array.isArray(loc) ? (loc as unknown[]).filter((part) => part !== null).join('.') : textOf(loc)
  return place === '' || text === '' ? text : `${place}: ${text}`
}

const listText = (list: readonly unknown[]): string =>
  list
    .slice(0, mostEntries)
    .map(entryText)
    .filter((text) => text !== '')
    .join('; ')
    .slice(0, longestList)

/** Faults by the field that they are about: `{"model": ["is required"]}`. */
const byField = (faults: JsonObject): string =>
  listText(
    Object.entries(faults).map(([loc, value]) => ({
      loc,
      msg: Array.isArray(value) ? listText(value as unknown[]) : textOf(value),
    })),
  )

/** A reason as text, a list of faults, faults by field, or an object with a text of its own. */
const textIn = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return listText(value as unknown[])
  return isObject(value) ? entryText(value) : ''
}

/** The first place where some upstream writes its reason. */
const looseReason = (json: JsonObject): string => {
  const { message, msg, err, error_msg, error, detail, details, errors, header } = json
  const places = [message, msg, err, error_msg, error, detail, errors, details, membersOf(header).message]
  const found = places.map(textIn).find((text) => text !== '')
  return found ?? (isObject(errors) ? byField(errors) : '')
}

/** Errors of Volcengine and Tencent, whose members begin with capitals. */
const capitals = (json: JsonObject): JsonObject => {
  const places = [membersOf(json.ResponseMetadata).Error, membersOf(json.Response).Error, json.Error]
  const { Message, Code } = membersOf(places.find(isObject))
  return textOf(Message) === '' ? {} : { message: Message, code: Code }
}

/** Gateways put the error of the one behind them into their own. */
const innermost = (error: JsonObject, depth = 0): JsonObject => {
  if (textOf(error.message) !== '' || depth > 3) return error
  const inner = [error.error, error.message].find(isObject)
  return inner === undefined ? error : innermost(inner, depth + 1)
}

const isEvent = ({ type }: JsonObject): boolean => type === 'error' || type === 'response.failed'

const errorObject = (json: JsonObject): JsonObject => {
  if (isEvent(json)) {
    const { type, ...failure } = innermost(failureInEvent(json))
    return type === 'error' || type === undefined ? failure : { type, ...failure }
  }
  if (isObject(json.error)) return innermost(json.error)
  const inResponse = membersOf(json.response).error
  if (isObject(inResponse)) return inResponse
  return failureInBaseResp(json) === undefined ? capitals(json) : { ...failureInBaseResp(json) }
}

/** The object of a body. Google's streams and its OpenAI-compatible endpoint write a list of one. */
const objectOf = (json: unknown): JsonObject => {
  if (!Array.isArray(json)) return membersOf(json)
  const entries = objectsOf(json)
  return entries.find(({ error }) => isObject(error)) ?? entries[0] ?? {}
}

/**
 * Reads every form of body in which providers refuse: OpenAI's, lists of it, sentences, lists of faults, events of a stream,
 * MiniMax' `base_resp`, and the forms of the clouds.
 */
export const readErrorBody = (json: unknown): ErrorBody => {
  const body = objectOf(json)
  const error = errorObject(body)
  const message = textOf(error.message)
  if (message !== '') return { error, reason: message, isStated: true }
  return { error, reason: looseReason(body) || textIn(error), isStated: false }
}
