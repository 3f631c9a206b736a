import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { day, now, openTodaySite, type TodaySite, usage } from '../../tests/today-site.ts'

describeEachEngine('cards about users and keys', (open) => {
  let database: Database
  let site: TodaySite

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    site = await openTodaySite(database)
  })

  it('names users that were refused for lack of balance, until a later call is answered', async () => {
    await site.user(2, 'ben', 12)
    const hour = now - (now % 3600)
    await site.refusal(hour - 3600, 2)
    expect(await site.cardsOf(site.root)).toMatchObject([{ id: 'user_refused:2', name: 'ben', count: 3, amount: 12 }])
    expect(await site.rulesOf(site.ben, '/api/today/self')).toEqual(['own_refused'])
    await site.database.query
      .insertInto('usage_hours')
      .values({
        ...usage,
        created_at: hour,
        dimensions_hash: 'x',
        user_id: 2,
        token_id: 5,
        token_name: '',
        channel_id: 7,
        group: 'default',
        model_name: 'gpt-4o',
      })
      .execute()
    expect(await site.rulesOf(site.root)).toEqual([])
  })

  it('tells of keys in use that end soon and keys that are nearly spent', async () => {
    await site.user(2, 'ben', 5000)
    await site.key(5, { expired_time: now + day })
    await site.key(6, { expired_time: now + day, accessed_time: now - 60 * day })
    await site.key(7, { unlimited_quota: 0, remain_quota: 5, used_quota: 95, name: 'ci' })
    expect(await site.cardsOf(site.root)).toMatchObject([
      { id: 'key_expiring', names: ['laptop (ben)'], count: 1, at: now + day, severity: 'note' },
    ])
    expect(await site.cardsOf(site.ben, '/api/today/self')).toMatchObject([
      { id: 'own_key_spent:7', name: 'ci', amount: 5, total: 100, severity: 'warn' },
      { id: 'own_key_expiring:5', name: 'laptop', at: now + day },
    ])
  })
})
