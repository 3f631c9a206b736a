import { dataEvent } from '../../lib/sse.ts'
import type { ClientError, ErrorFormat } from '../errors.ts'

const statusNames: Readonly<Record<number, string>> = {
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

/** When to call again, where its clients look for it (cloud.google.com/apis/design/errors#error_details). */
const retryDetails = ({ status, retryAfter }: ClientError): { details?: readonly object[] } =>
  status === 429 && retryAfter !== undefined && /^\d+$/.test(retryAfter)
    ? { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` }] }
    : {}

export const errors: ErrorFormat = {
  body: (error, message) => ({
    error: {
      code: error.status,
      message,
      status: statusNames[error.status] ?? 'INTERNAL',
      ...retryDetails(error),
    },
  }),
  event: dataEvent,
}
