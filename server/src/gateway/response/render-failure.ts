import type { ErrorFormat } from '../../dialects/errors.ts'
import type { CallFailure } from '../../relay/failure.ts'
import type { FailureLanguage } from '../failures/language.ts'

/**
 * Names the request behind the text. Where both languages are said, each is whole, and Chinese comes first: existing clients
 * match on its beginning, and on the name of the request at the end. Texts of upstreams come in one language only.
 */
const messageOf = (failure: CallFailure, requestId: string, language: FailureLanguage): string => {
  const { message, english, type, code } = failure
  const isBare = type === 'invalid_request_error' && code === ''
  const named = (text: string): string => (isBare ? text : `${text} (request id: ${requestId})`)
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
): string => JSON.stringify(errors.body(failure, messageOf(failure, requestId, language)))

/** A failure as the last event of a realtime session. */
export const sessionFailure = (failure: CallFailure, requestId: string, language: FailureLanguage): string => {
  const { type, param, code } = failure
  const error = { message: messageOf(failure, requestId, language), type, param, code }
  return JSON.stringify({ event_id: `evt_${requestId}`, type: 'error', error })
}
