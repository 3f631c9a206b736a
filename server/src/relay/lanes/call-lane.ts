import type { Usage } from '../../billing/usage.ts'
import type { Client } from '../client.ts'

/** The lane of a charged call, as its log row keeps it. */
export interface LaneRecord {
  /** `batch`: in a batch of the provider; `flex`: in the provider's flex tier; `off_peak`: at a cheaper hour; `standard`: at once. */
  readonly lane: 'batch' | 'flex' | 'off_peak' | 'standard'
  /** Unix seconds. */
  readonly deadline: number
  /** Quota units that the same usage costs in the standard tier at the moment when the call came. */
  readonly standard: number
  /** `standard` less the charge. Negative where the price rose before the deadline forced the call. */
  readonly saved: number
}

/** The requests by which a call gets its answer. */
export interface LaneTry<Call, Outcome> {
  /** Asks the channels. With `once` only one channel is asked, and not again. */
  ask(call: Call, client: Client, how: { readonly once: boolean }): Promise<Outcome | undefined>
  /** True once the client has content. */
  readonly hasContent: boolean
}

/** Makes a call that has a deadline, in the cheapest tier that is in time. */
export interface CallLane<Call> {
  /** False where only a call at once is in time. */
  readonly leavesTime: boolean
  run<Outcome extends { readonly kind: string }>(
    call: Call,
    client: Client,
    tries: LaneTry<Call, Outcome>,
  ): Promise<Outcome | undefined>
  /** The record of the answered call. */
  charged(answer: {
    readonly usage: Usage
    readonly quota: number
    /** Cost of a usage at the price of the answer. */
    readonly standardOf: (usage: Usage) => number
  }): LaneRecord
}
