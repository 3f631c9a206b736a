import type { Caller, RawPermission, RelayChannel } from '../ports.ts'

/**
 * All that the direct calls of a key to one channel have in common, whatever model they name. That it exists says that the key may call the
 * channel's provider. Compiled when an option, a channel or the key has changed, never per call.
 */
export interface DirectPlan {
  /** The key of the calls. */
  readonly caller: Caller
  /** The same, held to the channel: the same object for all calls. */
  readonly held: Caller
  readonly channel: RelayChannel
  readonly permission: RawPermission
  /** True where the channel separates what its callers have made in its account. */
  readonly fenced: boolean
  /** Addresses of the provider's API, as its answers write them. */
  readonly origins: readonly string[]
}
