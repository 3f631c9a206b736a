import { dataEvent } from '../../lib/sse.ts'
import { isObject, type JsonObject } from '../conversation/json.ts'
import type { ClientError, ErrorFormat } from '../errors.ts'

/** Error types of Anthropic's API (docs.anthropic.com/en/api/errors). */
const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

const usualType = 'invalid_request_error'

/** OpenAI has this type for most of its errors, whatever their status. */
const isOpenais = (type: string, status: number): boolean => type === usualType && types[status] !== undefined

/** The error type: as an Anthropic upstream wrote it, otherwise from the HTTP status. */
const typeOf = ({ type, status, english }: ClientError): string =>
  english === undefined && Object.values(types).includes(type) && !isOpenais(type, status)
    ? type
    : (types[status] ?? (status < 500 ? usualType : 'api_error'))

/**
 * Clients choose the class of an error, and how to go on after it, by the `error_code` in its details. After `thread_not_found`
 * they resend the whole conversation (platform.claude.com/docs/en/build-with-claude/message-threads).
 */
const detailsOf = ({ code, upstreamFields }: ClientError): { readonly details?: JsonObject } => {
  if (code === 'thread_not_kept') return { details: { error_code: 'thread_not_found' } }
  const details = upstreamFields?.details
  return isObject(details) ? { details } : {}
}

export const errors: ErrorFormat = {
  body: (error, message, requestId) => ({
    type: 'error',
    error: { type: typeOf(error), message, ...detailsOf(error) },
    request_id: requestId,
  }),
  overloadStatus: 529,
  event: (body) => `event: error\n${dataEvent(body)}`,
}
