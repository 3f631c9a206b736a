import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { aJournalRecord } from '../../../test/support/journal/records.ts'
import type { Database } from '../../db/database.ts'
import { applyCharges } from '../../ledger/apply/batch.ts'
import { writeLogs } from '../../ledger/apply/log-rows.ts'
import { quantileError } from '../../ledger/speed/histogram.ts'
import type { RequestRecord } from '../../relay/ports.ts'
import { bucketsOf } from '../usage/usage-buckets.ts'
import { callsOf, firstWithin, outputSpeed, totalWithin } from './figures.ts'
import { type FigureQuestion, readFigures } from './read-figures.ts'

const start = Date.parse('2026-11-18T10:00:00Z') / 1000
const day = 86_400
const all = { from: start - day, to: start + 3 * day, by: [], filters: [] } as const

let requests = 0
const call = (more: Partial<RequestRecord> = {}) => {
  requests += 1
  return aJournalRecord(`figure-${requests}`, { at: start * 1000, completionTokens: 10, ...more })
}
const timed = (totalMs: number, more: Partial<RequestRecord> = {}) =>
  call({ measures: { totalMs, firstMs: totalMs / 2, cached: 1, cacheWrite: 2, reasoning: 3 }, ...more })
const failure = (other: Record<string, unknown>, more: Partial<RequestRecord> = {}) =>
  call({ kind: 'error', quota: 0, completionTokens: 0, receipt: undefined, other, ...more })

