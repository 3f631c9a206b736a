import { tokenStatus } from '@tollgate/contract'
import { sql } from 'kysely'
import { cardOf, mostNames, mostOfRule, type SiteLook, type StoredCard, type TodayRule } from './rule.ts'

const daySeconds = 86_400
const daysAhead = 3
/** Keys without a call for so many days may end unseen. */
const usedWithinDays = 7
const mostRefused = 50
const mostKeys = 200

/**
 * Users whose calls were refused before routing for lack of balance in the last day, who had none answered in a later hour and whose
 * balance is still below one unit of currency.
 */
const readRefused = async ({ database, now, options }: SiteLook): Promise<readonly StoredCard[]> => {
  const { query } = database
  const since = now - daySeconds
  const refused = await query
    .selectFrom('failure_hours')
    .select(['user_id', sql<number | string>`sum(${sql.ref('count')})`.as('calls')])
    .select((eb) => eb.fn.max('created_at').as('last'))
    .where('created_at', '>=', since)
    .where('created_at', '<=', now)
    .where('class', '=', 'quota')
    .where('channel_id', '=', 0)
    .groupBy('user_id')
    .orderBy('calls', 'desc')
    .limit(mostRefused)
    .execute()
  const ids = refused.map(({ user_id: id }) => id)
  if (ids.length === 0) return []
  const [users, answered] = await Promise.all([
    query.selectFrom('users').select(['id', 'username', 'quota']).where('id', 'in', ids).execute(),
    query
      .selectFrom('usage_hours')
      .select('user_id')
      .select((eb) => eb.fn.max('created_at').as('last'))
      .where('user_id', 'in', ids)
      .where('created_at', '>=', since)
      .where('count', '>', 0)
      .groupBy('user_id')
      .execute(),
  ])
  const answeredAt = new Map(answered.map(({ user_id: id, last }) => [id, Number(last)]))
  return refused
    .flatMap(({ user_id: id, calls, last }) => {
      const user = users.find((each) => each.id === id)
      if (user === undefined || user.quota >= options.get('QuotaPerUnit')) return []
      if ((answeredAt.get(id) ?? 0) > Number(last)) return []
      const facts = { object_id: id, name: user.username, count: Number(calls), amount: user.quota, at: Number(last) }
      return [cardOf('user_refused', 'warn', [id], facts)]
    })
    .slice(0, mostOfRule)
}

/** Keys in use that end within three days, in one card. */
const readExpiring = async ({ database, now }: SiteLook): Promise<readonly StoredCard[]> => {
  const keys = await database.query
    .selectFrom('tokens')
    .leftJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.id', 'tokens.name', 'tokens.user_id', 'tokens.expired_time', 'users.username'])
    .where('tokens.expired_time', '>', now)
    .where('tokens.expired_time', '<=', now + daysAhead * daySeconds)
    .where('tokens.accessed_time', '>=', now - usedWithinDays * daySeconds)
    .where('tokens.status', '=', tokenStatus.enabled)
    .where('tokens.deleted_at', 'is', null)
    .orderBy('tokens.expired_time')
    .limit(mostKeys)
    .execute()
  const [first] = keys
  if (first === undefined) return []
  return [
    cardOf('key_expiring', 'note', [], {
      object_id: first.user_id,
      name: first.name,
      names: keys.slice(0, mostNames).map(({ name, username }) => `${name} (${username ?? ''})`),
      count: keys.length,
      at: first.expired_time,
    }),
  ]
}

/** Users and keys that cannot call, or soon will not. */
export const userRules: readonly TodayRule[] = [
  { rule: 'user_refused', area: 'users', read: readRefused },
  { rule: 'key_expiring', area: 'users', read: readExpiring },
]
