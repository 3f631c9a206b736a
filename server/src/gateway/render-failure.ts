import type { CallFailure } from '../relay/failure.ts'
import type { Dialect } from './routes.ts'

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

const renderers: Readonly<Record<Dialect, (failure: CallFailure, message: string) => unknown>> = {
  openai,
  anthropic: (_, message) => ({ type: 'error', error: { type: 'new_api_error', message } }),
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

/** A failure as JSON text in the caller's dialect (relay reference §3); the message names the request. */
export const renderFailure = (failure: CallFailure, dialect: Dialect, requestId: string): string => {
  const isBare = failure.type === 'invalid_request_error' && failure.code === ''
  const message = isBare ? failure.message : `${failure.message} (request id: ${requestId})`
  return JSON.stringify(renderers[dialect](failure, message))
}
