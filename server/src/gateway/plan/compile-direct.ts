import { AppError } from '../../lib/app-error.ts'
import { isFenced } from '../../relay/direct/direct-fence.ts'
import type { DirectPlan } from '../../relay/plan/direct-plan.ts'
import type { Caller, Channels } from '../../relay/ports.ts'
import { openTo } from '../../relay/routing/channel-fence.ts'

/**
 * The plan of a caller's direct calls to a channel. Throws AppError('passthrough_denied') where the caller may not make any, also where there
 * is no such channel.
 */
export const compileDirect = (caller: Caller, id: number, channels: Pick<Channels, 'snapshot'>): DirectPlan => {
  const channel = openTo(caller, channels.snapshot().byId(id))
  const permission = channel?.enabled === true ? channel.passthrough : undefined
  if (channel === undefined || permission === undefined) throw new AppError('passthrough_denied')
  const { groups, keys } = permission
  if (!(groups.has(caller.group) || keys.has(caller.tokenId))) throw new AppError('passthrough_denied')
  const { baseUrl, provider } = channel
  // A channel may reach the API by another address than the one that the API itself writes.
  const origins = [baseUrl, provider.baseUrl.replace(/\/+$/, '')].filter((one) => /^https?:\/\/[^{]+$/.test(one))
  const held = Object.freeze({ ...caller, forcedChannel: id })
  return Object.freeze({ caller, held, channel, permission, fenced: isFenced(channel), origins })
}
