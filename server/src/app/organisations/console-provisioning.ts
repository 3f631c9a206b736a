import { role } from '@tollgate/contract'
import { longestDisplayName, longestUsername } from '@tollgate/contract/accounts/account-rules'
import { removeAccessTokens } from '../../features/access-tokens/store.ts'
import type { OrganisationParts } from '../../features/organisations/parts.ts'
import { openScimCallLog } from '../../features/organisations/provisioning/call-log.ts'
import type { ProvisionedAccounts } from '../../features/organisations/provisioning/parts.ts'
import { openProvisioning } from '../../features/organisations/provisioning/provisioning.ts'
import { provisioningRoutes } from '../../features/organisations/provisioning/routes.ts'
import { openScimGroups } from '../../features/organisations/provisioning/scim-groups.ts'
import { openScimListener } from '../../features/organisations/provisioning/scim-listener.ts'
import { openScimUsers } from '../../features/organisations/provisioning/scim-users.ts'
import { openScimTokens } from '../../features/organisations/provisioning/tokens.ts'
import type { Users } from '../../features/users/users.ts'
import type { RateLimiter } from '../../http/limits/rate-limit.ts'
import type { createRequestContexts, Fetch } from '../../http/request-context.ts'
import type { On } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'
import { openIdentities } from '../../verification/identities.ts'
import type { SharedParts } from '../parts.ts'

export interface ProvisioningNeeds {
  readonly organisations: OrganisationParts
  readonly users: Pick<Users, 'create'>
  endSessions(userId: number): Promise<void>
  readonly limiter: RateLimiter
  readonly requestContexts: ReturnType<typeof createRequestContexts>
}

const attempts = 10

/** A random user name, so that accounts of an organisation do not take names that people of the site may want. */
const drawnName = (): string => `u${randomAlphanumerics(longestUsername - 1).toLowerCase()}`

/** Accounts as provisioning makes them: without a password, and without the quota that people get who come on their own. */
const provisionedAccounts = (
  { database, clock }: Pick<SharedParts, 'database' | 'clock'>,
  { users, endSessions }: Pick<ProvisioningNeeds, 'users' | 'endSessions'>,
): ProvisionedAccounts => {
  const identities = openIdentities(database, clock)
  return {
    async create({ displayName, address, joined }) {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        try {
          return await users.create({
            username: drawnName(),
            displayName: [...displayName.trim()].slice(0, longestDisplayName).join(''),
            role: role.user,
            quota: 0,
            identities: address === undefined ? [] : [{ provider: 'email', subject: address }],
            joined,
          })
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'username_taken') throw error
        }
      }
      throw new AppError('username_taken')
    },
    bindAddress: (trx, userId, subject) => identities.bind(trx, userId, { provider: 'email', subject }),
    endSessions,
    async endAccessTokens(trx, userId) {
      await trx.updateTable('users').set({ access_token_hash: null }).where('id', '=', userId).execute()
      await removeAccessTokens(trx, userId)
    },
  }
}

/** Joins provisioning: the SCIM listener that identity providers call, and what the console shows of it. */
export const joinProvisioning = (
  shared: SharedParts,
  { organisations, limiter, requestContexts, ...needs }: ProvisioningNeeds,
  on: On,
): { readonly fetch: Fetch } => {
  const { config, database, options, clock, log } = shared
  const parts = {
    ...organisations,
    accounts: provisionedAccounts(shared, needs),
    isRegistrationOpen: () => options.get('RegisterEnabled') && !options.get('SelfUseModeEnabled'),
    limiter,
    apiLimit: config.rateLimits.api,
    serverAddress: () => options.get('ServerAddress').replace(/\/+$/, ''),
  }
  const tokens = openScimTokens(parts)
  const calls = openScimCallLog({ database, clock })
  provisioningRoutes(on, { database, tokens, provisioning: openProvisioning(parts, { tokens, calls }) })
  const [users, groups] = [openScimUsers(parts), openScimGroups(parts)]
  return openScimListener({ ...parts, users, groups, tokens, calls, requestContexts, log })
}
