import {
  endUserSession,
  endUserSessions,
  getUserOverview,
  getUserUsage,
  listInvitees,
  listOwnLedger,
  listUserLedger,
  listUserSessions,
  listUserTokens,
} from '@tollgate/contract'
import type { ConsoleCaller, On } from '../../http/route.ts'
import type { Viewer } from './ports.ts'
import type { UserPage } from './user-page.ts'

const viewerOf = ({ caller, ip }: { caller: ConsoleCaller; ip: string }): Viewer => ({
  id: caller.id,
  username: caller.username,
  role: caller.role,
  ip,
})

/** Routes of the console's page about one user, and the own ledger. */
export const userPageRoutes = (on: On, page: UserPage): void => {
  on(listOwnLedger, async ({ caller, query }) => ({ data: await page.ownLedger(caller.id, query) }))
  on(getUserOverview, async (call) => ({ data: await page.overview(viewerOf(call), call.params.id) }))
  on(listUserLedger, async (call) => ({ data: await page.ledger(viewerOf(call), call.params.id, call.query) }))
  on(listUserTokens, async (call) => ({ data: await page.tokens(viewerOf(call), call.params.id, call.query) }))
  on(getUserUsage, async (call) => ({ data: await page.usage(viewerOf(call), call.params.id, call.query) }))
  on(listInvitees, async (call) => ({ data: await page.invitees(viewerOf(call), call.params.id, call.query) }))
  on(listUserSessions, async (call) => ({ data: await page.sessions(viewerOf(call), call.params.id, call.query) }))
  on(endUserSession, async (call) => {
    await page.endSession(viewerOf(call), call.params.id, call.params.session)
    return {}
  })
  on(endUserSessions, async (call) => {
    await page.endSessions(viewerOf(call), call.params.id)
    return {}
  })
}
