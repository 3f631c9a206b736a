import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { testLog } from '../../../test/support/db/rows.ts'
import type { Tables } from '../schema.ts'
import { openDatabase } from './open.ts'

const connectionOf = async (on: Kysely<Tables>, engine: string): Promise<number> => {
  const ask =
    engine === 'postgres'
      ? sql<{ id: number }>`select pg_backend_pid() as id`
      : sql<{ id: number }>`select connection_id() as id`
  return (await ask.execute(on)).rows[0]?.id ?? 0
}

describeEachEngine('a database behind a connection', (open) => {
  it('lives on when a connection is lost in a transaction', async ({ skip }) => {
    const { query, transaction, engine, ping } = await open()
    if (engine === 'sqlite') skip('SQLite has no connections to lose')
    const failed = transaction(async (trx) => {
      const id = await connectionOf(trx, engine)
      await (engine === 'postgres' ? sql`select pg_terminate_backend(${id})` : sql`kill ${sql.lit(id)}`).execute(query)
      // The end of the connection must arrive while nothing is asked.
      await new Promise((resolve) => setTimeout(resolve, 50))
      await trx.deleteFrom('logs').execute()
    })
    await expect(failed).rejects.toThrow()
    for (let times = 0; times < 10; times += 1) await ping()
  })

  it('writes rows that are too long for one packet in several', async () => {
    const { insertMany, query } = await open()
    const rows = Array.from({ length: 12 }, (_, index) => ({ ...testLog(`r${index}`), other: '文'.repeat(400_000) }))
    await insertMany('logs', rows)
    const stored = await query.selectFrom('logs').select(sql<number>`length(other)`.as('length')).execute()
    expect(stored).toHaveLength(12)
  })
})

it.each([
  ['postgres', 'postgres://someone:hunter2@127.0.0.1:1/name'],
  ['mysql', 'mysql://someone:hunter2@127.0.0.1:1/name'],
] as const)('says which %s server does not answer, without the password', async (engine, url) => {
  const failure: unknown = await openDatabase({ engine, url }).catch((error: unknown) => error)
  expect(String(failure)).toContain(`Cannot open the ${engine} database 127.0.0.1:1/name: `)
  expect(String(failure)).toContain('ECONNREFUSED')
  expect(String(failure)).not.toContain('hunter2')
})
