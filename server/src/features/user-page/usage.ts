import type { UserUsage } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { abortedSince } from '../../ledger/apply/aborted-calls.ts'

const secondsPerHour = 3600
const secondsPerDay = 86_400

/** Spending of a user from a moment (unix seconds) on, by hour and by model, dearest first. By id, since names change. */
export const readUsage = async (database: Database, userId: number, from: number): Promise<UserUsage> => {
  const start = from - (from % secondsPerHour)
  const figures = database.query
    .selectFrom('quota_data')
    .where('user_id', '=', userId)
    .where('created_at', '>=', start)
    .select(({ fn }) => [fn.sum('quota').as('quota'), fn.sum('count').as('count'), fn.sum('token_used').as('tokens')])
  const [hours, models, aborted] = await Promise.all([
    figures.select('created_at').groupBy('created_at').orderBy('created_at').execute(),
    figures.select('model_name').groupBy('model_name').orderBy('quota', 'desc').orderBy('model_name').execute(),
    abortedSince(database, userId, from - (from % secondsPerDay)),
  ])
  return {
    hours: hours.map(({ created_at, ...sums }) => ({ at: created_at, ...wholes(sums) })),
    models: models.map(({ model_name, ...sums }) => ({ model: model_name, ...wholes(sums) })),
    aborted,
  }
}

type Sum = string | number | bigint

/** Engines answer sums as text. */
const wholes = ({ quota, count, tokens }: { quota: Sum; count: Sum; tokens: Sum }) => ({
  quota: Number(quota),
  count: Number(count),
  tokens: Number(tokens),
})
