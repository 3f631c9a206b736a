import type { RateLimit, RateLimits } from '../ports.ts'

/** Times of requests, oldest first; `first` is the oldest that still counts. */
interface Times {
  times: number[]
  first: number
}

interface Log {
  readonly all: Times
  readonly successes: Times
}

const sweepEvery = 10_000

const countSince = (log: Times, since: number): number => {
  while ((log.times[log.first] ?? Number.POSITIVE_INFINITY) <= since) log.first += 1
  if (log.first > 1000 && log.first * 2 > log.times.length) {
    log.times = log.times.slice(log.first)
    log.first = 0
  }
  return log.times.length - log.first
}

/** Requests of each user in a sliding window, in the memory of this process (without its defects). */
export const openMemoryRateLimit = (clock: () => number): RateLimit => {
  const logs = new Map<number, Log>()
  let entered = 0
  let longestWindow = 0

  const logOf = (userId: number): Log => {
    const log = logs.get(userId)
    if (log !== undefined) return log
    const fresh: Log = { all: { times: [], first: 0 }, successes: { times: [], first: 0 } }
    logs.set(userId, fresh)
    return fresh
  }

  const sweep = (now: number): void => {
    for (const [userId, { all, successes }] of logs) {
      const last = Math.max(all.times.at(-1) ?? 0, successes.times.at(-1) ?? 0)
      if (last < now - longestWindow) logs.delete(userId)
    }
  }

  const windowOf = ({ minutes }: RateLimits): number => minutes * 60_000

  return {
    enter(userId, limits) {
      const now = clock()
      longestWindow = Math.max(longestWindow, windowOf(limits))
      entered += 1
      if (entered % sweepEvery === 0) sweep(now)
      const since = now - windowOf(limits)
      const log = logOf(userId)
      if (limits.count > 0 && countSince(log.all, since) >= limits.count) return 'total'
      if (limits.successCount > 0 && countSince(log.successes, since) >= limits.successCount) return 'success'
      if (limits.count > 0) log.all.times.push(now)
      return 'allowed'
    },
    succeeded(userId, limits) {
      if (limits.successCount > 0) logOf(userId).successes.times.push(clock())
    },
  }
}
