import type { GuessThrottle } from '../features/registration/ports.ts'
import { createRecipientLimit } from '../features/registration/recipient-limit.ts'
import { openRegistration } from '../features/registration/registration.ts'
import { registrationRoutes } from '../features/registration/routes.ts'
import { firstTokenName } from '../features/tokens/rules.ts'
import type { TokenService } from '../features/tokens/service.ts'
import type { Users } from '../features/users/users.ts'
import type { RateLimiter } from '../http/limits/rate-limit.ts'
import { type AssertHuman, createTurnstile } from '../http/limits/turnstile.ts'
import type { On } from '../http/route.ts'
import { every } from '../jobs/every.ts'
import type { SendMail } from '../mail/mail.ts'
import { openOneTimeCodes } from '../verification/one-time-codes.ts'
import type { RequiredWays } from '../verification/required-way.ts'
import type { SharedParts } from './parts.ts'

const purgeEveryMs = 600_000

export interface RegistrationNeeds {
  readonly users: Users
  readonly tokens: Pick<TokenService, 'create'>
  readonly sendMail: SendMail
  readonly limiter: RateLimiter
  readonly guesses: GuessThrottle
  readonly requiredWays: RequiredWays
}

/** The human check of this site. */
export const joinTurnstile = ({ config, options }: SharedParts): AssertHuman =>
  createTurnstile({ settings: options.snapshot, verifyUrl: config.turnstileVerifyUrl })

/** The first API key of a user who registered with a password. */
const firstToken =
  ({ tokens }: RegistrationNeeds) =>
  async ({ id, username, ip }: { id: number; username: string; ip: string }): Promise<void> => {
    const token = {
      name: firstTokenName(username),
      remain_quota: 500_000,
      unlimited_quota: true,
      expired_time: -1,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
    }
    await tokens.create({ id, username, group: 'default', ip }, token)
  }

/** Joins registering, lost passwords and e-mail addresses; answers what ends it. */
export const joinRegistration = (shared: SharedParts, needs: RegistrationNeeds, on: On): (() => Promise<void>) => {
  const { config, database, secrets, clock, countingClock, options, log, audit } = shared
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
    localAddress: `http://localhost:${config.port}`,
    makeFirstToken: config.generateDefaultToken ? firstToken(needs) : undefined,
    log,
  })
  registrationRoutes(on, registration, audit)
  const stopPurging = every(purgeEveryMs, codes.purge, (error) => log.warn('code_cleanup_failed', { error }))
  return async () => {
    stopPurging()
    await registration.passwordReset.settled()
  }
}
