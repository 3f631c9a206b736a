import type { LogText } from '@tollgate/contract'
import { type Accounts, openAccounts } from '../features/accounts/accounts.ts'
import { createCallers, createPlaygroundSessions } from '../features/accounts/callers.ts'
import { createRootIfMissing, warnOfDefaultPassword } from '../features/accounts/first-start.ts'
import { accountRoutes } from '../features/accounts/routes.ts'
import { openSessions } from '../features/accounts/sessions.ts'
import { openLoginThrottle } from '../features/accounts/throttle-redis.ts'
import { thirdPartyRoutes } from '../features/third-party/routes.ts'
import type { UserAdministration } from '../features/users/administration.ts'
import { userRoutes } from '../features/users/routes.ts'
import { openUsers, type Users } from '../features/users/users.ts'
import type { Callers } from '../http/access.ts'
import type { On } from '../http/route.ts'
import { every } from '../jobs/every.ts'
import { openIdentities } from '../verification/identities.ts'
import { joinSecurity } from './console-security.ts'
import { joinThirdParty } from './console-third-party.ts'
import type { SharedParts } from './parts.ts'

const purgeEveryMs = 3_600_000

export interface AccountNeeds {
  writeEvent(event: { userId: number; username: string; type: number; text: LogText }): Promise<void>
  userChanged(id: number): void
}

export interface AccountSide {
  readonly callers: Callers
  /** Every way of signing in ends in one of its functions. */
  readonly accounts: Accounts
  readonly users: Users
  readonly playgroundSessions: ReturnType<typeof createPlaygroundSessions>
  routes(on: On): void
  /** For the page about one user. */
  readonly showUser: UserAdministration['show']
  endSessions(userId: number): Promise<void>
  close(): void
}

/** Joins users, sessions and signing in; the first start makes the root user. */
export const joinAccounts = async (shared: SharedParts, needs: AccountNeeds): Promise<AccountSide> => {
  const { config, log, clock, database, secrets, options, groups, ledger, audit } = shared
  const sessions = openSessions({ database, secrets, clock })
  const users = openUsers({
    database,
    ledger: ledger.movements,
    audit,
    writeNote: (note) => needs.writeEvent(note),
    identities: openIdentities(database, clock),
    newUserQuota: () => options.get('QuotaForNewUser'),
    invitationQuotas: () => ({ invitee: options.get('QuotaForInvitee'), inviter: options.get('QuotaForInviter') }),
    groupExists: groups.exists,
    endSessions: (id) => sessions.endAll(id),
    userChanged: (id) => needs.userChanged(id),
    clock,
  })
  const { directory } = users
  if (!config.isSlave) {
    const { initialRootPassword } = config
    await createRootIfMissing({ users: directory, create: users.create, initialRootPassword, log })
  }
  await warnOfDefaultPassword({ users: directory, log })
  const callers = createCallers({ sessions, users: directory, secrets })
  const security = joinSecurity({
    database,
    secrets,
    audit,
    users: directory,
    sessions,
    siteName: () => options.get('SystemName'),
    serverAddress: () => options.get('ServerAddress'),
    clock,
    log,
  })
  const { secondFactor, passkeys, challenges } = security
  const accounts = openAccounts({
    users: directory,
    sessions,
    secondFactor,
    passkeys,
    challenges,
    secrets,
    audit,
    throttle: openLoginThrottle({ redis: shared.redis, shared: shared.primary?.throttle, clock }),
    passwordLoginEnabled: () => options.get('PasswordLoginEnabled'),
    allowDefaultPassword: config.allowDefaultPassword,
    clock,
    log,
  })
  const thirdParty = joinThirdParty(shared, { users, accounts, challenges })
  const stopPurging = every(purgeEveryMs, security.purge, (error) => log.warn('session_cleanup_failed', { error }))
  return {
    callers,
    accounts,
    users,
    playgroundSessions: createPlaygroundSessions({ callers, users: directory }),
    routes(on) {
      accountRoutes(on, accounts)
      security.routes(on, accounts)
      thirdPartyRoutes(on, thirdParty)
      userRoutes(on, users.administration)
    },
    showUser: users.administration.show,
    endSessions: (id) => sessions.endAll(id),
    close() {
      stopPurging()
      void thirdParty.close()
    },
  }
}
