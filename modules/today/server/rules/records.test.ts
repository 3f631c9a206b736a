import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { now, openTodaySite, type TodaySite } from '../../tests/today-site.ts'

describeEachEngine('cards about records, notices and prices', (open) => {
  let database: Database
  let site: TodaySite

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    site = await openTodaySite(database)
  })

  it('tells of provisional charges, notices under way and proposed prices', async () => {
    await site.database.query
      .insertInto('declared_usage')
      .values({
        kind_key: 'usage a b',
        kind: 'usage',
        place: 'a',
        name: 'b',
        first_time: now - 50,
        last_time: now,
        calls: 9,
        quota: 33,
        model_name: 'm',
        channel_id: 7,
        request_id: 'r',
        declaration: '',
        declared_by: '',
      })
      .execute()
    await site.database.query
      .insertInto('notice_deliveries')
      .values({
        user_id: 1,
        kind: 'x',
        way: 'email',
        body: '{}',
        attempts: 2,
        created_time: now - 70,
        next_time: now,
        last_error: 'refused',
      })
      .execute()
    const version = { created_at: now, kind: 'sync', source: 'list', status: 'proposed', actor_name: '' }
    await site.database.query
      .insertInto('price_versions')
      .values({ id: 4, ...version })
      .execute()
    const change = { version_id: 4, provider: 'p', model: 'm', before: '', after: '', doubts: '' }
    await site.database.query
      .insertInto('price_changes')
      .values({ ...change, decision: '' })
      .execute()
    expect((await site.cardsOf(site.root)).map(({ rule, count, amount }) => [rule, count, amount])).toEqual([
      ['provisional', 9, 33],
      ['notices_waiting', 1, 0],
      ['prices_proposed', 1, 0],
    ])
    expect(await site.rulesOf(site.support)).toEqual([])
  })
})
