import type { RelayChannel, RequestRecord } from './ports.ts'
import type { AttemptResult, SentSide } from './routing/channel-attempt.ts'

/**
 * Follows one call while it runs. Calls that nobody follows have none, so each step of a call asks once whether there is one. Every
 * method returns at once and throws nothing; times are milliseconds since 1970.
 */
export interface CallTrace {
  /** What it may cost was reserved, or refused for this reason. */
  held(from: number, fault?: string): void
  /** A request goes to an upstream now; the headers name the trace to it, undefined where it shall not know it. */
  attempt(channel: RelayChannel, upstreamModel: string): Readonly<Record<string, string>> | undefined
  /** It is over. Of two channels that were asked at a time, each ends by itself. */
  attemptEnded(side: Omit<SentSide<unknown>, 'outcome'>, result: AttemptResult): void
  /** What it came to is recorded: a charge, or a failure. */
  recorded(from: number, record: RequestRecord): void
}
