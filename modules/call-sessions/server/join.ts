import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { namesOf } from '#server/db/names/stored-names.ts'
import { createCallSessions } from './call-sessions.ts'
import { callSessionRoutes } from './routes.ts'

/** Joins the lists of sessions to the ledger's sums and to the counts of those that run. */
export const join: JoinModule = (kit) => {
  const limitsByGroup = () => kit.relayOptions().sessionLimits
  const parts = { ...kit, ...namesOf(kit.database), limitsByGroup, counts: kit.sessionCounts }
  callSessionRoutes(kit.on, createCallSessions(parts))
  return {}
}
