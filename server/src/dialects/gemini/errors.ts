import { dataEvent } from '../../lib/sse.ts'
import { type JsonObject, objectsOf, textOf } from '../conversation/json.ts'
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
  529: 'UNAVAILABLE',
}

/** Several names share a status: 400 is INVALID_ARGUMENT, FAILED_PRECONDITION or OUT_OF_RANGE. */
const statusOf = ({ status, upstreamFields }: ClientError): string => {
  const named = textOf(upstreamFields?.status)
  return /^[A-Z_]{1,40}$/.test(named) ? named : (statusNames[status] ?? 'INTERNAL')
}

/** Details that are about the request. Others name quotas and projects, which are the operator's. */
const aboutRequest = /google\.rpc\.(BadRequest|PreconditionFailure|LocalizedMessage)$/

/** When to call again, where its clients look for it (cloud.google.com/apis/design/errors#error_details). */
const retryDetails = ({ status, retryAfter }: ClientError): readonly JsonObject[] =>
  status === 429 && retryAfter !== undefined && /^\d+$/.test(retryAfter)
    ? [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` }]
    : []

const detailsOf = (error: ClientError): { readonly details?: readonly JsonObject[] } => {
  const own = objectsOf(error.upstreamFields?.details).filter((detail) => aboutRequest.test(textOf(detail['@type'])))
  const details = [...own, ...retryDetails(error)]
  return details.length === 0 ? {} : { details }
}

export const errors: ErrorFormat = {
  body: (error, message) => ({
    error: { code: error.status, message, status: statusOf(error), ...detailsOf(error) },
  }),
  event: dataEvent,
}
