import { confirmIdentity, endOtherSessions, endSession, getConfirmation, listSessions } from '@tollgate/contract'
import { clientOf } from '../../http/client.ts'
import type { On } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Confirmations } from './confirmation.ts'
import type { Sessions } from './sessions.ts'

/** The console's calls for the own signed-in browsers, and for proving who one is. */
export const sessionRoutes = (on: On, parts: { sessions: Sessions; confirmations: Confirmations }): void => {
  const { sessions, confirmations } = parts
  on(listSessions, async ({ caller }) => ({ data: await sessions.list(caller.id, caller.sessionIdHash) }))
  on(endSession, async ({ caller, params }) => {
    if (!(await sessions.endOne(caller.id, params.id))) throw new AppError('not_found')
    return {}
  })
  on(endOtherSessions, async ({ caller }) => ({
    data: { ended: await sessions.endOthers(caller.id, caller.sessionIdHash) },
  }))
  on(getConfirmation, async ({ caller }) => ({ data: await confirmations.state(caller) }))
  on(confirmIdentity, async (call) => {
    await confirmations.confirm(call.caller, call.body, clientOf(call))
    return {}
  })
}
