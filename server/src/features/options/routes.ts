import { listOptions, putOption, resetModelRatio } from '@tollgate/contract'
import type { Caller, On } from '../../http/route.ts'
import type { OptionActor, Options } from './options.ts'

const actorOf = (caller: Caller, ip: string): OptionActor => ({
  id: caller.id,
  username: caller.username,
  role: caller.role,
  ip,
})

/** Calls of the settings screen (server reference §5.7). */
export const optionRoutes = (on: On, options: Options): void => {
  on(listOptions, ({ caller, language }) => ({
    data: options.list(caller.role, language),
    beside: { stored_secrets: options.storedSecrets(caller.role) },
  }))

  on(putOption, async ({ body, caller, ip }) => {
    await options.set(body.key, String(body.value), actorOf(caller, ip))
    return {}
  })

  on(resetModelRatio, async ({ caller, ip }) => {
    await options.reset('ModelRatio', actorOf(caller, ip))
    return { message: '重置模型倍率成功' }
  })
}
