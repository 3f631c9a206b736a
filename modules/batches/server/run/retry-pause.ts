import { pauseAfter } from '#server/jobs/job-policy.ts'

/** Seconds. */
const pauses = [1, 2, 4, 8, 15, 30, 60]
const longestPause = 300
/** Attempts of a call that cannot be made at the moment. */
const mostUnavailable = 6

const headerOf = (headers: readonly string[], name: string): string | undefined => {
  const at = headers.findIndex((header, index) => index % 2 === 0 && header.toLowerCase() === name)
  return at < 0 ? undefined : headers[at + 1]
}

/**
 * Milliseconds after which a line's call is made again: limits of keys, users and channels are waited for, and what is unavailable for
 * a moment. Undefined for all other answers, which are the end of a line.
 */
export const retryPauseMs = (
  { status, headers }: { readonly status: number; readonly headers: readonly string[] },
  attempt: number,
): number | undefined => {
  const isUnavailable = status === 503 && attempt < mostUnavailable
  if (status !== 429 && !isUnavailable) return undefined
  // A limit that is used up for good.
  if (headerOf(headers, 'x-should-retry') === 'false') return undefined
  const after = Number(headerOf(headers, 'retry-after'))
  const seconds = Number.isFinite(after) && after > 0 ? after : pauseAfter(pauses, attempt)
  return Math.min(seconds, longestPause) * 1000
}
