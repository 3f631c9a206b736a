import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { LedgerEntriesTable } from '../../db/schema.ts'

export type EntryRow = Selectable<LedgerEntriesTable>

/** Which entries of which account are meant. */
interface LedgerFilter {
  readonly account: 'user' | 'aff'
  readonly accountId: number
  /** Empty for all. */
  readonly reasons: readonly string[]
}

/** A page by the entries at its edges; `after` wins. */
export interface LedgerSlice {
  readonly before: number | undefined
  readonly after: number | undefined
  readonly limit: number
}

export interface LedgerStore {
  /** Newest first, with the balance after each entry; `more` when there are older ones. */
  find(filter: LedgerFilter, slice: LedgerSlice): Promise<{ rows: (EntryRow & { balance: number })[]; more: boolean }>
  /** Counts at most `cap`. */
  count(filter: LedgerFilter, cap: number): Promise<number>
}

const balanceColumn = { user: 'quota', aff: 'aff_quota' } as const

/** Reads movements of balances; only `ledger/` writes them. */
export const openLedgerStore = (database: Database): LedgerStore => {
  const entries = ({ account, accountId, reasons }: LedgerFilter) => {
    const rows = database.query
      .selectFrom('ledger_entries')
      .where('account', '=', account)
      .where('account_id', '=', accountId)
    return reasons.length === 0 ? rows : rows.where('reason', 'in', reasons as EntryRow['reason'][])
  }

  /** One row more than asked tells whether there are others. */
  const older = async (filter: LedgerFilter, before: number | undefined, limit: number) => {
    const rows = before === undefined ? entries(filter) : entries(filter).where('id', '<', before)
    const found = await rows
      .selectAll()
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute()
    return { rows: found.slice(0, limit), more: found.length > limit }
  }

  const newer = async (filter: LedgerFilter, after: number, limit: number) => {
    const rows = entries(filter).where('id', '>', after)
    const found = await rows.selectAll().orderBy('id', 'asc').limit(limit).execute()
    return { rows: found.reverse(), more: true }
  }

  /** The balance now, less what came after an entry: one statement, so that both are of the same moment. */
  const balanceAfter = async ({ account, accountId }: LedgerFilter, id: number): Promise<number> => {
    const { rows } = await sql<{ balance: number | string }>`
      select ${sql.ref(balanceColumn[account])} - coalesce((select sum(e.amount) from ledger_entries e
        where e.account = ${account} and e.account_id = ${accountId} and e.id > ${id}), 0) as balance
      from users where id = ${accountId}`.execute(database.query)
    return Number(rows[0]?.balance ?? 0)
  }

  /** For each entry from `first` back to `last`: the sum of the entries from `first` to it, both included. */
  const sums = async (
    { account, accountId }: LedgerFilter,
    { first, last, ids }: { first: number; last: number; ids: readonly number[] },
  ): Promise<ReadonlyMap<number, number>> => {
    const { rows } = await sql<{ id: number; running: number | string }>`
      select id, running from (
        select e.id as id, sum(e.amount) over (order by e.id desc) as running from ledger_entries e
        where e.account = ${account} and e.account_id = ${accountId} and e.id between ${last} and ${first}
      ) summed where id in (${sql.join(ids)})`.execute(database.query)
    return new Map(rows.map(({ id, running }) => [id, Number(running)]))
  }

  return {
    async find(filter, { before, after, limit }) {
      const page = after === undefined ? await older(filter, before, limit) : await newer(filter, after, limit)
      const first = page.rows[0]?.id
      const last = page.rows.at(-1)?.id
      if (first === undefined || last === undefined) return { rows: [], more: false }
      const ids = page.rows.map(({ id }) => id)
      // Entries never change, so the order of these two does not matter.
      const [top, running] = await Promise.all([balanceAfter(filter, first), sums(filter, { first, last, ids })])
      const balanceOf = ({ id, amount }: EntryRow): number => top - (running.get(id) ?? 0) + amount
      return { rows: page.rows.map((row) => ({ ...row, balance: balanceOf(row) })), more: page.more }
    },
    async count(filter, cap) {
      const row = await database.query
        .selectFrom(entries(filter).select('id').limit(cap).as('counted'))
        .select((eb) => eb.fn.countAll().as('rows'))
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },
  }
}
