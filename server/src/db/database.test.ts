import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { testLog, testUser } from '../../test/support/db/rows.ts'
import type { Database, Row } from './database.ts'
import { insertReturningId } from './dialect.ts'

const countLogs = async ({ query }: Pick<Database, 'query'>): Promise<number> => {
  const { total } = await query
    .selectFrom('logs')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

const logs = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, index) => testLog(`request-${from + index}`))

describeEachEngine('a database', (open) => {
  it('answers', async () => {
    await expect((await open()).ping()).resolves.toBeUndefined()
  })

  it('finds no row in an empty list, and every row outside of it', async () => {
    const { query, insertMany } = await open()
    await insertMany('logs', logs(2))
    const found = (operator: 'in' | 'not in') =>
      query.selectFrom('logs').select('request_id').where('request_id', operator, []).execute()
    expect(await found('in')).toEqual([])
    expect(await found('not in')).toHaveLength(2)
    await query.deleteFrom('logs').where('request_id', 'in', []).execute()
    expect(await found('not in')).toHaveLength(2)
  })

  it('undoes a transaction whose work fails', async () => {
    const database = await open()
    const failure = new Error('no')
    await expect(
      database.transaction(async (trx) => {
        await insertReturningId(trx, 'users', testUser('first'))
        await database.insertMany('logs', logs(3), { trx })
        throw failure
      }),
    ).rejects.toBe(failure)
    expect(await database.query.selectFrom('users').select('id').execute()).toEqual([])
    expect(await countLogs(database)).toBe(0)
  })

  it('lets concurrent transactions lose nothing', async () => {
    const database = await open()
    const id = await insertReturningId(database.query, 'users', testUser('counted'))
    await Promise.all(
      Array.from({ length: 20 }, () =>
        database.transaction(async (trx) => {
          await trx.updateTable('users').set({ role: 1 }).where('id', '=', id).execute()
          const { aff_count } = await trx.selectFrom('users').select('aff_count').executeTakeFirstOrThrow()
          await trx
            .updateTable('users')
            .set({ aff_count: aff_count + 1 })
            .where('id', '=', id)
            .execute()
        }),
      ),
    )
    const { aff_count } = await database.query.selectFrom('users').select('aff_count').executeTakeFirstOrThrow()
    expect(aff_count).toBe(20)
  })

  it('repeats a transaction that met a deadlock', async () => {
    const database = await open()
    const first = await insertReturningId(database.query, 'users', testUser('first'))
    const second = await insertReturningId(database.query, 'users', testUser('second'))
    let runs = 0
    let holding = 0
    const bothHold = Promise.withResolvers<void>()
    const lockBoth = (ids: readonly number[]): Promise<void> =>
      database.transaction(async (trx) => {
        runs += 1
        for (const id of ids) {
          await trx
            .updateTable('users')
            .set((row) => ({ aff_count: row('aff_count', '+', 1) }))
            .where('id', '=', id)
            .execute()
          // SQLite has one transaction at a time.
          if (database.engine === 'sqlite') continue
          holding += 1
          if (holding === 2) bothHold.resolve()
          await bothHold.promise
        }
      })
    await Promise.all([lockBoth([first, second]), lockBoth([second, first])])
    const counts = await database.query.selectFrom('users').select('aff_count').execute()
    expect(counts).toEqual([{ aff_count: 2 }, { aff_count: 2 }])
    expect(runs).toBe(database.engine === 'sqlite' ? 2 : 3)
  })

  it('shows what was written to the next question', async () => {
    const database = await open()
    for (let written = 1; written <= 50; written += 1) {
      if (written % 2 === 0) await database.insertMany('logs', logs(1, written))
      else await database.transaction((trx) => database.insertMany('logs', logs(1, written), { trx }))
      expect(await countLogs(database)).toBe(written)
    }
  })

  it('inserts thousands of rows and leaves out those that exist', async () => {
    const database = await open()
    await database.insertMany('logs', logs(2_500))
    await database.insertMany('logs', logs(5_000), { skipExisting: true })
    expect(await countLogs(database)).toBe(5_000)
    const row = await database.query
      .selectFrom('logs')
      .selectAll()
      .where('request_id', '=', 'request-4321')
      .executeTakeFirst()
    expect(row).toMatchObject(testLog('request-4321'))
  })

  it.each([1, 3, 37, 75])('inserts %i rows in their order, each once', async (count) => {
    const database = await open()
    const rows = logs(count)
    await database.insertMany('logs', rows)
    const found = await database.query.selectFrom('logs').select('request_id').orderBy('id').execute()
    expect(found).toEqual(rows.map(({ request_id }) => ({ request_id })))
  })

  it('inserts all rows or none', async () => {
    const database = await open()
    await expect(database.insertMany('logs', [...logs(1_200), ...logs(1)])).rejects.toThrow()
    expect(await countLogs(database)).toBe(0)
    await database.insertMany('logs', [])
    expect(await countLogs(database)).toBe(0)
  })

  it('cuts texts of the log that callers made too long, and takes out what cannot be stored', async () => {
    const database = await open()
    await database.insertMany('logs', [{ ...testLog('long'), model_name: 'm'.repeat(9_000), content: 'a\0b' }])
    const { model_name, content } = await database.query.selectFrom('logs').selectAll().executeTakeFirstOrThrow()
    expect(model_name).toBe('m'.repeat(255))
    expect(content).toBe('ab')
  })

  it('sees a column that was added while it runs', async () => {
    const { query } = await open()
    await query.insertInto('options').values({ key: 'a', value: 'b' }).execute()
    const read = () => query.selectFrom('options').selectAll().execute()
    await Promise.all([read(), read(), read()])
    await sql`alter table options add column more bigint default 7`.execute(query)
    expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill([{ key: 'a', value: 'b', more: 7 }]))
  })
})
