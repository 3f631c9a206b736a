import { dataEvent } from '../../lib/sse.ts'
import type { CallFailure } from '../../relay/failure.ts'
import type { FailureLanguage } from '../failures/language.ts'
import type { ErrorFormat, Route } from '../routes.ts'

const geminiStatus: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const openai = (failure: CallFailure, message: string): unknown => ({
  error: failure.early
    ? { message, type: failure.type }
    : { message, type: failure.type, param: failure.param, code: failure.code },
})

const codeText = (failure: CallFailure): string => (failure.code === null ? '' : String(failure.code))

/** Names that Anthropic's SDKs and tools know (docs.anthropic.com/en/api/errors). */
const anthropicTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** An upstream of the same dialect has named its error itself; errors of ours have OpenAI's names. */
const anthropicType = ({ type, status, english }: CallFailure): string =>
  english === undefined && Object.values(anthropicTypes).includes(type)
    ? type
    : (anthropicTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'))

/** Clients that hear this send the whole conversation again (platform.claude.com/docs/en/build-with-claude/message-threads). */
const anthropicDetails = ({ code }: CallFailure): { details?: object } =>
  code === 'thread_not_kept' ? { details: { error_code: 'thread_not_found' } } : {}

const renderers: Readonly<Record<ErrorFormat, (failure: CallFailure, message: string) => unknown>> = {
  openai,
  anthropic: (failure, message) => ({
    type: 'error',
    error: { type: anthropicType(failure), message, ...anthropicDetails(failure) },
  }),
  gemini: ({ status }, message) => ({
    error: { code: status, message, status: geminiStatus[status] ?? 'INTERNAL' },
  }),
  midjourney: (failure, message) => ({
    code: 4,
    description: `${codeText(failure)} ${message}`,
    type: 'upstream_error',
  }),
  suno: (failure, message) => ({ code: codeText(failure), message, data: null }),
}

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

/** A failure as JSON text in the caller's dialect; the message names the request. */
export const renderFailure = (
  failure: CallFailure,
  dialect: ErrorFormat,
  requestId: string,
  language: FailureLanguage,
): string => JSON.stringify(renderers[dialect](failure, messageOf(failure, requestId, language)))

/** The same as the last event of a session. */
export const sessionFailure = (failure: CallFailure, requestId: string, language: FailureLanguage): string => {
  const { type, param, code } = failure
  const error = { message: messageOf(failure, requestId, language), type, param, code }
  return JSON.stringify({ event_id: `evt_${requestId}`, type: 'error', error })
}

/** In the stream of a response the words of an error stand beside it, and inside it, where clients look for them. */
const responseFailure = (body: string): string => {
  const { error } = JSON.parse(body) as { error: { message: string; code?: unknown; param?: unknown } }
  const { message, code = null, param = null } = error
  return JSON.stringify({ type: 'error', code, message, param, error })
}

/** The last event of a stream that broke off, from what `renderFailure` says; responses and messages name their events. */
export const failureEvent = (body: string, dialect: ErrorFormat, route: Route): string => {
  if (dialect === 'anthropic') return `event: error\n${dataEvent(body)}`
  const isResponse = route.kind === 'relay' && route.dialect?.name === 'openai-responses'
  return isResponse ? `event: error\n${dataEvent(responseFailure(body))}` : dataEvent(body)
}
