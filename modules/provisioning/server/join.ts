import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { openScimCallLog } from './call-log.ts'
import { provisionedAccounts } from './made-accounts.ts'
import { openProvisioning } from './provisioning.ts'
import { provisioningRoutes } from './routes.ts'
import { openScimGroups } from './scim-groups.ts'
import { openScimListener } from './scim-listener.ts'
import { openScimUsers } from './scim-users.ts'
import { openScimTokens } from './tokens.ts'

/** Joins provisioning: the SCIM listener that identity providers call, and what the console shows of it. */
export const join: JoinModule = (kit) => {
  const { config, database, options, clock, log, organisations, limiter, requestContexts } = kit
  const parts = {
    ...organisations,
    accounts: provisionedAccounts(kit),
    isRegistrationOpen: () => options.get('RegisterEnabled') && !options.get('SelfUseModeEnabled'),
    limiter,
    apiLimit: config.rateLimits.api,
    basePath: config.basePath,
    serverAddress: () => options.get('ServerAddress').replace(/\/+$/, ''),
  }
  const tokens = openScimTokens(parts)
  const calls = openScimCallLog({ database, clock })
  provisioningRoutes(kit.on, { database, tokens, provisioning: openProvisioning(parts, { tokens, calls }) })
  const [users, groups] = [openScimUsers(parts), openScimGroups(parts)]
  const { fetch } = openScimListener({ ...parts, users, groups, tokens, calls, requestContexts, log })
  return { served: [{ path: '/scim', fetch }] }
}
