import { beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { applyCharges } from '#server/ledger/apply/batch.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { aJournalRecord } from '#server-test/support/journal/records.ts'
import { createSessionMedian } from './session-median.ts'

const at = Date.parse('2026-11-20T12:00:00Z')

describeEachEngine('a session beside the median', (open) => {
  let database: Database

  beforeAll(async () => {
    database = await open()
  })

  let requests = 0
  const charge = (userId: number, sessions: readonly (readonly [string, number])[]) =>
    applyCharges(
      { database, hourly: false, versions: false },
      sessions.map(([session, quota]) => {
        requests += 1
        return aJournalRecord(`session-${requests}`, {
          at,
          userId,
          session,
          quota,
          promptTokens: 1_000,
          measures: { cached: 250, cacheWrite: 0, reasoning: 0 },
        })
      }),
    )

  it('is compared with the other sessions of its user, from ten on', async () => {
    const compare = createSessionMedian(database)
    await charge(1, [
      ['long', 300],
      ['long', 600],
      ...Array.from({ length: 9 }, (_, index) => [`short-${index}`, 100 + index] as const),
    ])
    expect(await compare('long')).toBeNull()
    await charge(1, [['short-9', 109]])
    await charge(2, [['of another', 5_000]])
    expect(await compare('long')).toEqual({ quota: 900, median: 104.5, sessions: 10, prompt: 2_000, cached: 500 })
    expect(await compare('long', 1)).toMatchObject({ quota: 900 })
    expect(await compare('long', 2)).toBeNull()
    expect(await compare('of another')).toBeNull()
    expect(await compare('unknown')).toBeNull()
  })
})
