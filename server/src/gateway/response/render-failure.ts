import { type JsonObject, textIn } from '../../dialects/conversation/json.ts'
import type { ErrorFormat } from '../../dialects/errors.ts'
import { newRequestId } from '../../lib/ids.ts'
import type { CallFailure } from '../../relay/failure.ts'
import type { FailureLanguage } from '../failures/language.ts'

/** Names of requests as gateways like this one write them. */
const namedRequest = / \(request id: [\w-]+\)/g

/**
 * Names the request behind the text, in place of the name that another gateway before the provider has given it: the log holds that
 * one. Where both languages are said, each is whole, and Chinese comes first: existing clients
 * match on its beginning, and on the name of the request at the end. Texts of upstreams come in one language only.
 */
const messageOf = (failure: CallFailure, requestId: string, language: FailureLanguage): string => {
  const { message, english, type, code } = failure
  const isBare = type === 'invalid_request_error' && code === ''
  const named = (text: string): string =>
    isBare ? text : `${text.replace(namedRequest, '')} (request id: ${requestId})`
  if (english === undefined || language === 'zh') return named(message)
  if (language === 'en') return named(english)
  return message.includes(english) ? named(message) : `${named(message)} / ${named(english)}`
}

/** A failure as JSON text in the client's format; the message names the request. */
export const renderFailure = (
  failure: CallFailure,
  errors: ErrorFormat,
  requestId: string,
  language: FailureLanguage,
): string => JSON.stringify(errors.body(failure, messageOf(failure, requestId, language), requestId))

/** Bytes: a close frame has room for no more (RFC 6455 §5.5). */
const longestReason = 123

/** A failure as the reason of a close, in English where the text is ours: the frame is too short for both languages. */
export const closeReason = (failure: CallFailure, requestId: string, language: FailureLanguage): string => {
  const whole = messageOf(failure, requestId, language === 'zh' ? 'zh' : 'en')
  const bytes = Buffer.from(whole)
  if (bytes.length <= longestReason) return whole
  // Half a character at the end is left out.
  return new TextDecoder().decode(bytes.subarray(0, longestReason), { stream: true })
}

/** A failure as the last event of a realtime session. */
export const sessionFailure = (failure: CallFailure, requestId: string, language: FailureLanguage): string =>
  errorEvent(`evt_${requestId}`, failure, messageOf(failure, requestId, language))

/** A failure as the answer to an event of a realtime client, whose id it names; the session goes on. */
export const refusedEvent = (
  failure: CallFailure,
  requestId: string,
  language: FailureLanguage,
  { event_id: id }: JsonObject,
): string =>
  errorEvent(`evt_${newRequestId()}`, failure, messageOf(failure, requestId, language), {
    event_id: textIn(id) ?? null,
  })

/** platform.openai.com/docs/api-reference/realtime-server-events/error */
const errorEvent = (id: string, { type, param, code }: CallFailure, message: string, more: object = {}): string =>
  JSON.stringify({ event_id: id, type: 'error', error: { message, type, param, code, ...more } })
