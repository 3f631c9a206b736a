import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { day, midnight, openTodaySite, type TodaySite } from '../../tests/today-site.ts'

describeEachEngine('cards about models', (open) => {
  let database: Database
  let site: TodaySite

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    site = await openTodaySite(database)
  })

  it('names models that are past their end, with their callers', async () => {
    await site.user(2, 'ben', 5000)
    await site.siteDay(midnight, { model_name: 'gpt-4', failures: 2 })
    await site.siteDay(midnight - 3 * day, { model_name: 'gpt-3' })
    await site.userDay(midnight, { model_name: 'gpt-4' })
    site.state.parts = { modelEnd: (model) => ({ model, day: '2026-10-23', replacedBy: 'gpt-5' }) }
    expect(await site.cardsOf(site.root)).toMatchObject([
      {
        id: 'model_ended:gpt-4',
        names: ['ben'],
        count: 6,
        at: Date.parse('2026-10-23T00:00:00Z') / 1000,
        detail: 'gpt-5',
      },
    ])
    expect(await site.rulesOf(site.ben, '/api/today/self')).toEqual(['own_model_ended'])
  })

  it('names models that a group pays less for than they cost', async () => {
    await site.siteDay(midnight - day, { group: 'vip', model_name: 'o3', costed_quota: 80, costed_count: 2, cost: 100 })
    await site.siteDay(midnight - day, { model_name: 'o3', costed_quota: 100, costed_count: 2, cost: 80 })
    expect(await site.cardsOf(site.root)).toMatchObject([
      { id: 'below_cost:vip:o3', name: 'o3', detail: 'vip', amount: 20, count: 2, value: 0.8 },
    ])
  })
})
