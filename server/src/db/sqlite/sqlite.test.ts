import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'
import { testLog } from '../../../test/support/db/rows.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../engines/open.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../schema.ts'

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const newPath = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-'))
  cleanUps.push(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'test.db')
}

const open = async (url: string): Promise<Database> => {
  const database = await openDatabase({ engine: 'sqlite', url })
  cleanUps.push(() => database.close())
  await migrate(database)
  return database
}

/** Takes as long as hundreds of writes. */
const slowly = (on: Kysely<Tables>): Promise<unknown> =>
  sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select count(*) from n`.execute(
    on,
  )

it.each([
  [true, 2],
  [false, 1],
])('answers a commit when the disk has it, or the kernel (durable: %s)', async (durable, level) => {
  const database = await openDatabase({ engine: 'sqlite', url: await newPath(), durable })
  cleanUps.push(() => database.close())
  const { rows } = await database.transaction((trx) => sql<{ synchronous: number }>`pragma synchronous`.execute(trx))
  expect(rows).toEqual([{ synchronous: level }])
})

it('keeps the event loop and the writer free during a slow query', async () => {
  const database = await open(await newPath())
  await database.insertMany('logs', [testLog('warm')])
  let isOver = false
  const slow = slowly(database.query).then(() => {
    isOver = true
  })
  for (let written = 0; written < 5; written += 1) {
    await database.insertMany('logs', [testLog(`during-${written}`)])
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).toBe(false)
  }
  await slow
})

it('keeps reading during a transaction, without what is not committed', async () => {
  const { query, transaction } = await open(await newPath())
  await transaction(async (trx) => {
    await trx.insertInto('options').values({ key: 'a', value: '1' }).execute()
    expect(await query.selectFrom('options').selectAll().execute()).toEqual([])
    expect(await trx.selectFrom('options').selectAll().execute()).toHaveLength(1)
  })
  expect(await query.selectFrom('options').selectAll().execute()).toHaveLength(1)
})

it('keeps single writes out of the transactions of others', async () => {
  const { query, transaction } = await open(await newPath())
  const write = (key: string) => query.insertInto('options').values({ key, value: '' }).execute()
  let outside: Promise<unknown> = Promise.resolve()
  const failing = transaction(async (trx) => {
    outside = write('outside')
    await trx.insertInto('options').values({ key: 'inside', value: '' }).execute()
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await outside
  expect(await query.selectFrom('options').select('key').execute()).toEqual([{ key: 'outside' }])
})

it('writes with raw common table expressions too, and returns their rows', async () => {
  const { query } = await open(await newPath())
  const insert = sql`with given(k) as (select 'a') insert into options select k, 'v' from given returning key`
  expect((await insert.execute(query)).rows).toEqual([{ key: 'a' }])
  const changed = await query.updateTable('options').set({ value: 'w' }).executeTakeFirst()
  expect(changed.numUpdatedRows).toBe(1n)
})

it('divides whole numbers as the servers do', async () => {
  const { query } = await open(await newPath())
  const { rows } = await sql`select ${7} / ${2} as whole, ${7.5} / ${2} as decimal`.execute(query)
  expect(rows).toEqual([{ whole: 3, decimal: 3.75 }])
})

it('waits for another process that writes', async () => {
  const path = await newPath()
  const [one, other] = [await open(path), await open(path)]
  const write = (database: Database, from: number) =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        database.transaction((trx) => database.insertMany('logs', [testLog(`r${from + index}`)], { trx })),
      ),
    )
  await Promise.all([write(one, 0), write(other, 100)])
  expect(await other.query.selectFrom('logs').select('id').execute()).toHaveLength(40)
})

it('works in memory, where everything shares the writer', async () => {
  const { query, transaction, insertMany } = await open(':memory:')
  await transaction((trx) => insertMany('logs', [testLog('r')], { trx }))
  expect(await query.selectFrom('logs').select('request_id').execute()).toEqual([{ request_id: 'r' }])
})

it('says which file cannot be opened', async () => {
  const folder = join(await newPath(), '..')
  await expect(openDatabase({ engine: 'sqlite', url: folder })).rejects.toThrow(`Cannot open the SQLite file ${folder}`)
})

it('closes without ever having been asked', async () => {
  const database = await openDatabase({ engine: 'sqlite', url: await newPath() })
  await database.close()
  await expect(database.ping()).rejects.toThrow()
  await vi.waitFor(() => expect(process.getActiveResourcesInfo()).not.toContain('MessagePort'))
})

it.each([
  [['user_id'], 'logs_user_id_created_at_id'],
  [['user_id', 'type'], 'logs_user_id_type_created_at_id'],
  [['type', 'model_name'], 'logs_model_name_created_at_id'],
  [['type'], 'logs_type_created_at_id'],
  [[], 'logs_created_at_id'],
] as const)('reads a page of logs by %j through %s, in order', async (filters, index) => {
  const { query } = await open(await newPath())
  const filtered = filters.reduce(
    (page, column) => page.where(column, '=', 2 as never),
    query.selectFrom('logs').selectAll().where('created_at', '>', 5),
  )
  const { sql: text, parameters } = filtered.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(10).compile()
  const plan = await query.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
  )
  expect(plan.rows.map(({ detail }) => detail)).toEqual([expect.stringContaining(`INDEX ${index} `)])
})

it('writes nothing more in a transaction that a failed insert has undone', async () => {
  const database = await open(await newPath())
  const ofOne = (name: string) => database.query.selectFrom('options').where('key', '=', name).selectAll().execute()
  const work = database.transaction(async (trx) => {
    await trx.insertInto('options').values({ key: 'before', value: '1' }).execute()
    await database.insertMany('logs', [testLog('same'), testLog('same')], { trx }).catch(() => undefined)
    await trx.insertInto('options').values({ key: 'after', value: '1' }).execute()
  })
  await expect(work).rejects.toThrow('undone')
  expect(await Promise.all([ofOne('before'), ofOne('after')])).toEqual([[], []])
  await database.transaction((trx) => database.insertMany('logs', [testLog('same')], { trx }))
  expect(await database.query.selectFrom('logs').select('request_id').execute()).toHaveLength(1)
})
