import type { Attempt } from '@tollgate/contract'
import type { CallNeed, LimitEntry } from '../../limits/call-limits.ts'
import type { RelayChannel } from '../ports.ts'
import type { HedgeTrace } from '../routing/hedging/hedge-trace.ts'
import type { RouteRecord } from '../routing/route-trace.ts'
import type { SessionTrace } from '../sessions/session-route.ts'

/** What a call went through: the channels that were asked, and what the last one was asked with. */
export interface AttemptLog {
  /** Channels in the order in which they were asked. */
  readonly attempts: Attempt[]
  /** The one that answered, or was asked last; 0 for none. */
  channelId: number
  /** The same channel, as it was when it was asked; undefined for none. */
  channel: RelayChannel | undefined
  /** The key that was used last; never recorded. */
  key: string
  upstreamModel: string
  effort: string | undefined
  /** Fields dropped in either direction: unsupported request fields and unsupported answer parts. */
  unsupported: readonly string[]
  /** Milliseconds from the start to the first content of a stream. */
  firstByteMs: number | undefined
  /** How the call went with its session; undefined where it belongs to none. */
  session: SessionTrace | undefined
  /** How the call was led; absent where there was nothing to choose from. */
  route?: RouteRecord
  /** Where two channels were asked at a time; absent where one was. */
  hedge?: HedgeTrace
  /** What limits reserve for an attempt; absent where nothing limits calls. */
  need?: CallNeed
  /** The attempt at the channel that was asked last, as limits of channels count it. */
  limitEntry?: LimitEntry | undefined
}

/** The log of a call for which no channel was asked yet. */
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
