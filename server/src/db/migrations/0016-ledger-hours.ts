import { type Kysely, sql } from 'kysely'
import { createTable } from '../tables.ts'

const hour = 3_600

/**
 * Sums of the movements that are no charges, by account, reason and hour, so that a statement finds them without reading
 * charges. Charges from before the usage sums began are summed here as well, under their own reason.
 */
export const ledgerHours = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'ledger_hours', {
      columns: {
        id: 'id',
        account: 'key',
        account_id: 'whole',
        created_at: 'whole',
        reason: 'key',
        count: 'whole',
        amount: 'whole',
      },
      unique: [['account', 'account_id', 'created_at', 'reason']],
      indexes: [['created_at']],
    })
    // A server without transactional DDL may have stopped in the middle.
    await sql`delete from ledger_hours`.execute(on)
    const { rows } = await sql<{ begins: number | string | null }>`
      select min(created_at) as begins from usage_hours`.execute(on)
    const begins = Number(rows[0]?.begins ?? Number.MAX_SAFE_INTEGER)
    await sumMovements(on, begins)
    if (begins < Number.MAX_SAFE_INTEGER) await sumFirstHour(on, begins)
  },
}

const count = sql.ref('count')

const sumMovements = async (on: Kysely<unknown>, usageBegins: number): Promise<void> => {
  const start = sql`created_at - created_at % ${sql.lit(hour)}`
  await sql`
    insert into ledger_hours (account, account_id, created_at, reason, ${count}, amount)
    select account, account_id, ${start}, reason, count(*), sum(amount) from ledger_entries
    where account in ('user', 'aff') and (reason <> 'charge' or created_at < ${sql.lit(usageBegins)})
    group by account, account_id, ${start}, reason`.execute(on)
}

/** The usage sums may have begun in the middle of an hour. */
const sumFirstHour = async (on: Kysely<unknown>, begins: number): Promise<void> => {
  const [from, to] = [sql.lit(begins), sql.lit(begins + hour)]
  await sql`
    insert into ledger_hours (account, account_id, created_at, reason, ${count}, amount)
    select 'user', l.account_id, ${from}, 'charge', l.entries - coalesce(u.entries, 0), l.amount + coalesce(u.quota, 0)
    from (
      select account_id, count(*) as entries, sum(amount) as amount from ledger_entries
      where account = 'user' and reason = 'charge' and created_at >= ${from} and created_at < ${to} group by account_id
    ) l left join (
      select user_id, sum(${count}) as entries, sum(quota) as quota from usage_hours
      where created_at = ${from} group by user_id
    ) u on u.user_id = l.account_id
    where l.amount + coalesce(u.quota, 0) <> 0`.execute(on)
}
