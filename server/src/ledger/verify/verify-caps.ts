import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { LedgerDifference } from './difference.ts'

/** Compares what was spent in the windows of caps with the entries of their accounts, and finds entries without a window. */
export const verifyCaps = async (database: Database): Promise<LedgerDifference[]> => {
  const { rows } = await sql<{ id: number; spent: number | string | null; entries: number | string }>`
    select e.account_id as id, -sum(e.amount) as entries,
      (select w.spent from spend_windows w where w.id = e.account_id) as spent
    from ledger_entries e where e.account = 'cap' group by e.account_id`.execute(database.query)
  const counted = new Set(rows.map(({ id }) => Number(id)))
  const windows = await database.query.selectFrom('spend_windows').select(['id', 'spent']).execute()
  const different = rows.filter(({ spent, entries }) => String(spent) !== String(entries))
  return [
    ...different.map(({ id, spent, entries }) => difference(Number(id), spent ?? 'missing', entries)),
    ...windows
      .filter(({ id, spent }) => !counted.has(id) && spent !== 0)
      .map(({ id, spent }) => difference(id, spent, 0)),
  ]
}

const difference = (id: number, stored: number | string, computed: number | string): LedgerDifference => ({
  account: 'cap',
  id,
  what: 'spent',
  stored,
  computed,
})
