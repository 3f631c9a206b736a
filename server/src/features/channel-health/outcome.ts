import type { HealthKind } from '@tollgate/contract'
import type { UpstreamFailure } from '../../relay/ports.ts'

/** Longer than this for the first content is slow (the console shows it in red). Milliseconds. */
export const slowFirstContentMs = 10_000

const authCodes: ReadonlySet<string> = new Set(['invalid_api_key', 'account_deactivated', 'credentials_failed'])
const authTypes: ReadonlySet<string> = new Set(['authentication_error', 'permission_error', 'forbidden'])
const quotaWords: ReadonlySet<string> = new Set(['billing_not_active', 'insufficient_quota', 'insufficient_user_quota'])
const timeoutStatus: ReadonlySet<number> = new Set([408, 504, 524])
/** Failures that we name ourselves because the upstream gave no answer, or none that can be read. */
const brokenCodes: ReadonlySet<string> = new Set(['do_request_failed', 'upstream_broke', 'bad_response_body'])

/** How an attempt failed. `other` is the fault of the request: it says nothing about the channel. */
export const kindOf = ({ status, code, type }: UpstreamFailure): HealthKind => {
  if (quotaWords.has(code) || quotaWords.has(type) || status === 402) return 'quota'
  if (status === 401 || status === 403 || authCodes.has(code) || authTypes.has(type)) return 'auth'
  if (status === 429) return 'rate_limited'
  if (code === 'upstream_timeout' || timeoutStatus.has(status)) return 'timeout'
  return status >= 500 || status === 0 || brokenCodes.has(code) ? 'server_error' : 'other'
}

/** Statuses that say that nobody behind a gateway, or no room, was there. */
const absentStatus: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530])

/**
 * True if a failure may be the fault of its request: the upstream answered, with an error of its own. Engines answer 500 to pictures
 * and settings that they do not take.
 */
export const isSuspect = ({ status, code, inAnswer }: UpstreamFailure): boolean =>
  inAnswer === true || code === 'bad_response_body' || (status >= 500 && !absentStatus.has(status))

const longestRestMs = 5 * 60_000
const usualRestMs = 10_000

/** Milliseconds for which a 429 keeps calls away: what `Retry-After` says (seconds or a date), at most five minutes. */
export const restAfter = (retryAfter: string | undefined, now: number): number => {
  const text = retryAfter?.trim() ?? ''
  if (text === '') return usualRestMs
  const seconds = Number(text)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now
  if (!(wait > 0)) return Number.isNaN(wait) ? usualRestMs : 0
  return Math.min(wait, longestRestMs)
}
