import type { LogText } from '@tollgate/contract'
import { openAccessTokens } from '../features/access-tokens/access-tokens.ts'
import { accessTokenRoutes } from '../features/access-tokens/routes.ts'
import { removeAccessTokens } from '../features/access-tokens/store.ts'
import { type AccountSignIn, openAccounts } from '../features/accounts/accounts.ts'
import { createCallers, createPlaygroundSessions } from '../features/accounts/callers.ts'
import { createRootIfMissing, warnOfDefaultPassword } from '../features/accounts/first-start.ts'
import { accountRoutes } from '../features/accounts/routes.ts'
import { type BrowserSessions, openSessions } from '../features/accounts/sessions.ts'
import type { LoginThrottle } from '../features/accounts/throttle.ts'
import { openStoredThrottle } from '../features/accounts/waits/stored-throttle.ts'
import { readProvedDomains } from '../features/organisations/domains/proved-domains.ts'
import { assertManager, openGroupRoles } from '../features/organisations/group-roles.ts'
import { isBoundToProvider } from '../features/organisations/members.ts'
import { organisationsFor } from '../features/organisations/site.ts'
import { openProviderDirectory, type ProviderDirectory } from '../features/third-party/identity-providers/directory.ts'
import { joinIdentityProviders, joinThirdParty } from '../features/third-party/join.ts'
import { thirdPartyRoutes } from '../features/third-party/routes.ts'
import type { UserAdministration } from '../features/users/administration.ts'
import { userRoutes } from '../features/users/routes.ts'
import { openUsers, type Users } from '../features/users/users.ts'
import type { Callers } from '../http/access.ts'
import type { On } from '../http/route.ts'
import { every } from '../jobs/every.ts'
import { openIdentities } from '../verification/identities.ts'
import { createRequiredWays, type RequiredWays } from '../verification/required-way.ts'
import { createSignInWays } from '../verification/sign-in-ways.ts'
import { joinSecurity } from './console-security.ts'
import type { SharedParts } from './parts.ts'

const purgeEveryMs = 3_600_000

export interface AccountNeeds {
  writeEvent(event: { userId: number; username: string; type: number; text: LogText }): Promise<void>
  userChanged(id: number): void
}

export interface AccountSide {
  readonly callers: Callers
  /** Every way of signing in ends in one of its functions. */
  readonly accounts: AccountSignIn
  readonly users: Users
  readonly providers: Pick<ProviderDirectory, 'shown' | 'changed'>
  readonly requiredWays: RequiredWays
  /** Slows guesses at passwords and codes. */
  readonly guesses: LoginThrottle
  readonly playgroundSessions: ReturnType<typeof createPlaygroundSessions>
  routes(on: On): void
  /** For the page about one user. */
  readonly showUser: UserAdministration['show']
  endSessions(userId: number): Promise<void>
  readonly sessions: Pick<BrowserSessions, 'publicIdOf' | 'endOne'>
  close(): Promise<void>
}

/** Joins users, sessions and signing in; the first start makes the root user. */
export const joinAccounts = async (shared: SharedParts, needs: AccountNeeds): Promise<AccountSide> => {
  const { config, log, clock, database, secrets, options, groups, ledger, audit } = shared
  const sessions = openSessions({ database, secrets, clock })
  const signInWays = createSignInWays(database)
  const users = openUsers({
    database,
    signInWays,
    ledger: ledger.movements,
    audit,
    writeNote: (note) => needs.writeEvent(note),
    identities: openIdentities(database, clock),
    newUserQuota: () => options.get('QuotaForNewUser'),
    invitationQuotas: () => ({ invitee: options.get('QuotaForInvitee'), inviter: options.get('QuotaForInviter') }),
    groupExists: groups.exists,
    endSessions: (id) => sessions.endAll(id),
    removeAccessTokens,
    userChanged: (id) => needs.userChanged(id),
    clock,
  })
  const { directory } = users
  if (!config.isSlave) {
    const { initialRootPassword } = config
    await createRootIfMissing({ users: directory, create: users.create, initialRootPassword, log })
  }
  await warnOfDefaultPassword({ users: directory, log })
  const accessTokens = openAccessTokens({ database, secrets, audit, clock })
  const callers = createCallers({ sessions, users: directory, namedTokens: accessTokens, secrets })
  const security = joinSecurity({
    database,
    secrets,
    audit,
    users: directory,
    sessions,
    siteName: () => options.get('SystemName'),
    signInWays,
    clock,
    log,
  })
  const { secondFactor, challenges } = security
  const readProved = () => readProvedDomains(database.query)
  const providers = await openProviderDirectory({
    database,
    bus: shared.bus,
    warn: log.warn,
    readProved,
    organisationsMay: () => options.get('OrganisationProvidersEnabled'),
  })
  const requiredWays = createRequiredWays(providers.requiredFor, (organisationId, userId) =>
    isBoundToProvider(database.query, organisationId, userId),
  )
  const guesses = await openStoredThrottle(shared, 'login')
  const accounts = openAccounts({
    requiredWays,
    users: directory,
    sessions,
    secondFactor,
    signInWays,
    challenges,
    secrets,
    audit,
    throttle: guesses.throttle,
    organisations: (row) => organisationsFor(database, row, options.get('OrganisationsEnabled')),
    passwordLoginEnabled: () => options.get('PasswordLoginEnabled'),
    allowDefaultPassword: config.allowDefaultPassword,
    clock,
    log,
  })
  const thirdParty = joinThirdParty(shared, {
    users,
    accounts,
    challenges,
    directory: providers,
    groupRoles: openGroupRoles({ database, audit, clock, userChanged: needs.userChanged }),
  })
  const purge = async (): Promise<void> => {
    await security.purge()
    await accessTokens.purge()
  }
  const stopPurging = every(purgeEveryMs, purge, (error) => log.warn('session_cleanup_failed', { error }))
  return {
    callers,
    accounts,
    users,
    providers,
    requiredWays,
    guesses: guesses.throttle,
    playgroundSessions: createPlaygroundSessions({ callers, users: directory }),
    routes(on) {
      accountRoutes(on, accounts, thirdParty.sso.signOutAt)
      security.routes(on, accounts)
      accessTokenRoutes(on, { accessTokens, show: users.administration.show })
      thirdPartyRoutes(on, thirdParty)
      joinIdentityProviders(
        shared,
        { sso: thirdParty.sso, directory: providers, readProved, assertOwner: assertManager(database) },
        on,
      )
      userRoutes(on, users.administration)
    },
    showUser: users.administration.show,
    endSessions: (id) => sessions.endAll(id),
    sessions,
    async close() {
      stopPurging()
      providers.close()
      void thirdParty.close()
      await guesses.close()
    },
  }
}
