import { randomUUID } from 'node:crypto'
import type { SharedParts } from '../../app/parts.ts'
import type { RateLimiter } from '../../http/limits/rate-limit.ts'
import { every } from '../../jobs/every.ts'
import { openThrottles, type Throttles } from '../../limits/throttles.ts'
import { limitStoreOf, renewEveryMs } from './join.ts'

/** Limits of requests per address, user and recipient, for all nodes together. */
export interface ThrottleSide {
  readonly throttles: Throttles
  /** The same as the console's HTTP side counts. */
  readonly limiter: RateLimiter
  close(): Promise<void>
}

/** Opens what counts how often something is done. */
export const joinThrottles = (shared: SharedParts): ThrottleSide => {
  const { countingClock: clock, log, config, redis, primary } = shared
  const throttles = openThrottles({
    store: limitStoreOf(shared),
    isShared: redis !== undefined || primary !== undefined,
    clock,
    warn: log.warn,
    node: `${config.nodeName.slice(0, 100)}:${randomUUID()}`,
  })
  const stop = every(renewEveryMs, throttles.renew, (error) => log.warn('limits_not_renewed', { error }))
  return {
    throttles,
    limiter: {
      take: (key, { enabled, ...throttle }) => !enabled || throttles.take(key, throttle),
      giveBack: throttles.giveBack,
    },
    async close() {
      stop()
      await throttles.renew()
    },
  }
}
