import type { Client } from '../../http/client.ts'
import { AppError } from '../../lib/app-error.ts'
import { limitKey } from '../../lib/security/client-address.ts'
import type { SecondFactor } from './ports.ts'
import type { LoginThrottle } from './throttle.ts'

/** Checks codes of second factors, slowly where wrong ones came before. */
export interface SecondStepGuesses {
  /**
   * Uses a code of the user. Guesses from one address make that address wait for this user, longer each time; the user waits for guesses from many
   * addresses only, and not at all at an address where a code was right before. Throws
   * AppError('second_factor_wrong' | 'second_factor_throttled').
   */
  check(userId: number, code: string, client: Pick<Client, 'ip'>): Promise<void>
}

export const createSecondStepGuesses = (
  secondFactor: Pick<SecondFactor, 'check'>,
  throttle: LoginThrottle,
): SecondStepGuesses => ({
  async check(userId, code, { ip }) {
    const keys = { account: `second:${userId}`, address: limitKey(ip) }
    try {
      await throttle.attempt(keys)
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code !== 'login_throttled') throw cause
      throw new AppError('second_factor_throttled', { params: cause.params, cause })
    }
    await secondFactor.check(userId, code)
    await throttle.succeeded(keys)
  },
})