describeEachEngine('figures of calls', (open) => {
  let database: Database

  beforeAll(async () => {
    database = await open()
  })

  beforeEach(async () => {
    for (const table of [
      'usage_hours',
      'usage_days',
      'usage_site_days',
      'usage_user_periods',
      'speed_hours',
      'speed_site_hours',
      'failure_hours',
      'call_session_hours',
    ] as const)
      await database.query.deleteFrom(table).execute()
  })

  const charge = (...records: ReturnType<typeof call>[]) =>
    applyCharges({ database, hourly: false, versions: false }, records)
  const log = (...records: ReturnType<typeof call>[]) => writeLogs({ database, logDatabase: database }, records)

  const read = (more: Partial<FigureQuestion> = {}) => readFigures(database, { ...all, ...more })
  const keyed = async (more: Partial<FigureQuestion>) =>
    (await read(more))
      .map((cell) => [...cell.keys, callsOf(cell)])
      .sort((left, right) => (left.join() < right.join() ? -1 : 1))

  it('adds up sums, tokens by kind and times of answers', async () => {
    await charge(timed(4000), timed(2000), call({ quota: 7 }))
    const [cell, ...more] = await read({ speed: true })
    expect(more).toEqual([])
    expect(cell?.sums).toMatchObject({
      answered: 3,
      quota: 207,
      completion: 30,
      cached: 2,
      cacheWrite: 4,
      reasoning: 6,
      timedTokens: 20,
      timedMs: 3000,
    })
    if (cell === undefined) return
    expect(Math.abs((totalWithin(cell, 1) ?? 0) / 4000 - 1)).toBeLessThan(quantileError)
    expect(Math.abs((firstWithin(cell, 0.5) ?? 0) / 1000 - 1)).toBeLessThan(quantileError)
    expect(outputSpeed(cell)).toBeCloseTo(20 / 3)
  })

  it('adds up what caches saved and cost, also by session, with the failures of a session', async () => {
    const measures = { cached: 900, cacheWrite: 50, reasoning: 0, missed: 400, cacheSaved: 30, cacheLost: 7 }
    const of = (session: string, more: Partial<RequestRecord> = {}) => call({ session, measures, ...more })
    await charge(of('s1'), of('s1'), of('s2'), of('s1', { model: 'other' }), call())
    await log(failure({ status: 500 }, { session: 's1' }))
    const [cell] = await read()
    expect(cell?.sums).toMatchObject({ missed: 1600, cacheSaved: 120, cacheLost: 28 })
    const rows = await database.query.selectFrom('call_session_hours').selectAll().execute()
    const sums = rows.map(({ session, model_name, count, failures, cached_tokens, cache_saved }) =>
      [session, model_name, count, failures, cached_tokens, cache_saved].join(' '),
    )
    expect(sums.toSorted()).toEqual(['s1 gpt-4o-mini 2 1 1800 60', 's1 other 1 0 900 30', 's2 gpt-4o-mini 1 0 900 30'])
    const logged = await database.query.selectFrom('logs').select('session').where('session', '=', 's1').execute()
    expect(logged).toHaveLength(1)
  })

  it('splits by session, with cost and speed of streams, and is told from calls without one', async () => {
    await charge(
      timed(3000, { session: 's1', cost: 40 }),
      timed(3000, { session: 's1', cost: 10, model: 'other', userId: 2 }),
      call({ session: 's2' }),
      call(),
    )
    await log(failure({ status: 500 }, { session: 's2', channelId: 9 }))
    const cells = await read({ by: ['session'], most: { count: 5, by: 'calls' }, speed: true })
    expect(cells.map(({ keys, sums }) => [keys[0], sums.answered, sums.failures, sums.cost, sums.costedQuota])).toEqual(
      [
        ['s1', 2, 0, 50, 200],
        ['s2', 1, 1, 0, 0],
      ],
    )
    expect(cells[0] && outputSpeed(cells[0])).toBeCloseTo(20 / 3)
    expect(await keyed({ by: ['session', 'model'] })).toEqual([
      ['s1', 'gpt-4o-mini', 1],
      ['s1', 'other', 1],
      ['s2', 'gpt-4o-mini', 2],
    ])
    const ofOne = [{ dimension: 'session', is: 'is', values: ['s1'] }] as const
    expect(await keyed({ by: ['user'], filters: ofOne })).toEqual([
      ['1', 1],
      ['2', 1],
    ])
    const cut = { buckets: bucketsOf(3600, 'UTC', all.from, all.to), utcDays: false }
    expect((await read({ by: [], filters: ofOne, ...cut })).map(callsOf)).toEqual([2])
  })

  it('is exact when several nodes write at once, and when a batch is applied twice', async () => {
    const batches = Array.from({ length: 8 }, (_, node) =>
      Array.from({ length: 25 }, (_, index) => timed(1000 + node * 100 + index, { model: `m${index % 3}` })),
    )
    await Promise.all(batches.map((batch) => charge(...batch)))
    for (const batch of batches.slice(0, 2)) await charge(...batch)
    for (const by of [['model'], ['model', 'user']] as const) {
      const cells = await read({ by, speed: true })
      expect(cells.reduce((sum, cell) => sum + callsOf(cell), 0)).toBe(200)
      const counted = cells.flatMap(({ total }) => [...total.values()].flat()).reduce((sum, count) => sum + count, 0)
      expect(counted).toBe(200)
    }
  })

  it('splits by one or two dimensions, largest first', async () => {
    await charge(
      call({ model: 'a', channelId: 1, quota: 10 }),
      call({ model: 'a', channelId: 2, quota: 30 }),
      call({ model: 'b', channelId: 1, quota: 20, userId: 2, tokenId: 5, group: 'vip' }),
    )
    expect(await keyed({ by: ['model', 'channel'] })).toEqual([
      ['a', '1', 1],
      ['a', '2', 1],
      ['b', '1', 1],
    ])
    expect(await keyed({ by: ['user'] })).toEqual([
      ['1', 2],
      ['2', 1],
    ])
    expect(await keyed({ by: ['key'] })).toEqual([
      ['1', 2],
      ['5', 1],
    ])
    const [largest] = await read({ by: ['model'], most: { count: 1, by: 'quota' }, speed: true })
    expect(largest).toMatchObject({ keys: ['a'], sums: { quota: 40 } })
  })

  it('filters by values, by what is not, and by parts of names', async () => {
    const channel = await database.query.selectFrom('channels').select('id').executeTakeFirst()
    expect(channel).toBeUndefined()
    await charge(call({ model: 'gpt-5' }), call({ model: 'claude', userId: 2, group: 'vip' }), call({ model: 'gpt-6' }))
    const models = async (...filters: FigureQuestion['filters']) =>
      (await keyed({ by: ['model'], filters })).map(([model]) => model)
    expect(await models({ dimension: 'model', is: 'is', values: ['gpt-5', 'claude'] })).toEqual(['claude', 'gpt-5'])
    expect(await models({ dimension: 'model', is: 'not', values: ['gpt-5'] })).toEqual(['claude', 'gpt-6'])
    expect(await models({ dimension: 'model', is: 'contains', values: ['GPT'] })).toEqual(['gpt-5', 'gpt-6'])
    expect(await models({ dimension: 'user', is: 'is', values: ['2', 'no number'] })).toEqual(['claude'])
    expect(await models({ dimension: 'user', is: 'is', values: ['no number'] })).toEqual([])
    expect(await models({ dimension: 'user', is: 'contains', values: ['unknown'] })).toEqual([])
    expect(
      await models(
        { dimension: 'group', is: 'is', values: ['vip'] },
        { dimension: 'model', is: 'not', values: ['claude'] },
      ),
    ).toEqual([])
  })

  it('counts failures by class, and no longer where a charge takes their place', async () => {
    const lost = failure({ end: 'client_gone', status: 499 }, { model: 'b' })
    await charge(call({ model: 'a' }))
    await log(
      failure({ status: 429, error_code: 'rate_limit' }),
      failure({ status: 429 }, { times: 4 }),
      failure({ status: 504 }, { model: 'b' }),
      lost,
    )
    expect(await keyed({ by: ['status'] })).toEqual([
      ['cancelled', 1],
      ['rate_limited', 5],
      ['success', 1],
      ['timeout', 1],
    ])
    expect(
      await keyed({ by: ['model', 'status'], filters: [{ dimension: 'status', is: 'not', values: ['success'] }] }),
    ).toEqual([
      ['b', 'cancelled', 1],
      ['b', 'timeout', 1],
      ['gpt-4o-mini', 'rate_limited', 5],
    ])
    expect(await keyed({ by: ['model'] })).toEqual([
      ['a', 1],
      ['b', 2],
      ['gpt-4o-mini', 5],
    ])
    const paid = aJournalRecord(lost.id, { at: lost.at, model: 'b' })
    await charge(paid)
    await log(paid)
    expect((await keyed({ by: ['status'] })).map(([status]) => status)).not.toContain(undefined)
    expect(
      await keyed({ by: ['status'], filters: [{ dimension: 'status', is: 'is', values: ['cancelled'] }] }),
    ).toEqual([['cancelled', 0]])
  })

  it('cuts time into hours and days of a zone', async () => {
    await charge(timed(100), timed(300, { at: (start + 3600) * 1000 }), timed(500, { at: (start + 14 * 3600) * 1000 }))
    const within = async (size: number, zone: string) =>
      (await read({ buckets: bucketsOf(size, zone, all.from, all.to), utcDays: false, speed: true }))
        .toSorted((left, right) => left.local - right.local)
        .map((cell) => [
          (cell.local - start + (start % day)) / 3600,
          callsOf(cell),
          Math.round((totalWithin(cell, 1) ?? 0) / 100),
        ])
    expect(await within(3600, 'UTC')).toEqual([
      [10, 1, 1],
      [11, 1, 3],
      [24, 1, 5],
    ])
    expect(await within(day, 'Asia/Shanghai')).toEqual([
      [0, 2, 3],
      [24, 1, 5],
    ])
  })
})
