import type { Price } from '../../billing/price.ts'
import type { Caller, ChannelSnapshot, RelayChannel, RelayOptions } from '../ports.ts'
import type { CandidateTable } from '../routing/candidate-tiers.ts'
import type { RelayTarget, RelayVirtualModel } from '../routing/virtual/virtual-model.ts'

/**
 * Kinds of routes whose calls are admitted and priced alike. `relay`: HTTP calls, the playground's too. `written`: the same for the very name
 * that is written, as in metered direct calls and after a limit. `session`: sessions over a WebSocket, and new cached contents. `kept`: calls
 * about a cached content. `task`: tasks of services. `raw`: direct calls with a price per call.
 */
export type PlanKind = 'relay' | 'written' | 'session' | 'kept' | 'task' | 'raw'

/**
 * All that the calls of a key of one kind for one name of a model have in common until an option, a channel, a price or the key changes.
 * Compiled when one of these has changed, never per call. That it exists says that the key, its fence and its channels allow the model.
 */
export interface CallPlan {
  readonly kind: PlanKind
  /** The same object for all calls of a key. */
  readonly caller: Caller
  /** The name that clients ask for. */
  readonly name: string
  /** The model that it means. */
  readonly model: string
  readonly options: RelayOptions
  /** Source of `serving` and `forced`, which hold while the channels' snapshot is this one. */
  readonly snapshot: ChannelSnapshot
  /** Enabled channels that the caller may use for the model: `servingTo(caller, routedModel(model), snapshot)`. */
  readonly serving: readonly RelayChannel[]
  /** The table of `serving`. */
  readonly table: CandidateTable
  /** The only channel of a caller that is held to one; undefined for nearly all. */
  readonly forced: RelayChannel | undefined
  /** Set where the model is a virtual one and the kind of route takes such; `serving` are then the channels of a model of the same name. */
  readonly virtual: RelayVirtualModel | undefined
  /** True where a channel that may be asked separates what its callers have made in its account. */
  readonly fenced: boolean
  /** True where the channels may hold objects of others, such as files, or the model itself may be one. */
  readonly fencesObjects: boolean
  /** Separates what is remembered for calls (`scopeOf`). */
  readonly scope: string
  /**
   * Price of a call of this kind of the model for the caller; undefined where the model has none, and for a virtual model that has the prices
   * of its targets.
   */
  readonly price: Price | undefined
  /** Prices of the targets of a virtual model that has none of its own, without those that have no price; undefined for all other models. */
  readonly targetPrices: ReadonlyMap<RelayTarget, Price> | undefined
  /** Milliseconds since 1970 from which another price or another model may be meant; Infinity for nearly all. */
  readonly until: number
}
