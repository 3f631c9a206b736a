import type { RelayLimits } from '../exchange/exchange.ts'
import type { Holds } from '../ports.ts'
import type { RoutingParts } from '../routing/routed-call.ts'
import type { StoredResponses } from '../routing/stored-responses.ts'
import type { StoredObjects } from '../stored/ports.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { WithHoldParts } from '../with-hold.ts'
import type { StorageRefund } from './payments.ts'

export interface CachedContentParts extends RoutingParts, Omit<WithHoldParts, 'channels'> {
  readonly holds: Holds
  readonly upstream: Upstream
  readonly limits: RelayLimits
  /** Channels and keys that store contents. */
  readonly storedResponses: StoredResponses
  /** Members of contents, without their texts. */
  readonly storedObjects: StoredObjects
  /** Refunds a part of a charge, once for each call, in the background; resolves when it would survive a crash. */
  giveBack(refund: StorageRefund): Promise<void>
}
