import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { testLog, testUser } from '../../test/support/db/rows.ts'
import { containsText, engineOf, insertReturningId, isUniqueViolation, upsert, valuesAlongIndex } from './dialect.ts'
import type { Tables } from './schema.ts'

/** Rows that MySQL has read for this connection; the other engines do not count them. */
const rowsRead = async (on: Kysely<Tables>): Promise<number> => {
  if (engineOf(on) !== 'mysql') return 0
  const { rows } = await sql<{ Value: string }>`show session status like 'Handler_read%'`.execute(on)
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
}

describeEachEngine('the dialect', (open) => {
  it('knows its engine from a query and from a transaction', async () => {
    const database = await open()
    expect(engineOf(database.query)).toBe(database.engine)
    expect(await database.transaction(async (trx) => engineOf(trx))).toBe(database.engine)
  })

  it('returns the number of an inserted row, in and out of a transaction', async () => {
    const database = await open()
    expect(await insertReturningId(database.query, 'users', testUser('one'))).toBe(1)
    expect(await database.transaction((trx) => insertReturningId(trx, 'users', testUser('two')))).toBe(2)
  })

  it('reads the different values of a column along its index, not row by row', async () => {
    const database = await open()
    const names = ['a', 'b', 'c']
    const rows = Array.from({ length: 3000 }, (_, index) => ({
      ...testLog(`request-${index}`),
      model_name: names[index % names.length] ?? '',
    }))
    await database.insertMany('logs', rows)
    // Which way it takes depends on what it knows of the table, as it soon does of one that grows.
    if (database.engine === 'mysql') await sql`analyze table logs`.execute(database.query)
    const { values, steps } = await database.transaction(async (trx) => {
      const before = await rowsRead(trx)
      const found = await valuesAlongIndex(trx, 'logs', 'model_name')
      return { values: found, steps: (await rowsRead(trx)) - before }
    })
    expect(values).toEqual(names)
    expect(steps).toBeLessThan(1000)
  })

  it('leaves columns that were not given to their defaults', async () => {
    const { query } = await open()
    await insertReturningId(query, 'users', { ...testUser('new'), quota: undefined })
    expect(await query.selectFrom('users').select('quota').execute()).toEqual([{ quota: 0 }])
  })

  it('tells unique key violations from other failures', async () => {
    const { query } = await open()
    await insertReturningId(query, 'users', testUser('taken'))
    const again = await insertReturningId(query, 'users', testUser('taken')).catch((error: unknown) => error)
    expect(isUniqueViolation(again)).toBe(true)
    const option = { key: 'k', value: '' }
    await query.insertInto('options').values(option).execute()
    const primary = await query
      .insertInto('options')
      .values(option)
      .execute()
      .catch((error: unknown) => error)
    expect(isUniqueViolation(primary)).toBe(true)
    const other = await query
      .selectFrom('users')
      .select('nowhere' as 'id')
      .execute()
      .catch((error: unknown) => error)
    expect(other).toBeInstanceOf(Error)
    expect(isUniqueViolation(other)).toBe(false)
  })

  it('replaces and adds where the key exists', async () => {
    const { query } = await open()
    const hour = { user_id: 1, username: 'u', model_name: 'm', created_at: 3600, token_used: 10, count: 1, quota: 5 }
    const other = { ...hour, model_name: 'other' }
    const how = {
      key: ['user_id', 'model_name', 'created_at'],
      set: ['username'],
      add: ['token_used', 'count', 'quota'],
    } as const
    await upsert(query, 'quota_data', [hour], how)
    await upsert(query, 'quota_data', [{ ...hour, username: 'renamed' }, other], how)
    expect(await query.selectFrom('quota_data').selectAll().orderBy('model_name').execute()).toEqual([
      { ...hour, id: expect.any(Number), username: 'renamed', token_used: 20, count: 2, quota: 10 },
      { ...other, id: expect.any(Number) },
    ])
  })

  it('finds a term in texts whatever the case, and takes signs for themselves', async () => {
    const { query } = await open()
    const names = ['alice', 'ALICE', '50%', '500', 'a_b', 'acb', 'back\\slash', 'wow!', "it's", '测试']
    await query
      .insertInto('options')
      .values(names.map((key) => ({ key, value: '' })))
      .execute()
    const found = async (term: string): Promise<string[]> => {
      const rows = await query.selectFrom('options').select('key').where(containsText('key', term)).execute()
      return rows.map(({ key }) => key).sort()
    }
    expect(await found('ALi')).toEqual(['ALICE', 'alice'])
    expect(await found('%')).toEqual(['50%'])
    expect(await found('_')).toEqual(['a_b'])
    expect(await found('\\')).toEqual(['back\\slash'])
    expect(await found('!')).toEqual(['wow!'])
    expect(await found("'")).toEqual(["it's"])
    expect(await found('测')).toEqual(['测试'])
    expect(await found('')).toHaveLength(names.length)
  })
})
