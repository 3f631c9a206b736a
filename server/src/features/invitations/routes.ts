import { getAffCode, transferAffQuota } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { Invitations } from './invitations.ts'

/** The console's calls for inviting others. */
export const invitationRoutes = (on: On, invitations: Invitations): void => {
  on(getAffCode, async ({ caller }) => ({ data: await invitations.code(caller.id) }))
  on(transferAffQuota, async ({ caller, body }) => {
    await invitations.transfer(caller.id, body.quota)
    return { message: '划转成功' }
  })
}
