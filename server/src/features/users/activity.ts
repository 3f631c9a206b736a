import { type DataOf, type listUserActivity, mostActivities } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'

type Activity = DataOf<typeof listUserActivity>[number]

const hour = 3_600
const day = 24 * hour
const spendDays = 30

/** Last activity of users, and their spend of late: a few queries along the index of users, whatever their number of calls. */
export const createUserActivity = (
  { query }: Database,
  clock: Clock,
): ((ids: readonly number[]) => Promise<Activity[]>) => {
  const calledSince = (table: 'usage_hours' | 'usage_days', ids: readonly number[], since: number) =>
    query
      // Both tables have the same columns.
      .selectFrom(table as 'usage_hours')
      .select(({ fn }) => ['user_id', fn.max('created_at').as('last'), fn.sum('quota').as('quota')])
      .where('user_id', 'in', [...ids])
      .where('created_at', '>=', since)
      .groupBy('user_id')
      .execute()

  return async (asked) => {
    const ids = asked.slice(0, mostActivities)
    if (ids.length === 0) return []
    const today = Math.floor(unixSeconds(clock) / day) * day
    const [users, days, hours] = await Promise.all([
      query.selectFrom('users').select(['id', 'last_login_time']).where('id', 'in', ids).orderBy('id').execute(),
      calledSince('usage_days', ids, today - (spendDays - 1) * day),
      calledSince('usage_hours', ids, today - day),
    ])
    const dayOf = new Map(days.map((row) => [row.user_id, row]))
    const hourOf = new Map(hours.map((row) => [row.user_id, row]))
    return users.map(({ id, last_login_time: signedIn }) => ({
      user_id: id,
      last_active: Math.max(signedIn, Number(dayOf.get(id)?.last ?? 0), Number(hourOf.get(id)?.last ?? 0)),
      spend: Number(dayOf.get(id)?.quota ?? 0),
    }))
  }
}
