import type { Database } from '#server/db/database.ts'
import { loggedCalls } from './prepare.ts'
import type { CorrectionFilter, CorrectionRow } from './store.ts'

const hourSeconds = 3_600
const hourOf = (at: number): number => at - (at % hourSeconds)

interface Parts {
  readonly database: Database
  readonly logDatabase: Database
}

/** Charged calls of whole hours, by the sums that stay when the log is cleared. */
const charged = async ({ database }: Parts, filter: CorrectionFilter, from: number, to: number): Promise<number> => {
  let sums = database.query.selectFrom('usage_hours').where('created_at', '>=', from).where('created_at', '<=', to)
  if (filter.models.length > 0) sums = sums.where('model_name', 'in', [...filter.models])
  if (filter.channels.length > 0) sums = sums.where('channel_id', 'in', [...filter.channels])
  if (filter.users.length > 0) sums = sums.where('user_id', 'in', [...filter.users])
  const row = await sums.select(({ fn }) => fn.sum('count').as('calls')).executeTakeFirst()
  return Number(row?.calls ?? 0)
}

/** Logged calls, both moments included. */
const logged = async ({ logDatabase }: Parts, filter: CorrectionFilter, from: number, to: number): Promise<number> => {
  if (from > to) return 0
  const calls = loggedCalls(logDatabase, filter).where('created_at', '>=', from).where('created_at', '<=', to)
  const row = await calls.select(({ fn }) => fn.countAll().as('calls')).executeTakeFirst()
  return Number(row?.calls ?? 0)
}

/**
 * Calls of the window that were charged and are not in the log any more, so that nothing says what they would cost. `seen` is
 * what the log has of the window. Hours that the window cuts count as a whole: what is gone of them has no minute.
 */
export const countNotLogged = async (
  parts: Parts,
  { filter: text, from_time: from, to_time: to }: Pick<CorrectionRow, 'filter' | 'from_time' | 'to_time'>,
  seen: number,
): Promise<number> => {
  const filter = JSON.parse(text) as CorrectionFilter
  const [first, last] = [hourOf(from), hourOf(to)]
  // The sums first: calls that end meanwhile are in the log, too, when it is counted.
  const all = await charged(parts, filter, first, last)
  const before = await logged(parts, filter, first, from - 1)
  const after = await logged(parts, filter, to + 1, last + hourSeconds - 1)
  return Math.max(0, all - seen - before - after)
}
