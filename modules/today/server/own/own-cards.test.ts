import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { day, midnight, openTodaySite, type TodaySite } from '../../tests/today-site.ts'

describeEachEngine('cards of a user', (open) => {
  let database: Database
  let site: TodaySite

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    site = await openTodaySite(database)
  })

  it('tells a user whose balance does not last three days at the pace of the week', async () => {
    await site.user(2, 'ben', 100)
    await site.userDay(midnight - day, { quota: 700 })
    expect(await site.cardsOf(site.ben, '/api/today/self')).toMatchObject([
      { rule: 'own_balance_low', amount: 100, value: 1 },
    ])
    await site.database.query.deleteFrom('users').execute()
    await site.user(2, 'ben', 301)
    expect(await site.rulesOf(site.ben, '/api/today/self')).toEqual([])
  })
})
