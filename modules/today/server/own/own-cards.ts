import { cardSeverities, type LimitState, ownRules, tokenStatus } from '@tollgate/contract'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { readSetting, thresholdOf } from '#server/features/notices/setting.ts'
import { isEnding, isReached, limitFacts, limitSubjectOf } from '../rules/limits.ts'
import { cardOf, mostOfRule, type RuleKit, type StoredCard } from '../rules/rule.ts'

const daySeconds = 86_400
const weekDays = 7
/** Keys that were not used for so long may end unseen. */
const usedWithinDays = 30
/** A key that may spend no more than this share of what it was given. */
const spentShare = 0.1
/** Days that a balance lasts at the pace of a week below which it gets a card. */
const leastDays = 3
const daysAhead = 7
const mostKeys = 200
const mostModels = 500
/** Keys whose limits are looked at, those that were used last. */
export const limitedKeys = 5

interface OwnLook extends Pick<RuleKit, 'database' | 'modelEnd' | 'options'> {
  readonly userId: number
  /** Unix seconds. */
  readonly now: number
}

const keysOf = ({ query }: Pick<Database, 'query'>, userId: number) =>
  query
    .selectFrom('tokens')
    .select(['id', 'name', 'status', 'expired_time', 'remain_quota', 'used_quota', 'unlimited_quota', 'accessed_time'])
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('accessed_time', 'desc')
    .orderBy('id', 'desc')
    .limit(mostKeys)
    .execute()

type Key = Awaited<ReturnType<typeof keysOf>>[number]

const keyCards = (keys: readonly Key[], now: number): readonly StoredCard[] => {
  const used = keys.filter(({ accessed_time: at }) => at >= now - usedWithinDays * daySeconds)
  const working = used.filter(({ status }) => status === tokenStatus.enabled)
  const ending = working
    .filter(({ expired_time: at }) => at > now && at <= now + daysAhead * daySeconds)
    .map(({ id, name, expired_time: at }) => cardOf('own_key_expiring', 'note', [id], { object_id: id, name, at }))
  const spent = used
    .filter(({ status }) => status === tokenStatus.enabled || status === tokenStatus.exhausted)
    .filter((key) => key.unlimited_quota === 0)
    .filter(({ remain_quota: left, used_quota: gone }) => left < (left + gone) * spentShare)
    .map(({ id, name, remain_quota: left, used_quota: gone }) =>
      cardOf('own_key_spent', left <= 0 ? 'bad' : 'warn', [id], {
        object_id: id,
        name,
        amount: left,
        count: gone,
        total: left + gone,
      }),
    )
  return [...ending.slice(0, mostOfRule), ...spent.slice(0, mostOfRule)]
}

const refusedCards = async ({ database, userId, now }: OwnLook, balance: number): Promise<readonly StoredCard[]> => {
  const { calls, last } = await database.query
    .selectFrom('failure_hours')
    .select(sql<number | string | null>`sum(${sql.ref('count')})`.as('calls'))
    .select((eb) => eb.fn.max('created_at').as('last'))
    .where('user_id', '=', userId)
    .where('created_at', '>=', now - daySeconds)
    .where('class', '=', 'quota')
    .where('channel_id', '=', 0)
    .executeTakeFirstOrThrow()
  const count = Number(calls ?? 0)
  return count === 0 ? [] : [cardOf('own_refused', 'bad', [], { count, amount: balance, at: Number(last) })]
}

const balanceCards = async (
  look: OwnLook,
  { quota, setting }: { readonly quota: number; readonly setting: string },
) => {
  const { database, userId, now, options } = look
  const row = await database.query
    .selectFrom('usage_days')
    .select(sql<number | string | null>`sum(quota)`.as('spent'))
    .where('user_id', '=', userId)
    .where('created_at', '>=', now - weekDays * daySeconds)
    .executeTakeFirstOrThrow()
  const perDay = Number(row.spent ?? 0) / weekDays
  const threshold = thresholdOf(readSetting(setting)) ?? options.get('QuotaRemindThreshold')
  const days = perDay > 0 ? Math.max(0, quota) / perDay : Number.POSITIVE_INFINITY
  const isLow = quota < threshold || days < leastDays
  // An account that never spent anything has not begun yet: the first steps say how.
  if (!isLow || perDay === 0) return []
  return [
    cardOf('own_balance_low', quota <= 0 ? 'bad' : 'warn', [], {
      amount: quota,
      total: Math.round(perDay),
      value: days,
    }),
  ]
}

const limitCards = (limits: readonly LimitState[]): readonly StoredCard[] => [
  ...limits
    .filter(isReached)
    .slice(0, mostOfRule)
    .map((state) =>
      cardOf('own_limit_reached', 'bad', limitSubjectOf(state), { ...limitFacts(state), at: state.free_at }),
    ),
  ...limits
    .filter(isEnding)
    .slice(0, mostOfRule)
    .map((state) =>
      cardOf('own_limit_ending', 'warn', limitSubjectOf(state), { ...limitFacts(state), at: state.used_up_at }),
    ),
]

const modelCards = async ({ database, userId, now, modelEnd }: OwnLook): Promise<readonly StoredCard[]> => {
  const called = await database.query
    .selectFrom('usage_days')
    .select(['model_name', sql<number | string>`sum(${sql.ref('count')} + failures)`.as('calls')])
    .where('user_id', '=', userId)
    .where('created_at', '>=', now - weekDays * daySeconds)
    .groupBy('model_name')
    .limit(mostModels)
    .execute()
  return called
    .flatMap(({ model_name: model, calls }) => {
      const end = modelEnd(model)
      const at = end === undefined ? Number.POSITIVE_INFINITY : Date.parse(`${end.day}T00:00:00Z`) / 1000
      if (end === undefined || at > now + daysAhead * daySeconds) return []
      const facts = { name: model, count: Number(calls), at, detail: end.replacedBy }
      return [cardOf('own_model_ended', at <= now ? 'bad' : 'warn', [model], facts)]
    })
    .slice(0, mostOfRule)
}

const rules: readonly string[] = ownRules

const order = ({ severity, rule }: StoredCard): number =>
  cardSeverities.indexOf(severity) * ownRules.length + rules.indexOf(rule)

/** Balance, limits and cards of a user. */
export const readOwn = async (look: OwnLook & Pick<RuleKit, 'limitReads'>) => {
  const { database, userId, now, limitReads } = look
  const [user, keys] = await Promise.all([
    database.query.selectFrom('users').select(['quota', 'setting']).where('id', '=', userId).executeTakeFirstOrThrow(),
    keysOf(database, userId),
  ])
  const states = await limitReads.ofUser(
    userId,
    keys.slice(0, limitedKeys).map(({ id }) => id),
  )
  const limits = states.toSorted((one, other) => other.used / other.amount - one.used / one.amount)
  const found = await Promise.all([
    refusedCards(look, user.quota),
    balanceCards(look, user),
    modelCards(look),
    limitCards(limits),
    keyCards(keys, now),
  ])
  return { balance: user.quota, limits, cards: found.flat().toSorted((one, other) => order(one) - order(other)) }
}
