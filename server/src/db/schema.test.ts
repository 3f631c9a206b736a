import { type Insertable, sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { fullRows } from '../../test/support/db/full-rows/full-rows.ts'
import { most } from '../../test/support/db/full-rows/values.ts'
import { testLog, testUser } from '../../test/support/db/rows.ts'
import { insertReturningId } from './dialect.ts'
import type { Tables } from './schema.ts'

const withoutId: ReadonlySet<string> = new Set([
  'spend_windows',
  'options',
  'kept_answers',
  'stored_objects',
  'kept_files',
  'made_objects',
  'storage_refunds',
  'batch_inputs',
  'task_calls',
  'usage_sinks',
  'sessions',
  'site_keys',
  'challenges',
  'second_factors',
  'enforced_domains',
  'guess_waits',
  'cluster_jobs',
  'signs_of_life',
  'log_gaps',
  'limit_counts',
  'limit_notices',
  'limit_paces',
])

describeEachEngine('the schema', (open) => {
  it('gives back every column of every table as it was written', async () => {
    const { query } = await open()
    for (const table of Object.keys(fullRows) as (keyof Tables)[]) {
      const row = fullRows[table] as Insertable<Tables[keyof Tables]>
      await query.insertInto(table).values(row).execute()
      const stored = await query.selectFrom(table).selectAll().execute()
      expect(stored, table).toEqual([withoutId.has(table) ? row : { id: 1, ...row }])
    }
  })

  it('counts 64 bits and sums them exactly, or fails', async () => {
    const { query } = await open()
    const id = await insertReturningId(query, 'users', { ...testUser('rich'), quota: most - 10 })
    const sum = () =>
      query
        .selectFrom('users')
        .select(({ fn }) => fn.sum<number>('quota').as('quota'))
        .executeTakeFirstOrThrow()
    await insertReturningId(query, 'users', { ...testUser('poor'), quota: 10 })
    expect(await sum()).toEqual({ quota: most })
    await insertReturningId(query, 'users', { ...testUser('last straw'), quota: 1 })
    await expect(sum()).rejects.toThrow()
    await sql`update users set quota = 9007199254740993 where id = ${id}`.execute(query)
    await expect(query.selectFrom('users').select('quota').where('id', '=', id).execute()).rejects.toThrow()
  })

  it('refuses to store a number that is not exact', async () => {
    const database = await open()
    const tooMuch = { ...testLog('r'), quota: most + 1 }
    await expect(database.insertMany('logs', [tooMuch])).rejects.toThrow(RangeError)
    await expect(insertReturningId(database.query, 'logs', { ...tooMuch, quota: Number.NaN })).rejects.toThrow(
      RangeError,
    )
  })

  it('never gives the number of a deleted row again', async () => {
    const { query } = await open()
    const id = await insertReturningId(query, 'users', testUser('first'))
    await query.deleteFrom('users').where('id', '=', id).execute()
    expect(await insertReturningId(query, 'users', testUser('second'))).toBe(id + 1)
  })

  it('compares texts by their bytes', async () => {
    const { query } = await open()
    await query
      .insertInto('options')
      .values([
        { key: 'a', value: '' },
        { key: 'A', value: '' },
        { key: 'á', value: '' },
      ])
      .execute()
    expect(await query.selectFrom('options').select('key').where('key', '=', 'A').execute()).toEqual([{ key: 'A' }])
  })

  it('lets many users have no invitation code and no access token', async () => {
    const { query } = await open()
    await insertReturningId(query, 'users', testUser('one'))
    await expect(insertReturningId(query, 'users', testUser('two'))).resolves.toBe(2)
  })
})
