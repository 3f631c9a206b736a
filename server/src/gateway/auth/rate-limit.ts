import type { Throttle, Throttles } from '../../limits/throttles.ts'
import type { RateAnswer, RateLimit } from '../ports.ts'

const nameOf = (userId: number, counted: 'all' | 'successes'): string => `calls of ${userId}: ${counted}`

/** Requests of each user in the last minutes: all of them, and those that were answered. */
export const createRateLimit = (throttles: Throttles): RateLimit => {
  const takeOne = (userId: number, throttle: Throttle): RateAnswer | Promise<RateAnswer> => {
    if (throttle.count === 0) return 'allowed'
    const taken = throttles.take(nameOf(userId, 'all'), throttle)
    const answer = (isTaken: boolean): RateAnswer => (isTaken ? 'allowed' : 'total')
    return taken instanceof Promise ? taken.then(answer) : answer(taken)
  }

  return {
    enter(userId, { minutes, count, successCount }) {
      const seconds = minutes * 60
      const all = { count, seconds }
      if (seconds === 0) return 'allowed'
      if (successCount === 0) return takeOne(userId, all)
      const allowed = throttles.allows(nameOf(userId, 'successes'), { count: successCount, seconds })
      const then = (isAllowed: boolean) => (isAllowed ? takeOne(userId, all) : 'success')
      return allowed instanceof Promise ? allowed.then(then) : then(allowed)
    },

    succeeded(userId, { minutes, successCount }) {
      if (successCount === 0 || minutes === 0) return
      throttles.count(nameOf(userId, 'successes'), { count: successCount, seconds: minutes * 60 })
    },
  }
}
