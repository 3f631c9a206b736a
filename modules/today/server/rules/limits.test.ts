import type { LimitStanding, LimitState } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { now, openTodaySite, type TodaySite } from '../../tests/today-site.ts'

const limit = (more: Partial<LimitState>): LimitState => ({
  id: 4,
  name: 'team budget',
  measure: 'money',
  window: 'month',
  hours: 0,
  refuses: true,
  fallback_model: '',
  subject: 'user 2',
  subjects: [{ kind: 'user', value: '2', name: 'ben' }],
  amount: 100,
  used: 60,
  left: 40,
  free_at: 0,
  used_up_at: 0,
  ...more,
})
const standing = (...states: LimitState[]): LimitStanding => ({ id: 4, subjects: [], states, counted: states.length })

describeEachEngine('cards about limits', (open) => {
  let database: Database
  let site: TodaySite

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    site = await openTodaySite(database)
  })

  it('forecasts limits that refuse, and passes over those that only notify', async () => {
    site.state.parts = {
      limitReads: {
        site: async () => [
          standing(
            limit({ used_up_at: now + 60 }),
            limit({ left: 0, used: 100, free_at: now + 90, subjects: [] }),
            limit({ used_up_at: now + 60, refuses: false, subjects: [] }),
          ),
        ],
        ofUser: async () => [limit({ used_up_at: now + 60 })],
      },
    }
    expect(
      (await site.cardsOf(site.root)).map(({ rule, names, at: until, count, total }) => [
        rule,
        names,
        until - now,
        count,
        total,
      ]),
    ).toEqual([
      ['limit_reached', [], 90, 100, 100],
      ['limit_ending', ['ben'], 60, 60, 100],
    ])
    await site.user(2, 'ben', 5)
    expect(await site.rulesOf(site.ben, '/api/today/self')).toEqual(['own_limit_ending'])
  })
})
