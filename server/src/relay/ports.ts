import type { Price } from '../billing/price.ts'

export type { Attempt } from '@tollgate/contract'
export type { TokenCounter } from '../billing/counting/token-counter.ts'
export type { Caller, KeyChannelFence, ProjectOfKey } from './ports/callers.ts'
export type {
  Asking,
  ChannelSnapshot,
  Channels,
  KeyRing,
  RawPermission,
  RelayChannel,
  RouteHealth,
  UpstreamFailure,
} from './ports/channels.ts'
export type { HeldCap, Hold, HoldAnswer, HoldRequest, Holds } from './ports/holds.ts'
export type { RelayOptions } from './ports/options.ts'
export type {
  CallMeasures,
  FinishedCall,
  HedgeCost,
  LeftWebCall,
  PlacedWebCall,
  Recorder,
  RequestBegin,
  RequestRecord,
  TaskStart,
} from './ports/records.ts'

export interface Prices {
  /** undefined when the model has no price and may not be called. `at` is milliseconds since 1970, now when absent. */
  of(model: string, group: string, more: { acceptsUnpriced: boolean; at?: number }): Price | undefined
  /** Milliseconds since 1970 from which `of` may answer otherwise though nothing was changed; absent where prices never do so. */
  until?(model: string, group: string): number
}

/**
 * Bytes of a picture at an address from a provider: only public addresses, and up to a size. Throws AppError where it cannot be fetched,
 * and when `signal` aborts it.
 */
export type FetchPicture = (address: string, signal: AbortSignal) => Promise<Buffer>
