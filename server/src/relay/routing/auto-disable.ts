import type { UpstreamFailure } from '../ports.ts'

const gemini = 24
/** Error codes of lost credentials or credit; the last one is a drawing service without an account. */
const codes: ReadonlySet<string> = new Set([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'no_account_instance',
])
const types: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
])

/** True for a 429 with a time to retry, which is a limit per minute even if its text speaks of a quota. */
const passes = ({ status, retryAfter }: UpstreamFailure): boolean => status === 429 && (retryAfter ?? '') !== ''

const says = ({ message }: UpstreamFailure, keywords: readonly string[]): boolean => {
  const text = message.toLowerCase()
  return keywords.some((keyword) => keyword !== '' && text.includes(keyword))
}

/**
 * True if a failure means that a channel's credentials or credit are gone. `keywords` are lower-cased. The caller checks whether
 * channels may be disabled at all.
 */
export const shouldDisable = (failure: UpstreamFailure, channelType: number, keywords: readonly string[]): boolean =>
  failure.status === 401 ||
  (failure.status === 403 && channelType === gemini) ||
  codes.has(failure.code) ||
  types.has(failure.type) ||
  (!passes(failure) && says(failure, keywords))
