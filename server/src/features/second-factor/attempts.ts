import { AppError } from '../../lib/app-error.ts'
import type { SecondFactorRow, SecondFactorStore } from './store.ts'

const freeFailures = 5
const longestSeconds = 900
const tries = 5

/** Seconds that must pass since the last failure before the next attempt. */
const waitAfter = (failures: number): number =>
  failures < freeFailures ? 0 : Math.min(2 ** (failures - freeFailures), longestSeconds)

/**
 * Counts an attempt before its code is looked at, so that parallel guesses on all nodes count too. Throws
 * AppError('second_factor_throttled') while the account has to wait: each failure after the fifth doubles the wait. Only
 * those get here who know the password or hold a session, so nobody else can make the owner wait.
 */
export const countAttempt = async (
  store: SecondFactorStore,
  userId: number,
  now: number,
): Promise<SecondFactorRow | undefined> => {
  for (let count = 0; count < tries; count += 1) {
    const row = await store.of(userId)
    if (row === undefined || row.confirmed_time === 0) return undefined
    const seconds = row.last_failure_time + waitAfter(row.failures) - now
    if (seconds > 0) throw new AppError('second_factor_throttled', { params: { seconds } })
    if (await store.countAttempt(row, now)) return row
  }
  throw new AppError('second_factor_throttled', { params: { seconds: 1 } })
}
