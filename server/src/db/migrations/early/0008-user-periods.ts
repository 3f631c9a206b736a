import { type Kysely, sql } from 'kysely'
import { createTable } from '../../tables.ts'

const period = 28 * 86_400

/** Use of users and keys in 28 days, summed from the existing days. */
export const userPeriods = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'usage_user_periods', {
      columns: {
        id: 'id',
        created_at: 'whole',
        user_id: 'whole',
        token_id: 'whole',
        token_name: 'key',
        count: 'whole',
        quota: 'whole',
        prompt_tokens: 'whole',
        completion_tokens: 'whole',
        failures: 'whole',
      },
      unique: [['created_at', 'user_id', 'token_id', 'token_name']],
    })
    // A server without transactional DDL may have stopped in the middle.
    await sql`delete from usage_user_periods`.execute(on)
    const count = sql.ref('count')
    const start = sql`created_at - created_at % ${sql.lit(period)}`
    await sql`
      insert into usage_user_periods
        (created_at, user_id, token_id, token_name, ${count}, quota, prompt_tokens, completion_tokens, failures)
      select ${start}, user_id, token_id, token_name, sum(${count}), sum(quota), sum(prompt_tokens),
        sum(completion_tokens), sum(failures)
      from usage_days group by ${start}, user_id, token_id, token_name`.execute(on)
  },
}
