import { type Kysely, sql } from 'kysely'
import { createTable } from '../tables.ts'

/**
 * Times whose charges have no rows in the logs because the operator switched them off. Where that is so today, nothing says
 * since when: all the time until now counts.
 */
export const logGaps = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'log_gaps', {
      columns: { from_time: 'whole', until_time: 'whole' },
      primaryKey: 'from_time',
    })
    const { rows } = await sql<{ value: string }>`
      select ${sql.ref('value')} as value from options where ${sql.ref('key')} = 'LogConsumeEnabled'`.execute(on)
    if (rows[0]?.value !== 'false') return
    const now = Math.floor(Date.now() / 1000)
    await sql`insert into log_gaps (from_time, until_time) values (0, ${now})`.execute(on)
  },
}
