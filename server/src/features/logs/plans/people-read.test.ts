import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { type RecordedStatements, recordStatements } from '../../../../test/support/db/rows-read.ts'
import { now, openTestLogs, type TestLogs } from '../../../../test/support/features/logs.ts'
import type { Database } from '../../../db/database.ts'

const day = 86_400
const today = now - (now % day)
/** A group in which a hundred people call each day, and a rare one, among as many rows of others. */
const days = 200
const people = 100
const mostPeople = 2_000

describeEachEngine('who called in a group', (open) => {
  let database: Database
  let statements: RecordedStatements
  let logs: TestLogs

  beforeAll(async () => {
    database = await open()
    statements = recordStatements(database, days * people * 2)
    logs = await openTestLogs(statements.database, { mostPeople })
    // The sums begin where the first hour does.
    await logs.charge(
      { created_at: today - days * day, user_id: 7, group: 'rare' },
      { created_at: now, user_id: 9, group: 'rare' },
    )
    const row = (at: number, user: number, group: string) => ({
      created_at: at,
      dimensions_hash: `${group} ${user}`,
      user_id: user,
      token_id: user,
      token_name: `key ${user}`,
      channel_id: 1,
      group,
      model_name: 'gpt-4o',
      count: 2,
      quota: 1,
      prompt_tokens: 1,
      completion_tokens: 1,
      failures: 1,
    })
    for (let ago = 1; ago < days; ago += 1) {
      const rows = Array.from({ length: people }, (_, index) => [
        row(today - ago * day, 100 + index, 'frequent'),
        row(today - ago * day, 500 + index, 'other'),
      ])
      await database.insertMany('usage_days', rows.flat())
    }
    const analyse = {
      sqlite: 'select 1',
      postgres: 'vacuum analyze usage_days',
      mysql: 'analyze table usage_days',
    }[database.engine]
    await sql.raw(analyse).execute(database.query)
  }, 240_000)

  const ask = async (query: Record<string, string>) => {
    statements.forget()
    const { json } = await logs.admin('GET', `/api/log/facets?${new URLSearchParams({ facet: 'username', ...query })}`)
    const counts = json.data as { values: { value: string; count: number }[]; capped: boolean }
    const read = (await statements.read('usage_days')).reduce((sum, one) => sum + one.read, 0)
    return { ...counts, read }
  }

  it('reads the newest sums of a group with very many, and says that there are more', async () => {
    const { values, capped, read } = await ask({ group: 'frequent' })
    expect(capped).toBe(true)
    expect(values).toHaveLength(people)
    // Twenty days: of the day at which the bound falls nothing is counted.
    for (const { count } of values) expect(count).toBe((mostPeople / people) * 3)
    // The index up to the bound, and the rows of these days.
    expect(read).toBeLessThan(mostPeople * 2 + people * 2)
  })

  it('reads all of a group with few', async () => {
    const { values, capped, read } = await ask({ group: 'rare' })
    expect(values.map(({ value }) => value).toSorted()).toEqual(['user 7', 'user 9'])
    expect(capped).toBe(false)
    expect(read).toBeLessThan(10)
  })

  it('counts a part of the time that holds no more in full', async () => {
    const { values, capped } = await ask({
      group: 'frequent',
      start_timestamp: String(today - 10 * day),
      end_timestamp: String(today - 5 * day - 1),
    })
    expect(capped).toBe(false)
    for (const { count } of values) expect(count).toBe(5 * 3)
  })
})
