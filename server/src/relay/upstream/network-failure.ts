import { type ErrorCode, errors } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'

/** Error codes of timeouts in undici and node; all others are broken connections. */
const codes: Readonly<Record<string, ErrorCode>> = {
  UND_ERR_HEADERS_TIMEOUT: 'upstream_timeout',
  UND_ERR_BODY_TIMEOUT: 'upstream_timeout',
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** The gateway's error for a failed exchange, with the status that decides about a retry. `began`: the head had arrived. */
export const networkFailure = (error: Error, { began }: { began: boolean }): { code: ErrorCode; status: number } => {
  const code = ownMember(codes, codeOf(error)) ?? (began ? 'upstream_broke' : 'do_request_failed')
  return { code, status: errors[code].status }
}

/** The error's message with its code, for the operator. */
export const networkCause = (error: Error): string => {
  const code = codeOf(error)
  const inner = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${code === '' ? '' : `${code} `}${error.message}${inner}`.trim() || error.name
}

/** Failures from before a connection stood. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
])

/** True where the upstream cannot have received the request. */
export const neverSent = (error: Error): boolean =>
  ('code' in error && typeof error.code === 'string' && unsent.has(error.code)) ||
  // The egress guard refuses before it connects.
  ('code' in error && (error.code === 'address_blocked' || error.code === 'address_unknown'))
