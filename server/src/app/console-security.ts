import type { Database } from '../db/database.ts'
import type { AccountSignIn } from '../features/accounts/accounts.ts'
import type { AccountUsers } from '../features/accounts/ports.ts'
import { sessionRoutes } from '../features/accounts/session-routes.ts'
import type { BrowserSessions } from '../features/accounts/sessions.ts'
import type { Audit } from '../features/audit/audit.ts'
import { secondFactorRoutes } from '../features/second-factor/routes.ts'
import { openSecondFactors } from '../features/second-factor/second-factor.ts'
import { assertAbove } from '../features/users/rules.ts'
import type { On } from '../http/route.ts'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Secrets } from '../lib/security/secrets.ts'
import { openChallenges } from '../verification/challenges.ts'
import type { SignInWays } from '../verification/sign-in-ways.ts'

export interface SecurityParts {
  readonly database: Database
  readonly secrets: Secrets
  readonly audit: Pick<Audit, 'record'>
  readonly users: Pick<AccountUsers, 'byId'>
  readonly sessions: BrowserSessions
  /** Option SystemName. */
  siteName(): string
  readonly signInWays: Pick<SignInWays, 'removeAll'>
  readonly clock: Clock
  readonly log: Log
}

/** Joins what signing in needs beyond a password: second factors, and what is begun in a browser. */
export const joinSecurity = (parts: SecurityParts) => {
  const { users, sessions } = parts
  const challenges = openChallenges(parts)
  const secondFactor = openSecondFactors({
    ...parts,
    issuer: parts.siteName,
    hasAccessToken: async (userId) => (await users.byId(userId))?.access_token_hash != null,
    async assertMayReset(actor, userId) {
      const row = await users.byId(userId)
      if (row === undefined) throw new AppError('user_not_found')
      assertAbove(actor, row, 'user_update_denied')
    },
    removeSignInWays: parts.signInWays.removeAll,
    endSessions: sessions.endAll,
  })
  return {
    challenges,
    secondFactor,
    routes(on: On, { confirmations }: AccountSignIn): void {
      secondFactorRoutes(on, secondFactor)
      sessionRoutes(on, { sessions, confirmations, audit: parts.audit })
    },
    async purge(): Promise<void> {
      await challenges.purge()
      await sessions.purge()
    },
  }
}
