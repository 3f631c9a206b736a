import { compareOptionSecrets, listOptions, putOption, putOptions, resetModelRatio } from '@tollgate/contract'
import { rankedActorOf } from '../../http/actor.ts'
import type { On } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Options } from './options.ts'

/** Calls of the settings screen. */
export const optionRoutes = (
  on: On,
  options: Options,
  ratiosAfterReset: () => Readonly<Record<string, number>>,
): void => {
  on(listOptions, ({ caller, language }) => ({
    data: options.list(caller.role, language),
    beside: { stored_secrets: options.storedSecrets(caller.role) },
  }))

  on(putOption, async ({ body, caller, ip }) => {
    await options.set(body.key, String(body.value), rankedActorOf({ caller, ip }))
    return {}
  })

  on(putOptions, async ({ body, caller, ip, language }) => {
    const requested = body.changes.map(({ key, value, was }) => ({ key, text: String(value), was }))
    const refusals = await options.setAll(requested, rankedActorOf({ caller, ip }))
    const refused = refusals.map(({ key, error }) => ({ key, ...error.asFields, message: error.textIn(language) }))
    if (refused.length > 0) throw new AppError('options_refused', { data: { refused } })
    return { data: { refused } }
  })

  on(compareOptionSecrets, ({ body }) => ({ data: options.differingSecrets(body.secrets) }))

  on(resetModelRatio, async ({ caller, ip }) => {
    const actor = rankedActorOf({ caller, ip })
    const ratios = ratiosAfterReset()
    if (Object.keys(ratios).length === 0) await options.reset('ModelRatio', actor)
    else await options.set('ModelRatio', JSON.stringify(ratios), actor)
    return { message: '重置模型倍率成功' }
  })
}
