import type { UpstreamFailure } from '../ports.ts'

const gemini = 24
/** The last one is a drawing service's that has no account left to draw with. */
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

/** A 429 that says when to come back is a limit per minute, whatever words it uses: some call that a quota, too. */
const passes = ({ status, retryAfter }: UpstreamFailure): boolean => status === 429 && (retryAfter ?? '') !== ''

const says = ({ message }: UpstreamFailure, keywords: readonly string[]): boolean => {
  const text = message.toLowerCase()
  return keywords.some((keyword) => keyword !== '' && text.includes(keyword))
}

/**
 * Whether a failure says that a channel's credentials or credit are gone. `keywords` are lower-cased. The caller knows whether
 * channels may be disabled at all.
 */
export const shouldDisable = (failure: UpstreamFailure, channelType: number, keywords: readonly string[]): boolean =>
  failure.status === 401 ||
  (failure.status === 403 && channelType === gemini) ||
  codes.has(failure.code) ||
  types.has(failure.type) ||
  (!passes(failure) && says(failure, keywords))
