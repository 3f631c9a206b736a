import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import type { SignedIn } from '#server-test/support/features/signed-in.ts'
import { day, midnight, now, openTodaySite, type TodaySite } from '../tests/today-site.ts'
import { openSnoozes } from './snoozes.ts'

describeEachEngine('snoozed cards', (open) => {
  let database: Database
  let site: TodaySite

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    site = await openTodaySite(database)
  })

  it('hides a card from the reader who snoozed it until its end, and no one else', async () => {
    await site.user(2, 'ben', 12)
    await site.refusal(now - (now % 3600) - 3600, 2)
    const snooze = (span: string) =>
      site.root('PUT', '/api/today/snooze', { card: 'user_refused:2', span, zone: 'UTC' })
    const until = async (caller: SignedIn) => (await site.cardsOf(caller)).map(({ snoozed_until: end }) => end)
    expect((await snooze('tomorrow')).json.data).toEqual({ until: midnight + day })
    expect([await until(site.root), await until(site.support)]).toEqual([[midnight + day], [0]])
    await snooze('none')
    expect(await until(site.root)).toEqual([0])
    await snooze('hour')
    site.state.clock += 3_700_000
    expect(await until(site.root)).toEqual([0])
  })

  it('stores a bounded number of snoozes', async () => {
    const snoozes = openSnoozes(site.database)
    for (let card = 0; card < 120; card += 1) await snoozes.set(2, `card ${card}`, { until: now + 1 + card, now })
    const kept = await snoozes.of(2, now)
    expect([kept.size, kept.has('card 119'), kept.has('card 0')]).toEqual([100, true, false])
  })
})
