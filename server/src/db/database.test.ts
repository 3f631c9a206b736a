import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from './test-databases.ts'

describeEachEngine('a database', (open) => {
  it('answers', async () => {
    const database = await open()
    await database.ping()
    expect(await database.query.selectFrom('users').selectAll().execute()).toEqual([])
    expect((await sql<{ one: number }>`select 1 as one`.execute(database.query)).rows).toEqual([{ one: 1 }])
  })
})
