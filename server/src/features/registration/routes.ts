import {
  bindEmail,
  register,
  requestPasswordReset,
  resetPassword,
  sendTestMail,
  sendVerificationCode,
  unbindEmail,
} from '@tollgate/contract'
import type { Trace } from '../../db/trace.ts'
import type { ConsoleCaller, On } from '../../http/route.ts'
import type { Self } from './ports.ts'
import type { Registration } from './registration.ts'

const selfOf = ({ caller, ip }: { readonly caller: ConsoleCaller; readonly ip: string }): Self => ({
  id: caller.id,
  username: caller.username,
  ip,
})

/** The console's calls for registering, for lost passwords and for the own e-mail address. */
export const registrationRoutes = (
  on: On,
  registration: Registration,
  audit: { record(trace: Trace): Promise<void> },
): void => {
  on(register, async (call) => {
    await registration.register(call.body, call)
    return {}
  })
  on(sendVerificationCode, async (call) => {
    const { ip, language } = call
    await registration.emailCodes.send(call.query.email, { ip, language, userId: call.caller?.id ?? 0 })
    return {}
  })
  on(requestPasswordReset, async (call) => {
    await registration.passwordReset.request(call.query.email, call)
    return {}
  })
  on(resetPassword, async (call) => ({ data: await registration.passwordReset.finish(call.body, call) }))
  on(bindEmail, async (call) => {
    await registration.bindEmail(selfOf(call), call.query)
    return {}
  })
  on(unbindEmail, async (call) => {
    await registration.unbindEmail(selfOf(call))
    return {}
  })
  on(sendTestMail, async ({ body, caller, ip, language }) => {
    const actor = { id: caller.id, username: caller.username }
    await audit.record({ actor, action: 'mail.test', object: 'mail', objectId: '', after: { to: body.to }, ip })
    await registration.sendTestMail({ to: body.to, userId: caller.id, language })
    return {}
  })
}
