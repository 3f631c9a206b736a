import { type TokenUsage, tokenUsageDays } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { aRecord } from '../../../test/support/journal/records.ts'
import type { Database } from '../../db/database.ts'
import { groupCalls } from '../../ledger/apply/call-groups.ts'
import { addUsage } from '../../ledger/usage/hours.ts'
import { usageOf } from '../../ledger/usage/usage-of.ts'
import type { RequestRecord } from '../../relay/ports.ts'
import { tokenUsageReader } from './usage.ts'

const now = Date.parse('2026-11-20T12:30:00Z') / 1000
const hour = 3_600
const day = 86_400

describeEachEngine('what keys spend', (open) => {
  let database: Database
  let requests = 0

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    await database.query.deleteFrom('usage_hours').execute()
  })

  const call = (secondsAgo: number, quota: number, more: Partial<RequestRecord> = {}): RequestRecord => {
    requests += 1
    return aRecord(`call-${requests}`, { at: (now - secondsAgo) * 1000, quota, userId: 1, tokenId: 3, ...more })
  }
  const charge = (...records: RequestRecord[]): Promise<void> =>
    database.transaction((trx) => addUsage(trx, usageOf(groupCalls(records))))
  const usage = (ids: readonly number[], zone = 'UTC', userId = 1): Promise<TokenUsage> =>
    tokenUsageReader({ database, clock: () => now * 1000 })(userId, { ids, zone })
  const quotas = async (...parameters: Parameters<typeof usage>) =>
    Object.fromEntries((await usage(...parameters)).tokens.map(({ id, quota }) => [id, quota]))
  const lastDays = (...quota: number[]): number[] => [...new Array(tokenUsageDays - quota.length).fill(0), ...quota]

  it('is returned by day, ending today, for all keys of a page at once', async () => {
    await charge(
      call(0, 10),
      call(hour, 5, { model: 'another', channelId: 9 }),
      call(day, 20),
      call(0, 0, { kind: 'error' }),
      call(2 * day, 7, { tokenId: 4 }),
      call(2 * day, 1_000, { tokenId: 5 }),
    )
    const { days, tokens } = await usage([3, 4, 8, 3])
    expect(days).toHaveLength(tokenUsageDays)
    expect(days.at(-1)).toBe(Date.parse('2026-11-20T00:00:00Z') / 1000)
    expect(Object.fromEntries(tokens.map(({ id, quota }) => [id, quota]))).toEqual({
      3: lastDays(20, 15),
      4: lastDays(7, 0, 0),
    })
    expect(tokens.find(({ id }) => id === 3)?.count.slice(-2)).toEqual([1, 2])
  })

  it('has days of the reader', async () => {
    await charge(call(20.5 * hour, 10), call(20.5 * hour + 1, 3))
    // 2026-11-19T16:00Z is midnight in Shanghai.
    expect(await quotas([3], 'Asia/Shanghai')).toEqual({ 3: lastDays(3, 10) })
    expect(await quotas([3], 'UTC')).toEqual({ 3: lastDays(13, 0) })
    expect(await quotas([3], 'Moon/Crater')).toEqual({ 3: lastDays(13, 0) })
  })

  it('forgets what is older, and counts the whole of the first day', async () => {
    const midnight = 12.5 * hour
    const first = midnight + (tokenUsageDays - 1) * day
    await charge(call(first, 4), call(first + 1, 100))
    expect((await quotas([3]))[3]).toEqual([4, ...new Array(tokenUsageDays - 1).fill(0)])
  })

  it('never includes keys of another user, even where their ids are in the query', async () => {
    await charge(call(0, 10), call(0, 99, { userId: 2, tokenId: 6 }))
    expect(await quotas([3, 6])).toEqual({ 3: lastDays(10) })
    expect(await quotas([3, 6], 'UTC', 2)).toEqual({ 6: lastDays(99) })
    expect((await usage([])).tokens).toEqual([])
  })
})
