import type { ChannelHealth } from '@tollgate/contract'
import { joinChannelHealth } from '../features/channel-health/join.ts'
import type { LiveHealth } from '../features/channel-health/live.ts'
import { type ChannelSide, joinChannels } from '../features/channels/join.ts'
import { keyHint } from '../features/channels/rules.ts'
import { joinLimits, type LimitSide } from '../features/limits/join.ts'
import type { LogStore } from '../features/logs/store.ts'
import type { NoticeSide } from '../features/notices/join.ts'
import { isPricedBy } from '../features/pricing/current-prices.ts'
import { joinVirtualModels, type VirtualModelSide } from '../features/virtual-models/join.ts'
import { openUpstreamLimits, type UpstreamLimits } from '../relay/routing/upstream-limits.ts'
import type { FeatureKit } from './parts.ts'

export interface ChannelsSide {
  readonly channels: Pick<ChannelSide, 'directory' | 'lossWatch' | 'attention'>
  /** The last 24 hours of all channels that were called. */
  readonly channelHealth: () => Promise<readonly ChannelHealth[]>
  readonly avoidedModels: LiveHealth['avoidedModels']
  readonly upstreamLimits: UpstreamLimits
  readonly virtualModels: VirtualModelSide
  readonly limits: LimitSide
  /** Lets what is under way end and writes down what happened; call it when no call is relayed any more. */
  close(): Promise<void>
}

/** Joins all that decides by which channel a call goes, and what limits it. */
export const joinRouting = async (
  kit: FeatureKit,
  { logs, notices }: { readonly logs: LogStore; readonly notices: NoticeSide },
): Promise<ChannelsSide> => {
  const { clock, bus, on } = kit
  const upstreamLimits = openUpstreamLimits({ clock, bus })
  const health = joinChannelHealth(kit, upstreamLimits.forget)
  const isPriced = isPricedBy(kit.priceOptions)
  const channels = await joinChannels(kit, { logs, health, upstreamLimits, isPriced, news: notices.news })
  health.routes(on, channels.modelsOf)
  const virtualModels = await joinVirtualModels(kit, channels)
  const limits = await joinLimits(kit, { ...notices, keyHint, directory: channels.directory })
  return {
    channels,
    channelHealth: () => health.list([]),
    avoidedModels: health.live.avoidedModels,
    upstreamLimits,
    virtualModels,
    limits,
    async close() {
      await channels.close()
      await health.close()
    },
  }
}
