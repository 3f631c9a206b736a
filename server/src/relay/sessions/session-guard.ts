import type { SessionLimits } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../call.ts'
import type { RequestRecord } from '../ports.ts'
import type { SessionCounts } from './session-counts.ts'
import { repeatedRounds } from './tool-rounds.ts'

/** Limits of sessions by group; `*` stands for all groups without an entry of their own. */
export type LimitsByGroup = ReadonlyMap<string, SessionLimits>

/** Stops sessions that cost too much, last too long, or loop. */
export interface SessionGuard {
  /** Counts a call that is about to be made. Throws AppError: `session_limit_reached`, `session_loop_stopped`. */
  check(call: GuardedCall, limits: LimitsByGroup, quotaPerUnit: number): void
  /** Adds the charge of a session's call. */
  charged(record: Pick<RequestRecord, 'session' | 'quota'>): void
}

export type GuardedCall = Pick<RelayCall, 'caller' | 'session' | 'dialect' | 'body'>

const minuteMs = 60_000

const reached = (limit: string): AppError => new AppError('session_limit_reached', { params: { limit } })

/** Decides by counts in memory: a call causes no I/O. `clock` in milliseconds since 1970. */
export const createSessionGuard = (counts: SessionCounts, clock: () => number): SessionGuard => ({
  check({ caller, session, dialect, body }, limits, quotaPerUnit) {
    if (session === undefined || limits.size === 0) return
    const limit = limits.get(caller.group) ?? limits.get('*')
    if (limit === undefined) return
    const { money, calls, minutes, repeats } = limit
    const sum = counts.sum(session.id)
    if (calls !== undefined && sum.calls >= calls) throw reached(`${calls} calls`)
    if (money !== undefined && sum.quota >= money * quotaPerUnit) throw reached(`$${money}`)
    if (minutes !== undefined && clock() - sum.startedAt >= minutes * minuteMs) throw reached(`${minutes} minutes`)
    if (repeats !== undefined && dialect !== undefined && repeatedRounds(dialect, body) >= repeats)
      throw new AppError('session_loop_stopped', { params: { times: repeats } })
    counts.called(session.id)
  },
  charged({ session, quota }) {
    if (session !== undefined) counts.charged(session, quota)
  },
})
