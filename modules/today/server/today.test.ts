import type { SiteToday } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { recordStatements } from '#server-test/support/db/rows-read.ts'
import { day, midnight, now, openTodaySite, type TodaySite } from '../tests/today-site.ts'

/** Counted for a table that SQLite walks through from end to end. */
const manyRows = 1_000_000

describeEachEngine('the start page', (open) => {
  let database: Database
  let site: TodaySite

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    site = await openTodaySite(database)
  })

  it('sums yesterday, the day before, and today in the zone of the reader', async () => {
    await site.siteDay(midnight - day, { failures: 1, cost: 4, costed_count: 4, costed_quota: 10 })
    await site.siteDay(midnight - 2 * day, { quota: 30 })
    const found = await site.read(site.root)
    expect(found.yesterday).toEqual({
      from: midnight - day,
      to: midnight,
      quota: 10,
      answered: 4,
      failures: 1,
      cost: 4,
      costed: 4,
      costed_quota: 10,
    })
    expect(found.before.quota).toBe(30)
    expect(found.today).toMatchObject({ from: midnight, quota: 0 })
    const { json } = await site.root('GET', '/api/today?zone=Asia/Shanghai')
    expect((json.data as SiteToday).yesterday).toMatchObject({
      from: midnight - day - 8 * 3600,
      to: midnight - 8 * 3600,
    })
  })

  it('has no card where nothing needs a decision', async () => {
    expect(await site.read(site.root)).toMatchObject({ cards: [], more: 0 })
  })

  it('reads indexes alone, and no log', async () => {
    await site.user(2, 'ben', 12)
    await site.refusal(now - 3600 - (now % 3600), 2)
    await site.userDay(midnight, { model_name: 'gpt-4' })
    await site.siteDay(midnight, { model_name: 'gpt-4' })
    const statements = recordStatements(site.database, manyRows)
    site.state.parts = {
      database: statements.database,
      modelEnd: (model) => ({ model, day: '2026-10-23', replacedBy: '' }),
    }
    for (const zone of ['UTC', 'Asia/Kolkata']) {
      site.state.clock += 60_000
      await site.root('GET', `/api/today?zone=${zone}`)
      await site.ben('GET', `/api/today/self?zone=${zone}`)
    }
    expect(await statements.read('logs')).toEqual([])
    const large = ['usage_hours', 'usage_days', 'usage_site_days', 'failure_hours', 'tokens', 'users'] as const
    for (const table of large) {
      const found = await statements.read(table)
      expect(found.length, table).toBeGreaterThan(0)
      for (const { text, read } of found) expect(read, text).toBeLessThan(manyRows)
    }
  })
})
