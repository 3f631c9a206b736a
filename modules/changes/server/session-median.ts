import type { SessionComparison } from '@tollgate/contract'
import type { Database } from '#server/db/database.ts'
import { medianOf } from './median.ts'

/** Newest hours of the sessions of a user that a median is of: one row for each session, hour, model, key and channel. */
const mostRows = 1_000
/** Least number of other sessions for a median. */
const leastSessions = 10

/** Compares sessions with the median of recent ones of the same user, from their hourly sums. */
export const createSessionMedian =
  ({ query }: Pick<Database, 'query'>) =>
  /** Null for sessions of others, without charges, and of users with too few sessions. */
  async (session: string, userId?: number): Promise<SessionComparison> => {
    const hours = await query
      .selectFrom('call_session_hours')
      .select(['user_id', 'quota', 'prompt_tokens', 'cached_tokens'])
      .where('session', '=', session)
      .limit(mostRows)
      .execute()
    const owner = userId ?? hours[0]?.user_id
    const own = hours.filter(({ user_id }) => user_id === owner)
    const sumOf = (column: 'quota' | 'prompt_tokens' | 'cached_tokens'): number =>
      own.reduce((sum, row) => sum + Number(row[column]), 0)
    const quota = sumOf('quota')
    if (owner === undefined || quota <= 0) return null
    const recent = await query
      .selectFrom('call_session_hours')
      .select(['session', 'quota'])
      .where('user_id', '=', owner)
      .orderBy('created_at', 'desc')
      .limit(mostRows)
      .execute()
    const quotas = [...Map.groupBy(recent, (row) => row.session)]
      .filter(([other]) => other !== session)
      .map(([, rows]) => rows.reduce((sum, row) => sum + Number(row.quota), 0))
    const median = medianOf(quotas)
    if (quotas.length < leastSessions || median <= 0) return null
    return { quota, median, sessions: quotas.length, prompt: sumOf('prompt_tokens'), cached: sumOf('cached_tokens') }
  }
