import { ownMember } from '@tollgate/contract/own-member'
import { dataEvent } from '../../lib/sse.ts'
import type { ErrorFormat } from '../errors.ts'

/** Errors of Bedrock's runtime by status (docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html). */
const types: Readonly<Record<string, string>> = {
  400: 'ValidationException',
  401: 'AccessDeniedException',
  402: 'AccessDeniedException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
  504: 'ModelTimeoutException',
}

const typeOf = (status: number): string =>
  ownMember(types, String(status)) ?? (status < 500 ? 'ValidationException' : 'InternalServerException')

/** AWS's clients read the type from the body where no header names it. */
export const errors: ErrorFormat = {
  body: ({ status }, message) => ({ __type: typeOf(status), message }),
  event: dataEvent,
}

/** How an exception in the middle of a stream is named. */
export const streamException = (type: string): string => type.slice(0, 1).toLowerCase() + type.slice(1)
