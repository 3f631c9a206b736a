import type { SessionLimits } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../call.ts'
import type { RequestRecord } from '../ports.ts'
import { repeatedRounds } from './tool-rounds.ts'

/** Limits of sessions by group; `*` stands for all groups without an entry of their own. */
export type LimitsByGroup = ReadonlyMap<string, SessionLimits>

/** Stops sessions that cost too much, go on too long, or go round in circles. */
export interface SessionGuard {
  /** Counts a call that is about to be made. Throws AppError: `session_limit_reached`, `session_loop_stopped`. */
  check(call: GuardedCall, limits: LimitsByGroup, quotaPerUnit: number): void
  /** What a call of a session cost. */
  charged(record: Pick<RequestRecord, 'session' | 'quota'>): void
}

export type GuardedCall = Pick<RelayCall, 'caller' | 'session' | 'dialect' | 'body'>

interface Count {
  readonly startedAt: number
  lastAt: number
  calls: number
  quota: number
}

export interface SessionGuardParts {
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Sessions that are counted; the longest unused go first. */
  readonly most?: number
}

const usualMost = 50_000
const minuteMs = 60_000
/** A session that was silent so long begins anew. */
const forgottenMs = 86_400_000

const reached = (limit: string): AppError => new AppError('session_limit_reached', { params: { limit } })

/** Counts in memory of this node, from its start on: nothing is asked or written for a call. */
export const openSessionGuard = ({ clock, most = usualMost }: SessionGuardParts): SessionGuard => {
  const counts = new Map<string, Count>()

  const countOf = (id: string): Count => {
    const now = clock()
    const known = counts.get(id)
    const count =
      known !== undefined && now - known.lastAt < forgottenMs
        ? known
        : { startedAt: now, lastAt: now, calls: 0, quota: 0 }
    count.lastAt = now
    counts.delete(id)
    counts.set(id, count)
    const [oldest] = counts.keys()
    if (counts.size > most && oldest !== undefined) counts.delete(oldest)
    return count
  }

  return {
    check({ caller, session, dialect, body }, limits, quotaPerUnit) {
      if (session === undefined || limits.size === 0) return
      const limit = limits.get(caller.group) ?? limits.get('*')
      if (limit === undefined) return
      const { money, calls, minutes, repeats } = limit
      const count = countOf(session.id)
      if (calls !== undefined && count.calls >= calls) throw reached(`${calls} calls`)
      if (money !== undefined && count.quota >= money * quotaPerUnit) throw reached(`$${money}`)
      if (minutes !== undefined && clock() - count.startedAt >= minutes * minuteMs) throw reached(`${minutes} minutes`)
      if (repeats !== undefined && dialect !== undefined && repeatedRounds(dialect, body) >= repeats)
        throw new AppError('session_loop_stopped', { params: { times: repeats } })
      count.calls += 1
    },
    charged({ session, quota }) {
      const count = session === undefined ? undefined : counts.get(session)
      if (count !== undefined) count.quota += quota
    },
  }
}
