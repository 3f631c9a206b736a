import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachAddress } from '../../test/support/db/databases.ts'
import { fillFromTemplate } from '../../test/support/db/fill-from-template.ts'
import type { Database, DatabaseAddress } from '../db/database.ts'
import { openDatabase } from '../db/engines/open.ts'
import { openSnapshot } from './write-backup.ts'

const application = 'snapshot that breaks'

/** The address with a name by which PostgreSQL lists its connections: other tests have theirs in the same database. */
const named = ({ engine, url }: DatabaseAddress): DatabaseAddress => {
  if (engine !== 'postgres') return { engine, url }
  const address = new URL(url)
  address.searchParams.set('application_name', application)
  return { engine, url: address.href }
}

/** Ends the connections of the snapshot, as an operator or a restart does. */
const endOthers = async ({ engine, query }: Database): Promise<void> => {
  if (engine === 'postgres') {
    const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${application} and pid <> pg_backend_pid()`.execute(query)
    expect(ended.rows).toHaveLength(1)
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
    const snapshot = await openSnapshot(named(address))
    const [table] = snapshot.tables
    if (table === undefined) throw new Error('no table')
    await endOthers(database)
    await expect(firstOf(snapshot.rows(table))).rejects.toThrow()
    await expect(snapshot.close()).rejects.toThrow()
    await database.close()
  })
})
