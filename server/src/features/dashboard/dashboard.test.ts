import type { UsageReport } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { type SignedIn, signedIn } from '../../../test/support/features/signed-in.ts'
import { aRecord } from '../../../test/support/journal/records.ts'
import type { Database } from '../../db/database.ts'
import { groupCalls } from '../../ledger/apply/call-groups.ts'
import { addHours, addUsage } from '../../ledger/usage/hours.ts'
import { sumsOf } from '../../ledger/usage/sums.ts'
import { usageOf } from '../../ledger/usage/usage-of.ts'
import type { RequestRecord } from '../../relay/ports.ts'
import { createQuotaData } from './data.ts'
import { createUsageReport } from './report.ts'
import { dashboardRoutes } from './routes.ts'
import { openDashboardStore } from './store.ts'

const at = (text: string): number => Date.parse(text) / 1000
const day = 86_400
const now = at('2026-11-20T12:30:00Z')

let requests = 0
const call = (moment: number, quota: number, more: Partial<RequestRecord> = {}): RequestRecord => {
  requests += 1
  return aRecord(`call-${requests}`, { at: moment * 1000, quota, ...more })
}

describeEachEngine('the dashboard', (open) => {
  let database: Database
  let enabled = true
  let admin: SignedIn
  let user: SignedIn

  beforeAll(async () => {
    database = await open()
  })

  beforeEach(async () => {
    for (const table of ['quota_data', 'usage_hours', 'usage_days', 'usage_site_days', 'usage_user_periods'] as const) {
      await database.query.deleteFrom(table).execute()
    }
    enabled = true
    const parts = {
      report: createUsageReport({
        store: openDashboardStore(database),
        database,
        enabled: () => enabled,
        refreshMinutes: () => 5,
        userNames: async (ids) => new Map(ids.map((id) => [id, `user ${id}`])),
        channelNames: async (ids) => new Map(ids.map((id) => [id, `channel ${id}`])),
        tokenNames: async (ids) => new Map(ids.map((id) => [id, { name: `key ${id}`, owner: 'ann' }])),
        clock: () => now * 1000,
      }),
      data: createQuotaData(database, async (name) => ({ ann: 1, ben: 2 })[name]),
      organisationScope: async (id: number) =>
        id === 5 ? { userId: 40 } : { userId: 40, tokenIds: id === 6 ? [41] : [] },
    }
    admin = signedIn((on) => dashboardRoutes(on, parts), { id: 9, role: 10 })
    user = signedIn((on) => dashboardRoutes(on, parts), { id: 1, username: 'ann' })
  })

  const charge = (...records: RequestRecord[]): Promise<void> =>
    database.transaction(async (trx) => {
      await addUsage(trx, usageOf(groupCalls(records)))
      await addHours(trx, [...sumsOf(groupCalls(records)).hours.values()])
    })

  const report = async (caller: SignedIn, query: Record<string, string | number>): Promise<UsageReport> => {
    const path = query.own === 1 ? '/api/dashboard/self' : '/api/dashboard'
    const { json } = await caller('GET', `${path}?${new URLSearchParams(query as Record<string, string>)}`)
    if (json.success !== true) throw new Error(String(json.code))
    return json.data as UsageReport
  }

  it('of an organisation sums what its wallet paid, or what some of its keys used, without costs', async () => {
    await charge(
      call(now - day, 30, { userId: 40, tokenId: 41 }),
      call(now - day, 12, { userId: 40, tokenId: 42 }),
      call(now - day, 7, { userId: 1, tokenId: 1 }),
    )
    const of = async (id: number): Promise<UsageReport> => {
      const query = new URLSearchParams({
        by: 'token',
        start_timestamp: String(now - 3 * day),
        end_timestamp: String(now),
      })
      return (await user('GET', `/api/organisation/${id}/dashboard?${query}`)).json.data as UsageReport
    }
    const shown = async (id: number) => {
      const { totals, top } = await of(id)
      return [totals.quota, top.map(({ key, quota }) => [key, quota])]
    }
    expect(await shown(5)).toEqual([
      42,
      [
        ['41', 30],
        ['42', 12],
      ],
    ])
    expect(await shown(6)).toEqual([30, [['41', 30]]])
    expect(await shown(7)).toEqual([0, []])
    expect((await of(5)).totals).not.toHaveProperty('cost')
  })

  const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

  const lately = { start_timestamp: now - 3 * day, end_timestamp: now, zone: 'Asia/Shanghai' }

  it('draws what was used by day of the reader, by model, with every empty day in between', async () => {
    await charge(
      call(at('2026-11-18T15:30:00Z'), 10, { model: 'a' }),
      call(at('2026-11-18T16:30:00Z'), 20, { model: 'a' }),
      call(at('2026-11-20T10:00:00Z'), 40, { model: 'b', promptTokens: 7, completionTokens: 1 }),
      call(at('2026-11-20T10:00:00Z'), 0, { kind: 'error', model: 'b' }),
    )
    const shown = await report(admin, lately)
    expect(shown).toMatchObject({ granularity: 'day', utc_days: false, refresh_minutes: 5 })
    expect(shown.buckets.map((start) => new Date(start * 1000).toISOString())).toEqual([
      '2026-11-16T16:00:00.000Z',
      '2026-11-17T16:00:00.000Z',
      '2026-11-18T16:00:00.000Z',
      '2026-11-19T16:00:00.000Z',
    ])
    expect(shown.series.map(({ key, quota }) => [key, quota])).toEqual([
      ['b', [0, 0, 0, 40]],
      ['a', [0, 10, 20, 0]],
    ])
    expect(shown.series[0]?.tokens).toEqual([0, 0, 0, 8])
    expect(shown.top).toMatchObject([
      { key: 'b', name: 'b', quota: 40, count: 1, failures: 1 },
      { key: 'a', quota: 30, count: 2 },
    ])
    expect(shown.totals).toMatchObject({ quota: 70, count: 3, failures: 1 })
  })

  it('names the ten largest and adds up the rest', async () => {
    await charge(...Array.from({ length: 60 }, (_, index) => call(now - 3600, index + 1, { model: `m${index}` })))
    const shown = await report(admin, lately)
    expect(shown.series).toHaveLength(11)
    expect(shown.series.at(-1)).toMatchObject({ key: 'rest', rest: true })
    expect(sumOf(shown.series.flatMap(({ quota }) => quota))).toBe(shown.totals.quota)
    expect(shown.top).toHaveLength(51)
    expect(sumOf(shown.top.map(({ quota }) => quota))).toBe(shown.totals.quota)
    expect(shown.top[0]).toMatchObject({ key: 'm59', quota: 60 })
  })

  it('splits by user, key, channel and group for administrators', async () => {
    await charge(
      call(now - 3600, 5, { userId: 1, tokenId: 3, channelId: 4, group: 'vip' }),
      call(now - 3600, 6, { userId: 2, tokenId: 0, tokenName: 'playground-vip', channelId: 5, group: 'default' }),
    )
    const by = async (dimension: string) =>
      (await report(admin, { ...lately, by: dimension })).top.map(({ key, name, owner, quota }) => [
        key,
        name,
        owner,
        quota,
      ])
    expect(await by('user')).toEqual([
      ['2', 'user 2', undefined, 6],
      ['1', 'user 1', undefined, 5],
    ])
    expect(await by('token')).toEqual([
      ['0', 'playground-vip', undefined, 6],
      ['3', 'key 3', 'ann', 5],
    ])
    expect(await by('channel')).toEqual([
      ['5', 'channel 5', undefined, 6],
      ['4', 'channel 4', undefined, 5],
    ])
    expect(await by('group')).toEqual([
      ['default', 'default', undefined, 6],
      ['vip', 'vip', undefined, 5],
    ])
    const filtered = await report(admin, { ...lately, by: 'model', channel: 4, group: 'vip', user: 1, token: 3 })
    expect(filtered.totals.quota).toBe(5)
  })

  it('shows users only their own, and never by user or channel', async () => {
    await charge(call(now - 3600, 5, { userId: 1 }), call(now - 3600, 600, { userId: 2 }))
    await expect(report(user, { ...lately, own: 1, by: 'channel' })).rejects.toThrow('invalid_parameter')
    const own = await report(user, { ...lately, own: 1, user: 2, channel: 1 })
    expect(own.totals.quota).toBe(5)
    expect(own.top.map(({ key }) => key)).toEqual(['gpt-4o-mini'])
    expect((await user('GET', '/api/dashboard?start_timestamp=1&end_timestamp=2')).json).toMatchObject({
      code: 'permission_denied',
    })
    const byKey = await report(user, { ...lately, own: 1, by: 'token' })
    expect(byKey.top[0]).not.toHaveProperty('owner')
  })

  it('adds up to what was charged, however long the range and whatever it is split by', async () => {
    const start = now - 500 * day
    const records = Array.from({ length: 400 }, (_, index) =>
      call(start + index * 100_003, index, {
        model: `m${index % 9}`,
        userId: 1 + (index % 3),
        tokenId: index % 5,
        tokenName: `key ${index % 7}`,
        channelId: index % 4,
        group: index % 2 ? 'vip' : 'default',
      }),
    )
    const isOfUser2 = ({ userId }: RequestRecord): boolean => userId === 2
    await charge(...records)
    for (const by of ['model', 'user', 'token', 'channel', 'group']) {
      for (const [from, to] of [
        [start - day, now],
        [now - 300 * day + 1234, now - 40 * day],
        [now - 30 * day, now],
      ] as const) {
        const shown = await report(admin, { start_timestamp: from, end_timestamp: to, by, zone: 'Europe/Paris' })
        const inside = records.filter((record) => record.at / 1000 >= shown.from && record.at / 1000 < shown.to)
        const quota = sumOf(inside.map((record) => record.quota))
        expect(shown.totals.quota).toBe(quota)
        expect(sumOf(shown.series.flatMap((line) => line.quota))).toBe(quota)
        expect(sumOf(shown.top.map((row) => row.quota))).toBe(quota)
        const busiest = shown.top.find(({ key }) => key === '2')
        if (by === 'user')
          expect(busiest?.quota ?? 0).toBe(sumOf(inside.filter(isOfUser2).map((record) => record.quota)))
        expect(shown.buckets.length).toBeLessThanOrEqual(401)
        expect(shown.utc_days).toBe(to - from > 35 * day)
      }
    }
  })

  it('has cost and margin for administrators, without calls whose cost is not known', async () => {
    await charge(
      call(now - 3600, 100, { model: 'sold', cost: 40, channelId: 1, userId: 1, group: 'a', tokenId: 3 }),
      call(now - 3600, 50, { model: 'sold', channelId: 2, userId: 2, group: 'b', tokenId: 4 }),
      call(now - 3600, 10, { model: 'given', cost: 90, channelId: 2, userId: 2, group: 'b', tokenId: 4 }),
      call(now - 4 * day, 7, { cost: 7 }),
    )
    const shown = await report(admin, { ...lately, metric: 'cost' })
    expect(shown.totals).toMatchObject({ quota: 160, cost: 130, margin: -20, uncosted: 1, uncosted_quota: 50 })
    expect(shown.before).toMatchObject({ cost: 7, margin: 0, uncosted: 0 })
    expect(shown.top).toMatchObject([
      { key: 'given', quota: 10, cost: 90, margin: -80, uncosted: 0, uncosted_quota: 0 },
      { key: 'sold', quota: 150, cost: 40, margin: 60, uncosted: 1, uncosted_quota: 50 },
    ])
    expect(shown.series.map(({ key, cost, margin }) => [key, sumOf(cost ?? []), sumOf(margin ?? [])])).toEqual([
      ['given', 90, -80],
      ['sold', 40, 60],
    ])
    expect((await report(admin, { ...lately, metric: 'margin' })).top.map(({ key }) => key)).toEqual(['given', 'sold'])
    for (const by of ['channel', 'user', 'group', 'token']) {
      const { top } = await report(admin, { ...lately, metric: 'margin', by })
      expect(top.map(({ margin }) => margin)).toEqual([-80, 60])
    }
    for (const days of [40, 400, 3000]) {
      const wide = await report(admin, { ...lately, start_timestamp: now - days * day, by: 'user', metric: 'cost' })
      expect(wide.totals).toMatchObject({ cost: 137, margin: -20, uncosted: 1 })
      expect(sumOf(wide.top.map(({ cost = 0 }) => cost))).toBe(137)
    }
  })

  it('never tells users what their calls cost, not even by an order', async () => {
    await charge(
      call(now - 3600, 100, { model: 'dear to sell', cost: 1 }),
      call(now - 3600, 50, { model: 'dear to buy', cost: 90 }),
    )
    for (const metric of ['cost', 'margin'])
      await expect(report(user, { ...lately, own: 1, metric })).rejects.toThrow('invalid_parameter')
    for (const metric of ['quota', 'tokens']) {
      const own = await report(user, { ...lately, own: 1, metric })
      expect(JSON.stringify(own)).not.toMatch(/cost|margin/)
      expect(own.top.map(({ key }) => key)).toEqual(['dear to sell', 'dear to buy'])
    }
    const { json } = await user('GET', `/api/data/self?start_timestamp=${now - day}&end_timestamp=${now}`)
    expect(JSON.stringify(json)).not.toMatch(/cost|margin/)
  })

  it('compares with as long a time before', async () => {
    await charge(call(now - 3600, 5), call(now - 4 * day, 7), call(now - 10 * day, 100))
    expect((await report(admin, lately)).before).toMatchObject({ quota: 7, count: 1 })
  })

  it('makes hours of two weeks at most', async () => {
    const query = { ...lately, granularity: 'hour' }
    expect((await report(admin, query)).granularity).toBe('hour')
    expect((await report(admin, { ...query, start_timestamp: now - 20 * day })).granularity).toBe('day')
    expect((await report(admin, { ...query, start_timestamp: now - 500 * day })).granularity).toBe('week')
  })

  it('has zeros and no names where nothing was used', async () => {
    const shown = await report(admin, lately)
    expect(shown).toMatchObject({ series: [], top: [], totals: { quota: 0, count: 0 } })
    expect(shown.buckets).toHaveLength(4)
  })

  it('says that it is off where the operator switched it off, and refuses ranges that end before they begin', async () => {
    const wrong = await admin('GET', `/api/dashboard?start_timestamp=${now}&end_timestamp=${now - day}`)
    expect(wrong.json).toMatchObject({ code: 'invalid_parameter' })
    enabled = false
    const { json } = await admin('GET', `/api/dashboard?start_timestamp=${now - day}&end_timestamp=${now}`)
    expect(json).toMatchObject({ success: false, code: 'dashboard_off' })
  })

  it('answers clients of the reference with hourly rows', async () => {
    const hour = at('2026-11-20T10:00:00Z')
    await charge(
      call(hour + 5, 10, { userId: 1, username: 'ann', model: 'a', promptTokens: 3, completionTokens: 4 }),
      call(hour + 9, 20, { userId: 2, username: 'ben', model: 'a' }),
    )
    const get = async (caller: SignedIn, path: string) => (await caller('GET', path)).json
    const span = `start_timestamp=${hour - day}&end_timestamp=${now}`
    expect(await get(admin, `/api/data/?${span}&default_time=hour`)).toMatchObject({
      data: [{ id: 0, user_id: 0, username: '', model_name: 'a', created_at: hour, count: 2, quota: 30 }],
    })
    expect(await get(admin, `/api/data/?${span}&username=ben`)).toMatchObject({
      data: [{ user_id: 2, username: 'ben', model_name: 'a', created_at: hour, token_used: 20, count: 1, quota: 20 }],
    })
    expect(await get(admin, `/api/data/?${span}&username=nobody`)).toMatchObject({ data: [] })
    const own = await get(user, `/api/data/self/?${span}`)
    expect(own).toMatchObject({ data: [{ user_id: 1, token_used: 7, count: 1, quota: 10 }] })
    expect(await get(user, `/api/data/self?start_timestamp=${now - 2_592_001}&end_timestamp=${now}`)).toMatchObject({
      success: false,
      message: '时间跨度不能超过 1 个月',
    })
    expect(await get(user, `/api/data/?${span}`)).toMatchObject({ code: 'permission_denied' })
  })
})
