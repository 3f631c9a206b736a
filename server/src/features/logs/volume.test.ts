import type { LogVolume } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { now, openTestLogs, type TestLogs } from '../../../test/support/features/logs.ts'
import type { SignedIn } from '../../../test/support/features/signed-in.ts'
import { aJournalRecord } from '../../../test/support/journal/records.ts'
import type { Database } from '../../db/database.ts'
import { applyCharges } from '../../ledger/apply/batch.ts'
import type { RequestRecord } from '../../relay/ports.ts'

const hour = 3_600
const day = 86_400
/** A whole hour, so that tests can say where pieces begin. */
const noon = now - (now % day) + day / 2

describeEachEngine('the volume of the log', (open) => {
  let database: Database
  let logs: TestLogs

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    logs = await openTestLogs(database, { clock: () => noon * 1000 })
  })

  const ask = async (caller: SignedIn, query: Record<string, string | number>): Promise<LogVolume> => {
    const path = caller === logs.admin ? '/api/log/volume' : '/api/log/self/volume'
    const { json } = await caller('GET', `${path}?${new URLSearchParams(query as Record<string, string>)}`)
    if (json.success !== true) throw new Error(String(json.code))
    return json.data as LogVolume
  }
  const volume = (query: Record<string, string | number>) => ask(logs.admin, query)
  /** Pieces that hold anything, as `[hours before noon, done, failed]`. */
  const filled = ({ starts, done, failed }: LogVolume) =>
    starts.flatMap((at, place) => {
      const figures = [done[place] ?? 0, failed[place] ?? 0] as const
      return figures[0] + figures[1] === 0 ? [] : [[(noon - at) / hour, ...figures]]
    })
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
  const days3 = { start_timestamp: noon - 3 * day, end_timestamp: noon + hour }

  it('is drawn by hour, every hour of the range, answered and failed apart', async () => {
    await logs.charge(
      { created_at: noon - 50 * hour },
      { created_at: noon - 2 * hour },
      { created_at: noon - 2 * hour + 59, type: 5 },
      { created_at: noon - 90 * hour },
    )
    const shown = await volume(days3)
    expect(shown).toMatchObject({ piece_seconds: hour, counted: 'sums', capped: false, utc_days: false })
    expect(shown.starts[0]).toBe(noon - 72 * hour)
    expect(shown.starts).toHaveLength(73)
    expect(filled(shown)).toEqual([
      [50, 1, 0],
      [2, 1, 1],
    ])
  })

  it('is that of the filter, and of a type', async () => {
    await logs.charge(
      { created_at: noon - hour, user_id: 7, token_name: 'phone', model_name: 'gpt-4o', group: 'vip', channel_id: 3 },
      { created_at: noon - hour, user_id: 9, model_name: 'claude', type: 5 },
    )
    const counts = async (query: Record<string, string | number>) => {
      const { done, failed } = await volume({ ...days3, ...query })
      return [sum(done), sum(failed)]
    }
    expect(await counts({})).toEqual([1, 1])
    expect(await counts({ type: 2 })).toEqual([1, 0])
    expect(await counts({ type: 5 })).toEqual([0, 1])
    expect(await counts({ username: 'bob' })).toEqual([0, 1])
    expect(await counts({ username: 'carol' })).toEqual([0, 0])
    expect(await counts({ model_name: 'gpt' })).toEqual([1, 0])
    expect(await counts({ token_name: 'phone', group: 'vip', channel: 3 })).toEqual([1, 0])
    expect(await counts({ group: 'none' })).toEqual([0, 0])
  })

  it('shows users only their own, whatever they ask for', async () => {
    await logs.charge({ created_at: noon - hour, user_id: 7 }, { created_at: noon - hour, user_id: 9, channel_id: 4 })
    const own = await ask(logs.user, { ...days3, username: 'bob', channel: 99 })
    expect([sum(own.done), sum(own.failed)]).toEqual([1, 0])
    expect((await logs.user('GET', '/api/log/volume')).json).toMatchObject({ code: 'permission_denied' })
  })

  it('is drawn by day of the reader, and by day of UTC or week where the range is long', async () => {
    await logs.charge(
      { created_at: noon - 20 * hour },
      { created_at: noon - 21 * hour },
      { created_at: noon - 60 * day },
      { created_at: noon - 400 * day },
    )
    const ranged = (days: number) => volume({ start_timestamp: noon - days * day, zone: 'Asia/Shanghai' })
    const week = await ranged(7)
    expect(week).toMatchObject({ piece_seconds: day, utc_days: false })
    // Midnight in Shanghai is 16:00 in UTC.
    expect(filled(week)).toEqual([
      [44, 1, 0],
      [20, 1, 0],
    ])
    const quarter = await ranged(90)
    expect(quarter).toMatchObject({ piece_seconds: day, utc_days: true })
    expect(filled(quarter)).toEqual([
      [60 * 24 + 12, 1, 0],
      [36, 2, 0],
    ])
    const all = await volume({ zone: 'Asia/Shanghai' })
    expect(all).toMatchObject({ piece_seconds: 7 * day, utc_days: true })
    expect(sum(all.done)).toBe(4)
    expect(all.starts[0]).toBeLessThanOrEqual(noon - 400 * day)
    expect(all.starts[0]).toBeGreaterThan(noon - 408 * day)
  })

  it('counts the entries themselves where the range is short', async () => {
    await logs.charge(
      { created_at: noon - 600 },
      { created_at: noon - 601, type: 5 },
      { created_at: noon - 4000 },
      { created_at: noon - 10, type: 1, model_name: '' },
    )
    const shown = await volume({ start_timestamp: noon - hour, end_timestamp: noon })
    expect(shown).toMatchObject({ piece_seconds: 60, counted: 'rows', capped: false })
    expect(shown.starts).toHaveLength(61)
    expect(filled(shown)).toEqual([
      [11 / 60, 0, 1],
      [10 / 60, 1, 0],
    ])
    expect(await volume({ start_timestamp: noon - 6 * hour })).toMatchObject({ piece_seconds: 300, counted: 'rows' })
  })

  it('takes the sums instead where those are too many', async () => {
    await logs.charge(...Array.from({ length: 2_001 }, (_, index) => ({ created_at: noon - 60 - (index % 3_000) })))
    const shown = await volume({ start_timestamp: noon - hour, end_timestamp: noon })
    expect(shown).toMatchObject({ piece_seconds: hour, counted: 'sums', capped: false })
    expect(sum(shown.done)).toBe(2_001)
  })

  it('says so where only the newest of what no sum knows were counted', async () => {
    await logs.charge({ created_at: noon - 2 * day })
    await logs.write(...Array.from({ length: 2_005 }, (_, index) => ({ created_at: noon - index * 100, type: 3 })))
    const shown = await volume({ ...days3, type: 3 })
    expect(shown).toMatchObject({ counted: 'rows', capped: true })
    expect(shown.starts[0]).toBeGreaterThan(noon - 2_001 * 100 - day)
    expect(sum(shown.done)).toBeLessThanOrEqual(2_000)
    expect(sum(shown.done)).toBeGreaterThan(1_990)
    const few = await volume({ start_timestamp: noon - day, type: 3 })
    expect(few).toMatchObject({ capped: false })
    expect(sum(few.done)).toBe(865)
  })

  it('has the first token and the cache of what the figures by hour know', async () => {
    const call = (id: string, more: Partial<RequestRecord>, firstMs: number, cached: number) =>
      aJournalRecord(id, {
        at: (noon - hour) * 1000,
        userId: 7,
        username: 'alice',
        promptTokens: 100,
        model: 'gpt-4o',
        measures: { totalMs: firstMs + 100, firstMs, cached, cacheWrite: 0, reasoning: 0 },
        ...more,
      })
    const records = [
      call('speed-1', { tokenId: 31, tokenName: 'phone' }, 500, 50),
      call('speed-2', { userId: 9, username: 'bob', model: 'claude', channelId: 4 }, 4000, 0),
    ]
    await applyCharges({ database, hourly: true, versions: false }, records)
    const figures = async (query: Record<string, string | number>) => {
      const { first_p95, cache_share } = await volume({ ...days3, ...query })
      // Percentiles are known to a few percent.
      return [first_p95 === null ? null : Math.round(first_p95 / 500) * 500, cache_share]
    }
    expect(await figures({})).toEqual([4000, 0.25])
    for (const query of [
      { username: 'alicia' },
      { token_name: 'phone' },
      { model_name: 'gpt' },
      { not: 'channel', channel: 4 },
    ])
      expect(await figures(query)).toEqual([500, 0.5])
    expect(await figures({ token_name: 'nobody' })).toEqual([null, null])
    // Filters that the sums do not know are left open: patterns, single requests, failures.
    for (const query of [{ model_name: 'gpt%' }, { request_id: 'speed-1' }, { type: 5 }])
      expect(await figures(query)).toEqual([null, null])
  })

  it('finds one request', async () => {
    await logs.charge({ created_at: noon - 5 * hour, request_id: 'the-one', type: 5 }, { created_at: noon - 5 * hour })
    const shown = await volume({ ...days3, request_id: 'the-one' })
    expect(shown).toMatchObject({ counted: 'rows', capped: false, piece_seconds: hour })
    expect(filled(shown)).toEqual([[5, 0, 1]])
  })

  it('stays when the log is cleared, and is nothing but zeros where nothing was called', async () => {
    await logs.charge({ created_at: noon - 30 * hour })
    await database.query.deleteFrom('logs').execute()
    expect(filled(await volume(days3))).toEqual([[30, 1, 0]])
    expect(filled(await volume({ ...days3, group: 'none' }))).toEqual([])
    await database.query.deleteFrom('usage_hours').execute()
    expect(filled(await volume(days3))).toEqual([])
    expect(filled(await volume({}))).toEqual([])
  })
})
