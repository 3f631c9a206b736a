import type { Attempt } from '@tollgate/contract'
import type { CallNeed, LimitEntry } from '../../limits/call-limits.ts'
import type { RelayChannel } from '../ports.ts'
import type { HedgeTrace } from '../routing/hedging/hedge-trace.ts'
import type { RouteRecord } from '../routing/route-trace.ts'
import type { SessionTrace } from '../sessions/session-route.ts'

/** Channels that a call has tried, and the request to the last one. */
export interface AttemptLog {
  /** Channels in the order of the attempts. */
  readonly attempts: Attempt[]
  /** Id of the channel that answered, or was tried last; 0 for none. */
  channelId: number
  /** The same channel at the time of the attempt; undefined for none. */
  channel: RelayChannel | undefined
  /** The key that was used last; never recorded. */
  key: string
  upstreamModel: string
  effort: string | undefined
  /** Fields dropped in either direction: unsupported request fields and unsupported answer parts. */
  unsupported: readonly string[]
  /** Milliseconds from the start to the first content of a stream. */
  firstByteMs: number | undefined
  /** Routing of the call by its session; undefined where it belongs to none. */
  session: SessionTrace | undefined
  /** Routing of the call; absent where there was no choice. */
  route?: RouteRecord
  /** Trace of a hedged call; absent for others. */
  hedge?: HedgeTrace
  /** Amounts that limits reserve for an attempt; absent where nothing limits calls. */
  need?: CallNeed
  /** The entry of the last attempt in the limits of its channel. */
  limitEntry?: LimitEntry | undefined
}

/** The empty log of a new call. */
export const createAttemptLog = (): AttemptLog => ({
  attempts: [],
  channelId: 0,
  channel: undefined,
  key: '',
  upstreamModel: '',
  effort: undefined,
  unsupported: [],
  firstByteMs: undefined,
  session: undefined,
})
