import type { Receipt } from '@tollgate/contract'
import type { CacheMoney } from '../../billing/cost.ts'
import type { Price } from '../../billing/price.ts'
import type { UpstreamCost } from '../../billing/upstream/upstream-cost.ts'
import type { Usage } from '../../billing/usage.ts'
import type { LaneRecord } from '../lanes/call-lane.ts'
import type { RecordedMiss } from '../sessions/cache-doctor.ts'

/** An answered call, in whole or in part, with its charge. */
export interface Charged {
  readonly usage: Usage
  readonly receipt: Receipt
  readonly price: Price
  /** Cost at the provider; undefined where that is not known. */
  readonly cost: UpstreamCost | undefined
  /** `closed` by this server; `out_of_quota` when no more could be held for a stream or a session. */
  readonly end: 'done' | 'client_gone' | 'upstream_broke' | 'stopped' | 'closed' | 'out_of_quota'
  /** Why a stream broke. */
  readonly cause: string | undefined
  /** Additional text for the log. */
  readonly note?: string | undefined
  /** Present where the provider does not charge for the answer. */
  readonly free?: true | undefined
  /** The blocked word that the answer held. */
  readonly blockedWord: string | undefined
  /** Savings of the provider's cache and cost of a miss, in quota units; absent where there was neither. */
  readonly cache?: (CacheMoney & { readonly miss: RecordedMiss | undefined }) | undefined
  /** Absent for calls without a deadline. */
  readonly lane?: LaneRecord | undefined
  /** A session over a WebSocket. */
  readonly ws?: true
}
