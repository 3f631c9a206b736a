import type { Users } from '../../app/noun-types.ts'
import type { FeatureKit, SharedParts } from '../../app/parts.ts'
import type { RateLimiter } from '../../http/limits/rate-limit.ts'
import { type AssertHuman, createTurnstile } from '../../http/limits/turnstile.ts'
import { every } from '../../jobs/every.ts'
import type { SendMail } from '../../mail/mail.ts'
import { openOneTimeCodes } from '../../verification/one-time-codes.ts'
import type { RequiredWays } from '../../verification/required-way.ts'
import type { GuessThrottle } from './ports.ts'
import { createRecipientLimit } from './recipient-limit.ts'
import { openRegistration } from './registration.ts'
import { registrationRoutes } from './routes.ts'

const purgeEveryMs = 600_000

export interface RegistrationNeeds {
  readonly users: Users
  /** Makes the first API key of a user who registered with a password. */
  readonly makeFirstToken: (newcomer: { id: number; username: string; ip: string }) => Promise<void>
  readonly sendMail: SendMail
  readonly limiter: RateLimiter
  readonly guesses: GuessThrottle
  readonly requiredWays: RequiredWays
}

/** The human check of this site. */
export const joinTurnstile = ({ config, options }: SharedParts): AssertHuman =>
  createTurnstile({ settings: options.snapshot, verifyUrl: config.turnstileVerifyUrl })

/** Joins registering, lost passwords and e-mail addresses; answers what ends it. */
export const joinRegistration = (kit: FeatureKit, needs: RegistrationNeeds): (() => Promise<void>) => {
  const { config, database, secrets, clock, countingClock, options, log, audit, on } = kit
  const { directory, links, welcome, resetPassword } = needs.users
  const codes = openOneTimeCodes({ database, secrets, clock })
  const registration = openRegistration({
    users: { ...links, byId: directory.byId, welcome, resetPassword },
    codes,
    sendMail: needs.sendMail,
    requiredWays: needs.requiredWays,
    recipients: createRecipientLimit({ limiter: needs.limiter, clock: countingClock }),
    guesses: needs.guesses,
    settings: options.snapshot,
    localAddress: `http://localhost:${config.port}${config.basePath}`,
    makeFirstToken: config.generateDefaultToken ? needs.makeFirstToken : undefined,
    log,
  })
  registrationRoutes(on, registration, audit)
  const stopPurging = every(purgeEveryMs, codes.purge, (error) => log.warn('code_cleanup_failed', { error }))
  return async () => {
    stopPurging()
    await registration.passwordReset.settled()
  }
}
