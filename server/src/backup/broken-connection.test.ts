import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachAddress } from '../../test/support/db/databases.ts'
import { fillFromTemplate } from '../../test/support/db/fill-from-template.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/engines/open.ts'
import { openSnapshot } from './write-backup.ts'

/** Ends all other connections to this database, as an operator or a restart does. */
const endOthers = async ({ engine, query }: Database): Promise<void> => {
  if (engine === 'postgres') {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(query)
    return
  }
  const others = sql<{ id: number }>`select id from information_schema.processlist
    where db = database() and id <> connection_id()`
  for (const { id } of (await others.execute(query)).rows) await sql`kill ${sql.lit(id)}`.execute(query)
}

const firstOf = async <T>(all: AsyncIterable<T>): Promise<T | undefined> => {
  for await (const one of all) return one
  return undefined
}

describeEachAddress('a snapshot', (place, engine) => {
  it.skipIf(engine === 'sqlite')('fails where its connection breaks, and ends nothing else', async () => {
    const address = await place()
    await fillFromTemplate(address)
    const database = await openDatabase({ ...address, pool: 1 })
    const snapshot = await openSnapshot(address)
    const [table] = snapshot.tables
    if (table === undefined) throw new Error('no table')
    await endOthers(database)
    await expect(firstOf(snapshot.rows(table))).rejects.toThrow()
    await expect(snapshot.close()).rejects.toThrow()
    await database.close()
  })
})
