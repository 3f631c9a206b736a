import pg from 'pg'
import { expect, it } from 'vitest'
import { describeEachAddress } from '../../../test/support/db/databases.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from './open.ts'

describeEachAddress('a schema of its own', (place, engine) => {
  it.skipIf(engine !== 'postgres')('is migrated while others come and go in the same database', async () => {
    const addresses = [await place(), await place(), await place(), await place()]
    let done = false
    const comeAndGo = async (index: number): Promise<void> => {
      const client = new pg.Client({ connectionString: addresses[0]?.url })
      await client.connect()
      for (let count = 0; !done; count += 1) {
        const name = `visitor_${process.pid}_${index}_${count}`
        await client.query(`create schema ${name}; create table ${name}.t (id bigserial primary key, n serial)`)
        await client.query(`drop schema ${name} cascade`)
      }
      await client.end()
    }
    const others = [0, 1, 2].map(comeAndGo)
    const failures: unknown[] = []
    for (const address of addresses) {
      const database = await openDatabase(address)
      await migrate(database).catch((error: unknown) => failures.push(error))
      await database.close()
    }
    done = true
    await Promise.all(others)
    expect(failures).toEqual([])
  })
})
