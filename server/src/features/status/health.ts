import type { Clock } from '../../lib/clock.ts'

const restMs = 10_000

/** True if the database answers, asked at most once in ten seconds; calls in between share the last answer. */
export const databaseHealth = (parts: { ping(): Promise<void>; clock: Clock }): (() => Promise<boolean>) => {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer: Promise<boolean> = Promise.resolve(true)
  return () => {
    const now = parts.clock()
    if (now - askedAt < restMs) return answer
    askedAt = now
    answer = parts.ping().then(
      () => true,
      () => false,
    )
    return answer
  }
}
