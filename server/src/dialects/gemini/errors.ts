import { dataEvent } from '../../lib/sse.ts'
import type { ErrorFormat } from '../errors.ts'

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

export const errors: ErrorFormat = {
  body: ({ status }, message) => ({ error: { code: status, message, status: statusNames[status] ?? 'INTERNAL' } }),
  event: dataEvent,
}
