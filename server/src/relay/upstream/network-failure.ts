import { type ErrorCode, errors } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'

/** What undici and node call the ways in which an upstream does not answer; everything else is a broken connection. */
const codes: Readonly<Record<string, ErrorCode>> = {
  UND_ERR_HEADERS_TIMEOUT: 'upstream_timeout',
  UND_ERR_BODY_TIMEOUT: 'upstream_timeout',
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** Our error for a failed exchange, with the status that decides about a retry. `began`: the head had come. */
export const networkFailure = (error: Error, { began }: { began: boolean }): { code: ErrorCode; status: number } => {
  const code = ownMember(codes, codeOf(error)) ?? (began ? 'upstream_broke' : 'do_request_failed')
  return { code, status: errors[code].status }
}

/** For the operator: the error's own words, with its code. */
export const networkCause = (error: Error): string => {
  const code = codeOf(error)
  const inner = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${code === '' ? '' : `${code} `}${error.message}${inner}`.trim() || error.name
}
