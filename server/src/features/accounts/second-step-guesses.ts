import type { ConsoleClient } from '../../http/client.ts'
import { AppError } from '../../lib/app-error.ts'
import { limitKey } from '../../lib/security/client-address.ts'
import type { SecondFactor } from './ports.ts'
import type { LoginThrottle } from './throttle.ts'

/** Checks codes of second factors, slowly where wrong ones came before. */
export interface SecondStepGuesses {
  /**
   * Uses a code of the user. Guesses from one address make that address wait for this user, longer each time; the user waits for guesses from
   * many addresses only, and not at all at an address where a code was right before. Throws
   * AppError('second_factor_wrong' | 'second_factor_throttled').
   */
  check(userId: number, code: string, client: Pick<ConsoleClient, 'ip'>): Promise<void>
}

/** The throttle of passwords for codes, whose refusals speak of codes: AppError('second_factor_throttled'). */
export const throttleOfCodes = (throttle: LoginThrottle): Pick<LoginThrottle, 'attempt' | 'succeeded'> => ({
  async attempt(keys) {
    try {
      await throttle.attempt(keys)
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code !== 'login_throttled') throw cause
      throw new AppError('second_factor_throttled', { params: cause.params, cause })
    }
  },
  succeeded: (keys) => throttle.succeeded(keys),
})

export const createSecondStepGuesses = (
  secondFactor: Pick<SecondFactor, 'check'>,
  throttle: LoginThrottle,
): SecondStepGuesses => {
  const guesses = throttleOfCodes(throttle)
  return {
    async check(userId, code, { ip }) {
      const keys = { account: `second:${userId}`, address: limitKey(ip) }
      await guesses.attempt(keys)
      await secondFactor.check(userId, code)
      await guesses.succeeded(keys)
    },
  }
}
