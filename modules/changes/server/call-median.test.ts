import type { CallComparison } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { writeLogs } from '#server/ledger/apply/log-rows.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { aJournalRecord } from '#server-test/support/journal/records.ts'
import { createCallMedian } from './call-median.ts'

const at = Date.parse('2026-11-20T12:00:00Z')

describeEachEngine('a call beside the median', (open) => {
  let database: Database
  let compare: (requestId: string, userId?: number) => Promise<CallComparison>
  let now = at

  beforeAll(async () => {
    database = await open()
  })

  beforeEach(async () => {
    await database.query.deleteFrom('logs').execute()
    now = at
    compare = createCallMedian({ database, clock: () => now })
  })

  const call = (id: string, quota: number, more: Parameters<typeof aJournalRecord>[1] = {}) =>
    aJournalRecord(id, { at: at - 60_000, model: 'gpt-4o', quota, promptTokens: 1_000, ...more })
  const write = (...records: ReturnType<typeof call>[]) => writeLogs({ database, logDatabase: database }, records)

  it('is compared with the calls of its model, from twenty on', async () => {
    await write(...Array.from({ length: 19 }, (_, index) => call(`call-${index}`, 100 + index)))
    expect(await compare('call-3')).toBeNull()
    await write(
      call('dear', 900, { promptTokens: 5_094, other: { cache_tokens: 94 } }),
      ...Array.from({ length: 30 }, (_, index) => call(`other-${index}`, 5_000, { model: 'other' })),
    )
    now += 301_000
    expect(await compare('dear')).toEqual({
      model: 'gpt-4o',
      quota: 900,
      median: 109.5,
      calls: 20,
      prompt: 5_094,
      cached: 94,
    })
  })

  it('is compared with own calls alone for users, who are shown no call of others', async () => {
    await write(
      ...Array.from({ length: 20 }, (_, index) => call(`own-${index}`, 10, { userId: 1 })),
      ...Array.from({ length: 40 }, (_, index) => call(`theirs-${index}`, 1_000, { userId: 2 })),
    )
    expect(await compare('own-1', 1)).toMatchObject({ median: 10, calls: 20 })
    expect(await compare('theirs-1', 1)).toBeNull()
    expect(await compare('theirs-1', 2)).toMatchObject({ median: 1_000, calls: 40 })
    expect(await compare('own-1')).toMatchObject({ median: 1_000, calls: 60 })
    expect(await compare('unknown')).toBeNull()
  })

  it('is not compared without a charge', async () => {
    await write(...Array.from({ length: 25 }, (_, index) => call(`call-${index}`, index === 0 ? 0 : 7)))
    expect(await compare('call-0')).toBeNull()
    expect(await compare('call-1')).toMatchObject({ median: 7 })
  })
})
