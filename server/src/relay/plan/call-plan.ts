import type { Price } from '../../billing/price.ts'
import type { PlannedLimits } from '../../limits/call-limits.ts'
import type { Caller, ChannelSnapshot, RawPermission, RelayChannel, RelayOptions } from '../ports.ts'
import type { CandidateTable } from '../routing/candidate-tiers.ts'
import type { RelayTarget, RelayVirtualModel } from '../routing/virtual/virtual-model.ts'

/**
 * Kinds of routes with the same admission and pricing. `relay`: HTTP calls, the playground's too. `written`: the same without resolving
 * aliases, as in metered direct calls and after a limit. `session`: sessions over a WebSocket, new cached contents, and jobs at providers. `kept`: calls
 * about a cached content. `task`: tasks of services. `raw`: direct calls with a price per call.
 */
export type PlanKind = 'relay' | 'written' | 'session' | 'kept' | 'task' | 'raw'

/**
 * Common part of all calls of a key of one kind for one model name, until an option, a channel, a price, a limit or the key changes.
 * Compiled on such a change, never per call. The existence of a plan means that the key, its fence and its channels allow the model.
 */
export interface CallPlan {
  readonly kind: PlanKind
  /** The same object for all calls of a key. */
  readonly caller: Caller
  /** The client's name of the model. */
  readonly name: string
  /** The model to which the name resolves. */
  readonly model: string
  readonly options: RelayOptions
  /** Source of `serving` and `forced`, which hold while the channels' snapshot is this one. */
  readonly snapshot: ChannelSnapshot
  /** Enabled channels that the caller may use for the model: `servingTo(caller, routedModel(model), snapshot)`. */
  readonly serving: readonly RelayChannel[]
  /** The table of `serving`. */
  readonly table: CandidateTable
  /** The only channel of a restricted caller; undefined for nearly all. */
  readonly forced: RelayChannel | undefined
  /** Set where the model is a virtual one and the kind of route takes such; `serving` are then the channels of a model of the same name. */
  readonly virtual: RelayVirtualModel | undefined
  /** True if a channel that may answer separates its callers' objects. */
  readonly fenced: boolean
  /** True where the channels may hold objects of others, such as files, or the model itself may be one. */
  readonly fencesObjects: boolean
  /** Scope of cached facts about calls (`scopeOf`). */
  readonly scope: string
  /**
   * Price of a call of this kind of the model for the caller; undefined where the model has none, and for a virtual model that has the prices
   * of its targets.
   */
  readonly price: Price | undefined
  /** Prices of the targets of a virtual model that has none of its own, without those that have no price; undefined for all other models. */
  readonly targetPrices: ReadonlyMap<RelayTarget, Price> | undefined
  /** Limits that can count such a call; undefined where none can, as for nearly all keys. */
  readonly limits: PlannedLimits | undefined
  /** Milliseconds since 1970 from which the price or the model changes; Infinity for nearly all. */
  readonly until: number
}

/**
 * Common part of all direct calls of a key to one channel, for any model. The existence of a plan means that the key may call the
 * channel's provider. Compiled when an option, a channel or the key has changed, never per call.
 */
export interface DirectPlan {
  /** The key of the calls. */
  readonly caller: Caller
  /** The caller restricted to the channel: the same object for all calls. */
  readonly held: Caller
  readonly channel: RelayChannel
  readonly permission: RawPermission
  /** True if the channel separates its callers' objects. */
  readonly fenced: boolean
  /** Addresses of the provider's API, as its answers write them. */
  readonly origins: readonly string[]
}
