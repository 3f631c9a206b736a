import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Difference } from './difference.ts'

/**
 * Finds transfers out of a wallet that left less than what calls had been charged before: charges that were booked after the transfer,
 * of calls that had ended in an earlier second. Entries of one account are numbered in the order of their commits. Calls that were still
 * under way at the transfer are not judged: no row says when they began and how much they held.
 */
export const verifyTransfers = async (database: Database): Promise<Difference[]> => {
  const { rows } = await sql<{ id: number; movement: string; rest: number | string; late: number | string }>`
    select t.account_id as id, t.movement as movement,
      (select coalesce(sum(e.amount), 0) from ledger_entries e
        where e.account = 'user' and e.account_id = t.account_id and e.id <= t.id) as rest,
      (select coalesce(sum(e.amount), 0) from ledger_entries e
        where e.account = 'user' and e.account_id = t.account_id and e.id > t.id and e.reason = 'charge'
          and e.created_at < t.created_at) as late
    from ledger_entries t where t.account = 'user' and t.reason = 'transfer' and t.amount < 0`.execute(database.query)
  return rows.flatMap(({ id, movement, rest, late }): Difference[] => {
    const [left, charged] = [Number(rest), 0 - Number(late)]
    if (left < 0 || charged <= left) return []
    return [
      { account: 'user', id: Number(id), what: 'paid out what was charged', stored: left, computed: charged, movement },
    ]
  })
}
