import { sql } from 'kysely'
import { namesOf } from '#server/db/names/stored-names.ts'
import { cardOf, mostNames, mostOfRule, type SiteLook, type StoredCard, type TodayRule } from './rule.ts'

const daySeconds = 86_400
/** Days before the end of a model at which it gets a card. */
const daysAhead = 7
const mostCallers = 200
/** Losses below this share of a unit of currency are rounding. */
const leastLoss = 0.001

/** Midnight of yesterday, by UTC: the sums of days begin there. */
const yesterdayOf = (now: number): number => now - (now % daySeconds) - daySeconds

const endOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000

const callersOf = async ({ database, now }: SiteLook, models: readonly string[]) => {
  const rows = await database.query
    .selectFrom('usage_days')
    .select(['model_name', 'user_id', sql<number | string>`sum(${sql.ref('count')} + failures)`.as('calls')])
    .where('created_at', '>=', yesterdayOf(now))
    .where('created_at', '<', now + daySeconds)
    .where('model_name', 'in', models)
    .groupBy(['model_name', 'user_id'])
    .orderBy('calls', 'desc')
    .limit(mostCallers)
    .execute()
  const names = await namesOf(database).userNames([...new Set(rows.map(({ user_id: id }) => id))])
  return rows.map(({ model_name: model, user_id: id }) => ({ model, name: names.get(id) ?? '' }))
}

/** Models whose maker has ended them, or ends them within a week, and that are still called. */
const readEnded = async (look: SiteLook): Promise<readonly StoredCard[]> => {
  const { database, now, modelEnd } = look
  const called = await database.query
    .selectFrom('usage_site_days')
    .select(['model_name', sql<number | string>`sum(${sql.ref('count')} + failures)`.as('calls')])
    .where('created_at', '>=', yesterdayOf(now))
    .where('created_at', '<', now + daySeconds)
    .groupBy('model_name')
    .execute()
  const ended = called
    .flatMap(({ model_name: model, calls }) => {
      const end = modelEnd(model)
      if (end === undefined || endOf(end.day) > now + daysAhead * daySeconds) return []
      return [{ model, calls: Number(calls), at: endOf(end.day), replacedBy: end.replacedBy }]
    })
    .toSorted((one, other) => one.at - other.at || other.calls - one.calls)
    .slice(0, mostOfRule)
  if (ended.length === 0) return []
  const callers = await callersOf(
    look,
    ended.map(({ model }) => model),
  )
  return ended.map(({ model, calls, at, replacedBy }) => {
    const names = callers.filter((caller) => caller.model === model && caller.name !== '').map(({ name }) => name)
    return cardOf('model_ended', at <= now ? 'bad' : 'warn', [model], {
      name: model,
      names: names.slice(0, mostNames),
      count: calls,
      total: names.length,
      at,
      detail: replacedBy,
    })
  })
}

/** Models that a group paid less for than they cost, since yesterday; calls of unknown cost do not count. */
const readBelowCost = async ({ database, now, options }: SiteLook): Promise<readonly StoredCard[]> => {
  const loss = sql<number | string>`sum(cost - costed_quota)`
  const rows = await database.query
    .selectFrom('usage_site_days')
    .select(['model_name', 'group', loss.as('loss')])
    .select([
      sql<number | string>`sum(costed_quota)`.as('charged'),
      sql<number | string>`sum(cost)`.as('cost'),
      sql<number | string>`sum(costed_count)`.as('calls'),
    ])
    .where('created_at', '>=', yesterdayOf(now))
    .where('created_at', '<', now + daySeconds)
    .groupBy(['model_name', 'group'])
    .having(loss, '>', Math.round(options.get('QuotaPerUnit') * leastLoss))
    .orderBy('loss', 'desc')
    .limit(mostOfRule)
    .execute()
  return rows.map((row) =>
    cardOf('below_cost', 'warn', [row.group, row.model_name], {
      name: row.model_name,
      detail: row.group,
      amount: Number(row.loss),
      count: Number(row.calls),
      value: Number(row.charged) / Number(row.cost),
    }),
  )
}

/** Models of enabled channels without a price: their calls are refused. */
const readUnpriced = async ({ channels, isPriced, needs }: SiteLook): Promise<readonly StoredCard[]> => {
  const attention = await needs()
  const unpriced = channels
    .snapshot()
    .all()
    .filter(({ id }) => attention.get(id)?.includes('unpriced'))
  const models = [...new Set(unpriced.flatMap((channel) => [...channel.models].filter((model) => !isPriced(model))))]
  if (models.length === 0) return []
  return [cardOf('unpriced', 'warn', [], { count: models.length, names: models.slice(0, mostNames) })]
}

/** Models that end, are sold at a loss, or have no price. */
export const modelRules: readonly TodayRule[] = [
  { rule: 'model_ended', area: 'models', read: readEnded },
  { rule: 'below_cost', area: 'models', read: readBelowCost },
  { rule: 'unpriced', area: 'models', read: readUnpriced },
]
