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

/** What the choice of a channel and its key depends on, whatever kind of call it is. */
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
    >
  >

export interface RoutingParts {
  readonly channels: Channels
  /** Absent where nothing is known of costs. */
  readonly belowCost?: BelowCost
  /** What is known of channels, and what they cost, for groups and virtual models that do not choose by weight. */
  readonly figures?: ChannelFigures
  readonly costs?: ChannelPrices
  /** For asking a second channel where the first is slow; absent where that is never done. */
  readonly firstContents?: FirstContents
  readonly hedgeBudget?: HedgeBudget
  /** Where sessions went last; absent where they are not kept together. */
  readonly sessionPlaces?: SessionPlaces
  /** Limits, also of channels and their keys; absent where there can be none. */
  readonly callLimits?: CallLimits
  /** What providers have said of their own limits; absent where nobody remembers. */
  readonly upstreamLimits?: UpstreamLimits
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** In [0, 1). */
  readonly random: () => number
}
