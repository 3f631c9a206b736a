import type { CurrentCaptures } from './captures.ts'
import type { HttpAttemptParts } from './exchange/http-attempt.ts'
import type { CallFailure } from './failure.ts'
import type { HoldPlacer } from './holds/place-hold.ts'
import type { Holds, TokenCounter } from './ports.ts'
import type { StoredResponses } from './routing/stored-responses.ts'
import type { AnsweredSessions } from './sessions/answered-sessions.ts'
import type { CacheMemory } from './sessions/cache-memory.ts'
import type { SealPlaces } from './sessions/sealed/seal-places.ts'
import type { SessionGuard } from './sessions/session-guard.ts'
import type { WithHoldParts } from './with-hold.ts'

/** Renders a failure for the client. */
export type Print = (failure: CallFailure) => string

/** Dependencies of calls over HTTP. */
export interface RelayParts
  extends Omit<HttpAttemptParts, 'keepAlive' | 'firstContentWatch' | 'slots'>,
    Omit<WithHoldParts, 'channels'> {
  /** Channels of stored responses; absent where none are noted. */
  readonly storedResponses?: StoredResponses
  /** Sessions of responses. */
  readonly answeredSessions?: AnsweredSessions
  /** Accounts that made encrypted reasoning; absent where none are noted. */
  readonly sealPlaces?: SealPlaces
  /** Stops sessions beyond their limits; absent where none has any. */
  readonly sessionGuard?: SessionGuard
  /** Analyses cache misses; absent where that is switched off. */
  readonly cacheMemory?: CacheMemory
  /** Captures of inspected calls; absent where none are possible. */
  readonly captures?: CurrentCaptures
  readonly holds: Holds
  readonly counter: TokenCounter
  /** Milliseconds without a first byte after which a stream's client gets a comment; 0 for never. */
  readonly keepAliveMs: number
}

/** `RelayParts` with what all calls share. */
export interface RelayedCallParts
  extends RelayParts,
    Pick<HttpAttemptParts, 'keepAlive' | 'firstContentWatch' | 'slots'> {
  readonly placer: HoldPlacer
}
