import type { Clock } from '../../lib/clock.ts'

export interface Limit {
  readonly enabled: boolean
  readonly count: number
  readonly seconds: number
}

/** Counts calls under a key; on several nodes a shared store implements it. */
export interface RateLimiter {
  /** Counts one call, or answers false when `count` calls lie within the last `seconds`; refused calls are not counted. */
  take(key: string, limit: Limit): boolean | Promise<boolean>
  /** Forgets the latest call counted under a key, e.g. because it turned out to be no failure. */
  giveBack(key: string): void | Promise<void>
}

const manyKeys = 20_000

/** A sliding window in memory. Past `maxKeys` keys the one unused for longest is forgotten. */
export const createMemoryRateLimiter = (parts: { clock: Clock; maxKeys?: number }): RateLimiter => {
  const maxKeys = parts.maxKeys ?? manyKeys
  const windows = new Map<string, number[]>()

  const touch = (key: string): number[] => {
    const times = windows.get(key) ?? []
    windows.delete(key)
    windows.set(key, times)
    if (windows.size > maxKeys) {
      const [oldest] = windows.keys()
      if (oldest !== undefined) windows.delete(oldest)
    }
    return times
  }

  return {
    take(key, { enabled, count, seconds }) {
      if (!enabled) return true
      const now = parts.clock()
      const times = touch(key)
      while (times[0] !== undefined && times[0] <= now - seconds * 1000) times.shift()
      if (times.length >= count) return false
      times.push(now)
      return true
    },
    giveBack: (key) => void windows.get(key)?.pop(),
  }
}
