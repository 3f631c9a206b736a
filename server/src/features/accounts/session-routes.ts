import { confirmIdentity, endOtherSessions, endSession, getConfirmation, listSessions } from '@tollgate/contract'
import type { Trace } from '../../db/trace.ts'
import { clientOf } from '../../http/client.ts'
import type { ConsoleCaller, On } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Confirmations } from './confirmation.ts'
import type { BrowserSessions } from './sessions.ts'

/** The console's calls for the own signed-in browsers, and for proving who one is. */
export const sessionRoutes = (
  on: On,
  parts: {
    sessions: BrowserSessions
    confirmations: Confirmations
    audit: { record(trace: Trace): Promise<void> }
  },
): void => {
  const { sessions, confirmations } = parts
  const note = ({ id, username }: ConsoleCaller, ip: string, ended: number): Promise<void> =>
    parts.audit.record({
      actor: { id, username },
      action: 'user.end_sessions',
      object: 'user',
      objectId: id,
      after: { ended },
      ip,
    })

  on(listSessions, async ({ caller }) => ({ data: await sessions.list(caller.id, caller.sessionIdHash) }))
  on(endSession, async ({ caller, params, ip }) => {
    if (!(await sessions.endOne(caller.id, params.id))) throw new AppError('not_found')
    await note(caller, ip, 1)
    return {}
  })
  on(endOtherSessions, async ({ caller, ip }) => {
    const ended = await sessions.endOthers(caller.id, caller.sessionIdHash)
    await note(caller, ip, ended)
    return { data: { ended } }
  })
  on(getConfirmation, async ({ caller }) => ({ data: await confirmations.state(caller) }))
  on(confirmIdentity, async (call) => {
    await confirmations.confirm(call.caller, call.body, clientOf(call))
    return {}
  })
}
