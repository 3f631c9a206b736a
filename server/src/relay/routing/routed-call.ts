import type { ChannelPrices } from '../../billing/upstream/channel-prices.ts'
import type { CallLimits } from '../../limits/call-limits.ts'
import type { RelayCall } from '../call.ts'
import type { Channels } from '../ports.ts'
import type { SessionPlaces } from '../sessions/session-places.ts'
import type { BelowCost } from './below-cost.ts'
import type { ChannelFigures } from './choice/channel-figures.ts'
import type { FirstContents } from './choice/first-contents.ts'
import type { HedgeBudget } from './hedging/hedge-budget.ts'
import type { UpstreamLimits } from './upstream-limits.ts'

/** Facts that the choice of channel and key uses, for all kinds of calls. */
export type RoutedCall = Pick<RelayCall, 'startedAt' | 'caller' | 'model' | 'ip' | 'path' | 'raw' | 'body'> &
  Partial<
    Pick<
      RelayCall,
      | 'endpoint'
      | 'dialect'
      | 'survey'
      | 'session'
      | 'place'
      | 'target'
      | 'route'
      | 'trace'
      | 'named'
      | 'versions'
      | 'sealed'
      | 'plan'
      | 'triesFlex'
    >
  >

export interface RoutingParts {
  readonly channels: Channels
  /** Absent where costs are unknown. */
  readonly belowCost?: BelowCost
  /** Latencies and loads of channels, and their costs, for groups and virtual models that do not choose by weight. */
  readonly figures?: ChannelFigures
  readonly costs?: ChannelPrices
  /** For hedging slow streams; absent where that is never done. */
  readonly firstContents?: FirstContents
  readonly hedgeBudget?: HedgeBudget
  /** Last channels of sessions; absent where sessions have no affinity. */
  readonly sessionPlaces?: SessionPlaces
  /** Limits, also of channels and their keys; absent where there can be none. */
  readonly callLimits?: CallLimits
  /** Reported limits of providers; absent where they are not used. */
  readonly upstreamLimits?: UpstreamLimits
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** In [0, 1). */
  readonly random: () => number
}
