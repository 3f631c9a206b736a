import { createAlert, deleteAlert, listAlerts, updateAlert } from '@tollgate/contract'
import { roleIn } from '#server/http/access.ts'
import type { ConsoleCaller, On } from '#server/http/route.ts'
import type { AlertOwner, Alerts } from './alerts.ts'

const ownerOf = ({ caller, ip }: { caller: ConsoleCaller; ip: string }): AlertOwner => ({
  id: caller.id,
  username: caller.username,
  role: roleIn(caller, 'logs'),
  ip,
})

/** Own alerts. */
export const alertRoutes = (on: On, alerts: Alerts): void => {
  on(listAlerts, async ({ caller }) => ({ data: await alerts.list(caller.id) }))
  on(createAlert, async (call) => ({ data: await alerts.create(ownerOf(call), call.body) }))
  on(updateAlert, async (call) => ({ data: await alerts.update(ownerOf(call), call.params.id, call.body) }))
  on(deleteAlert, async (call) => {
    await alerts.remove(ownerOf(call), call.params.id)
    return {}
  })
}
