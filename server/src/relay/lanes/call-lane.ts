import type { Usage } from '../../billing/usage.ts'
import type { Client, RelayCall } from '../call.ts'
import type { Outcome } from '../exchange/exchange.ts'

/** The lane of a charged call, as its log row keeps it. */
export interface LaneRecord {
  /** `flex`: in the provider's flex tier; `off_peak`: at a cheaper hour; `standard`: at once. */
  readonly lane: 'flex' | 'off_peak' | 'standard'
  /** Unix seconds. */
  readonly deadline: number
  /** Quota units that the same usage costs in the standard tier at the moment when the call came. */
  readonly standard: number
  /** `standard` less the charge. Negative where the price rose before the deadline forced the call. */
  readonly saved: number
}

/** One request for an answer. */
export interface LaneTry {
  /** Asks the channels. With `once` only one channel is asked, and not again. */
  ask(call: RelayCall, client: Client, how: { readonly once: boolean }): Promise<Outcome | undefined>
  /** True once the client has content. */
  readonly hasContent: boolean
}

/** Makes a call that has a deadline, in the cheapest tier that is in time. */
export interface CallLane {
  run(call: RelayCall, client: Client, tries: LaneTry): Promise<Outcome | undefined>
  /** The record of the answered call. */
  charged(answer: {
    readonly usage: Usage
    readonly quota: number
    readonly standardOf: (usage: Usage) => number
  }): LaneRecord
}
