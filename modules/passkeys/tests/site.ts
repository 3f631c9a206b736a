import type { Database } from '#server/db/database.ts'
import { openAudit } from '#server/features/audit/audit.ts'
import { silentLog } from '#server/lib/log.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import { openConsole } from '#server-test/support/features/accounts.ts'
import { openPasskeys } from '../server/passkeys.ts'
import { passkeyRoutes } from '../server/routes.ts'
import { passkeyWay } from '../server/store.ts'

/** Accounts with passkeys on a real database. */
export const openPasskeySite = async (database: Database) => {
  const site = await openConsole(database)
  const address = { value: '' }
  const clock = () => site.state.now
  passkeyRoutes(site.api.on, {
    passkeys: openPasskeys({
      database,
      secrets: openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' }),
      challenges: site.challenges,
      audit: openAudit(database, clock),
      siteName: () => 'Tollgate',
      clock,
      log: silentLog,
    }),
    serverAddress: () => address.value,
    signIn: site.accounts.signIn.withBoth,
    confirmed: site.sessions.confirm,
  })
  site.accounts.signIn.addWay(passkeyWay)
  return { ...site, address }
}
