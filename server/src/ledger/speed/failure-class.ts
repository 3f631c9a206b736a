import type { ErrorClass } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'

const quotaCodes: ReadonlySet<string> = new Set(['insufficient_quota', 'insufficient_user_quota', 'billing_not_active'])
const authCodes: ReadonlySet<string> = new Set(['invalid_api_key', 'account_deactivated', 'credentials_failed'])
const timeoutStatus: ReadonlySet<number> = new Set([408, 504, 524])

/** Class of the failure in a log row's `other` column (JSON). Never throws. */
export const failureClassOf = (other: string): ErrorClass => {
  const { status, error_code, end } = parseObject(other)
  if (end === 'client_gone') return 'cancelled'
  const code = typeof error_code === 'string' ? error_code : ''
  if (quotaCodes.has(code) || status === 402) return 'quota'
  if (code === 'upstream_timeout') return 'timeout'
  if (authCodes.has(code)) return 'auth'
  return typeof status === 'number' ? ofStatus(status) : 'other'
}

const ofStatus = (status: number): ErrorClass => {
  if (status === 429) return 'rate_limited'
  if (status === 401 || status === 403) return 'auth'
  if (timeoutStatus.has(status)) return 'timeout'
  if (status >= 500 || status === 0) return 'server_error'
  return status >= 400 ? 'invalid' : 'other'
}
