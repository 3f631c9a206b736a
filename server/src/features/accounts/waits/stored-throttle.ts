import type { SharedParts } from '../../../app/parts.ts'
import { every } from '../../../jobs/every.ts'
import type { LoginThrottle } from '../throttle.ts'
import { openLoginThrottle } from '../throttle-redis.ts'
import { openStoredWaits } from './stored-waits.ts'

/** A crash loses what was counted in this time. */
const writeEveryMs = 2000
const purgeEveryMs = 600_000

/** A throttle of guesses whose waits outlast a restart: in Redis, or else in the database. `close` writes what is left. */
export const openStoredThrottle = async (
  { redis, primary, database, clock, log }: Pick<SharedParts, 'redis' | 'primary' | 'database' | 'clock' | 'log'>,
  guessed: 'login' | 'redeem',
): Promise<{ readonly throttle: LoginThrottle; close(): Promise<void> }> => {
  const throttle = openLoginThrottle({ redis, shared: primary?.throttle, clock, guessed })
  const { memory } = throttle
  if (memory === undefined) return { throttle, close: async () => {} }
  const waits = await openStoredWaits({ database, guessed, memory, clock })
  const notKept = (error: unknown): void => log.warn('waits_not_kept', { guessed, error })
  const stopWriting = every(writeEveryMs, waits.write, notKept)
  const stopPurging = every(purgeEveryMs, waits.purge, notKept)
  return {
    throttle,
    async close() {
      stopWriting()
      stopPurging()
      await waits.write().catch(notKept)
    },
  }
}
