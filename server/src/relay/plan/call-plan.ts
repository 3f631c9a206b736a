import type { Price } from '../../billing/price.ts'
import type { Caller, ChannelSnapshot, RelayChannel, RelayOptions } from '../ports.ts'
import type { CandidateTable } from '../routing/candidate-tiers.ts'
import type { RelayVirtualModel } from '../routing/virtual/virtual-model.ts'

/**
 * All that the calls of a key for one name of a model have in common until an option, a channel, a price or the key changes. Compiled when
 * one of these has changed, never per call. That it exists says that the key, its fence and its channels allow the model.
 */
export interface CallPlan {
  /** The same object for all calls of a key. */
  readonly caller: Caller
  /** The name that clients ask for. */
  readonly name: string
  /** The model that it means. */
  readonly model: string
  readonly options: RelayOptions
  /** Source of `serving`, which holds while the channels' snapshot is this one. */
  readonly snapshot: ChannelSnapshot
  /** Enabled channels that the caller may use for the model: `servingTo(caller, routedModel(model), snapshot)`. */
  readonly serving: readonly RelayChannel[]
  /** The table of `serving`. */
  readonly table: CandidateTable
  /** Set where the model is a virtual one; `serving` are then the channels of a model of the same name. */
  readonly virtual: RelayVirtualModel | undefined
  /** True where the channels may hold objects of others, such as files, or the model itself may be one. */
  readonly fencesObjects: boolean
  /** Separates what is remembered for calls (`scopeOf`). */
  readonly scope: string
  /**
   * Price of the model for the caller (`priceFor`); undefined where the model has no price, and for a virtual model that has the prices
   * of its targets.
   */
  readonly price: Price | undefined
  /** Milliseconds since 1970 from which another price or another model may be meant; Infinity for nearly all. */
  readonly until: number
}
