import type { FigureReport } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { type RecordedStatements, recordStatements } from '../../../test/support/db/rows-read.ts'
import { type SignedIn, signedIn } from '../../../test/support/features/signed-in.ts'
import { aJournalRecord } from '../../../test/support/journal/records.ts'
import type { Database } from '../../db/database.ts'
import { applyCharges } from '../../ledger/apply/batch.ts'
import { writeLogs } from '../../ledger/apply/log-rows.ts'
import type { RequestRecord } from '../../relay/ports.ts'
import { createFigureReport } from './report.ts'
import { figureRoutes } from './routes.ts'
import { createSpeedTrim } from './trim.ts'

const at = (text: string): number => Date.parse(text) / 1000
const day = 86_400
const now = at('2026-11-20T12:30:00Z')

/** A key of project 7, which spends the money of user 40. */
const projectKey = {
  id: 41,
  user_id: 40,
  key_hash: 'hash',
  key_cipher: '',
  key_hint: '',
  status: 1,
  name: 'ci',
  created_time: 1,
  accessed_time: 1,
  expired_time: -1,
  unlimited_quota: 1 as const,
  model_limits_enabled: 0 as const,
  model_limits: '',
  allow_ips: '',
  group: '',
  deleted_at: null,
  project_id: 7,
  member_id: 3,
  tags: null,
}

let requests = 0
const call = (moment: number, more: Partial<RequestRecord> = {}) => {
  requests += 1
  return aJournalRecord(`figured-${requests}`, { at: moment * 1000, ...more })
}

describeEachEngine('figures', (open) => {
  let database: Database
  let enabled = true
  let statements: RecordedStatements
  let admin: SignedIn
  let user: SignedIn

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
    ] as const)
      await database.query.deleteFrom(table).execute()
    enabled = true
    statements = recordStatements(database, 1)
    const report = createFigureReport({
      database: statements.database,
      enabled: () => enabled,
      refreshMinutes: () => 5,
      userNames: async (ids) => new Map(ids.map((id) => [id, `user ${id}`])),
      channelNames: async (ids) => new Map(ids.map((id) => [id, `channel ${id}`])),
      placeNames: async (table, ids) => new Map(ids.map((id) => [id, `${table} ${id}`])),
      tokenNames: async (ids) => new Map(ids.map((id) => [id, { name: `key ${id}`, owner: 'ann' }])),
      clock: () => now * 1000,
    })
    const parts = { report, organisationScope: async () => expect.fail('no organisation is asked about') }
    admin = signedIn((on) => figureRoutes(on, parts), { id: 9, role: 10 })
    user = signedIn((on) => figureRoutes(on, parts), { id: 1, username: 'ann' })
  })

  const charge = (...records: ReturnType<typeof call>[]) =>
    applyCharges({ database, hourly: false, versions: false }, records)

  const ask = async (caller: SignedIn, query: Record<string, string | number>, path = '/api/explore') =>
    (await caller('GET', `${path}?${new URLSearchParams(query as Record<string, string>)}`)).json
  const answer = async (caller: SignedIn, query: Record<string, string | number>, path?: string) => {
    const json = await ask(caller, query, path)
    if (json.success !== true) throw new Error(String(json.code))
    return json.data as FigureReport
  }

  const lately = { start_timestamp: now - 3 * day, end_timestamp: now, zone: 'Asia/Shanghai' }

  it('draws spend by model in days of the reader, the rest, and the time before', async () => {
    await charge(
      call(at('2026-11-18T15:30:00Z'), { quota: 10, model: 'a' }),
      call(at('2026-11-18T16:30:00Z'), { quota: 20, model: 'a', channelId: 2 }),
      call(at('2026-11-20T10:00:00Z'), { quota: 40, model: 'b' }),
      call(at('2026-11-20T10:00:00Z'), { quota: 3, model: 'c' }),
      call(at('2026-11-15T10:00:00Z'), { quota: 15, model: 'a' }),
    )
    const shown = await answer(admin, { ...lately, top: 2, second: 'channel' })
    expect(shown.buckets.map((start) => new Date(start * 1000).toISOString().slice(0, 13))).toEqual([
      '2026-11-16T16',
      '2026-11-17T16',
      '2026-11-18T16',
      '2026-11-19T16',
    ])
    expect(shown.series.map(({ key, values }) => [key, values])).toEqual([
      ['b', [0, 0, 0, 40]],
      ['a', [0, 10, 20, 0]],
      ['rest', [0, 0, 0, 3]],
    ])
    expect(shown.sums).toEqual([0, 10, 20, 43])
    expect(shown.total).toMatchObject({ value: 73, before: 15, share: 1, calls: 4 })
    expect(shown.rows).toMatchObject([
      { key: 'b', value: 40, before: 0, rows: [{ key: '1', name: 'channel 1', value: 40 }] },
      {
        key: 'a',
        value: 30,
        before: 15,
        rows: [
          { key: '2', value: 20, before: 0 },
          { key: '1', value: 10, before: 15 },
        ],
      },
      { key: 'rest', rest: true, value: 3, rows: [] },
    ])
    expect(shown).toMatchObject({ rest_values: 1, more: false })
    const alone = await answer(admin, { ...lately, compare: 'none' })
    expect(alone).not.toHaveProperty('sums_before')
    expect(alone.total.before).toBeNull()
  })

  it('has percentiles, shares and speeds, and none where nothing was measured', async () => {
    const measures = (firstMs: number) => ({
      totalMs: firstMs + 1000,
      firstMs,
      cached: 25,
      cacheWrite: 0,
      reasoning: 4,
    })
    await charge(
      ...[100, 100, 4000].map((ms) => call(now - 3600, { model: 'a', completionTokens: 50, measures: measures(ms) })),
      call(now - 3600, { model: 'b', promptTokens: 0, quota: 0 }),
    )
    const value = async (metric: string) => {
      const { total, rows } = await answer(admin, { ...lately, metric })
      return [total.value, ...rows.map(({ key, value }) => [key, value])]
    }
    const [p95] = await value('first_p95')
    expect(Math.abs(Number(p95) / 4000 - 1)).toBeLessThan(0.05)
    expect((await value('first_p50')).at(-1)).toEqual(['b', null])
    expect(await value('cache_share')).toEqual([0.25, ['a', 0.25], ['b', null]])
    expect(await value('output_speed')).toEqual([50, ['a', 50], ['b', null]])
    expect((await value('reasoning_tokens'))[0]).toBe(12)
    const { series, total } = await answer(admin, { ...lately, metric: 'first_p95' })
    expect(series[0]?.values.slice(0, -1)).toEqual([null, null, null])
    expect(total.share).toBeNull()
  })

  it('says the same without speed, and reads no histogram then', async () => {
    await charge(
      call(at('2026-11-18T16:30:00Z'), { quota: 20, model: 'a', channelId: 2 }),
      call(at('2026-11-20T10:00:00Z'), { quota: 40, model: 'b' }),
      call(at('2026-11-20T11:00:00Z'), { quota: 7, model: 'b', channelId: 2 }),
      call(at('2026-11-20T10:00:00Z'), { quota: 3, model: 'c' }),
      call(at('2026-11-15T10:00:00Z'), { quota: 15, model: 'a' }),
    )
    const withoutSpeed = ({ rows, total, ...others }: FigureReport) => ({
      ...others,
      rows: rows.map((row) => ({ ...row, first_p95: null })),
      total: { ...total, first_p95: null },
    })
    for (const by of ['model', 'key', 'user', 'channel']) {
      const query = { ...lately, by, top: 2 }
      const all = await answer(admin, query)
      statements.forget()
      expect(await answer(admin, { ...query, speed: 'none' })).toEqual(withoutSpeed(all))
      expect(await statements.read('speed_hours')).toEqual([])
      expect(await statements.read('speed_site_hours')).toEqual([])
      expect((await statements.read('usage_hours')).length).toBe(5)
    }
  })

  it('counts errors by class within models', async () => {
    await charge(call(now - 3600, { model: 'a' }))
    const failed = (status: number) =>
      call(now - 3600, { kind: 'error', quota: 0, model: 'a', receipt: undefined, other: { status } })
    await writeLogs({ database, logDatabase: database }, [failed(429), failed(429), failed(500)])
    const shown = await answer(admin, { ...lately, metric: 'errors', second: 'status' })
    expect(shown.rows).toMatchObject([
      {
        key: 'a',
        value: 3,
        calls: 4,
        rows: [
          { key: 'rate_limited', value: 2 },
          { key: 'server_error', value: 1 },
          { key: 'success', value: 0, calls: 1 },
        ],
      },
    ])
    expect((await answer(admin, { ...lately, metric: 'error_share' })).total.value).toBe(0.75)
  })

  it('puts months together from days', async () => {
    await charge(
      call(at('2026-09-30T23:00:00Z'), { quota: 1 }),
      call(at('2026-10-01T00:00:00Z'), { quota: 2 }),
      call(at('2026-11-02T00:00:00Z'), { quota: 4 }),
    )
    const shown = await answer(admin, { ...lately, start_timestamp: at('2026-09-10T00:00:00Z'), rollup: 'month' })
    expect(shown).toMatchObject({ rollup: 'month', utc_days: true, sums: [1, 2, 4] })
    expect(shown.buckets.map((start) => new Date(start * 1000).toISOString().slice(0, 10))).toEqual([
      '2026-09-10',
      '2026-10-01',
      '2026-11-01',
    ])
  })

  it('shows users their own alone, and nothing that is for operators', async () => {
    await charge(call(now - 3600, { quota: 5, userId: 1, cost: 4 }), call(now - 3600, { quota: 600, userId: 2 }))
    const own = await answer(user, { ...lately, second: 'key' }, '/api/explore/self')
    expect(own.total.value).toBe(5)
    expect(JSON.stringify(own)).not.toContain('owner')
    const asked = [
      { metric: 'margin' },
      { metric: 'cost' },
      { by: 'user' },
      { by: 'channel' },
      { second: 'channel' },
      { filters: '[{"dimension":"user","is":"is","values":["2"]}]' },
    ]
    for (const query of asked)
      expect(
        await ask(user, { ...lately, ...query } as unknown as Record<string, string>, '/api/explore/self'),
      ).toMatchObject({
        code: 'permission_denied',
      })
    const narrowed = { ...lately, filters: '[{"dimension":"status","is":"not","values":["timeout"]}]' }
    expect((await answer(user, narrowed, '/api/explore/self')).total.value).toBe(5)
    expect(await ask(user, lately)).toMatchObject({ code: 'permission_denied' })
  })

  it('splits by session, which speed and groups are not kept by', async () => {
    await charge(
      call(at('2026-11-20T10:00:00Z'), { quota: 40, model: 'a', session: 's1', cost: 30 }),
      call(at('2026-11-20T10:00:00Z'), { quota: 5, model: 'b', session: 's2' }),
      call(at('2026-11-20T10:00:00Z'), { quota: 7, model: 'a' }),
    )
    const shown = await answer(admin, { ...lately, by: 'session', second: 'model', top: 1 })
    expect(shown.rows).toMatchObject([
      { key: 's1', value: 40, rows: [{ key: 'a', value: 40 }] },
      // The other session, and the call without one.
      { rest: true, value: 12 },
    ])
    expect(await answer(admin, { ...lately, metric: 'margin', by: 'session' })).toMatchObject({ total: { value: 10 } })
    for (const question of [
      { metric: 'first_p95', by: 'session' },
      { by: 'session', second: 'group' },
    ])
      expect(await ask(admin, { ...lately, ...question })).toMatchObject({ code: 'invalid_parameter' })
  })

  it('splits by organisation, team, project and member, to whom keys belong today; others have none', async () => {
    const place = { organisation_id: 5, created_time: 1, deleted_at: null }
    const { query } = database
    await query
      .insertInto('organisations')
      .values({ id: 5, name: 'Northwind', wallet_user_id: 40, domain: '', created_time: 1, deleted_at: null })
      .execute()
    await query
      .insertInto('teams')
      .values({ ...place, id: 6, name: 'Platform', models: '' })
      .execute()
    await query
      .insertInto('projects')
      .values({ ...place, id: 7, team_id: 6, name: 'billing-api', models: '' })
      .execute()
    await query.insertInto('tokens').values(projectKey).execute()
    await charge(
      call(at('2026-11-20T10:00:00Z'), { quota: 30, userId: 40, tokenId: 41 }),
      call(at('2026-11-20T10:00:00Z'), { quota: 12, userId: 1, tokenId: 1 }),
    )
    const rows = async (more: Record<string, string>) =>
      (await answer(admin, { ...lately, ...more })).rows.map(({ key, name, value }) => [key, name, value])
    expect(await rows({ by: 'organisation' })).toEqual([
      ['5', 'organisations 5', 30],
      ['0', '', 12],
    ])
    expect(await rows({ by: 'team', metric: 'calls' })).toEqual([
      ['0', '', 1],
      ['6', 'teams 6', 1],
    ])
    expect(await rows({ by: 'project' })).toEqual([
      ['7', 'projects 7', 30],
      ['0', '', 12],
    ])
    expect(await rows({ by: 'member' })).toEqual([
      ['3', 'user 3', 30],
      ['0', '', 12],
    ])
    const of = (filter: object) => ({ by: 'model', filters: JSON.stringify([filter]) })
    expect(await rows(of({ dimension: 'team', is: 'is', values: ['6'] }))).toEqual([
      [expect.any(String), expect.any(String), 30],
    ])
    expect(await rows(of({ dimension: 'organisation', is: 'contains', values: ['north'] }))).toHaveLength(1)
    const both = await answer(admin, { ...lately, by: 'team', second: 'project' })
    expect(both.rows[0]).toMatchObject({ key: '6', rows: [{ key: '7', name: 'projects 7', value: 30 }] })
    for (const by of ['organisation', 'team', 'project', 'member'])
      expect((await ask(user, { ...lately, by }, '/api/explore/self')).code).toBe('permission_denied')
  })

  it('refuses unreadable filters and ranges that end before they begin, and says that it is off', async () => {
    for (const filters of ['no json', '{}', '[{"dimension":"price","is":"is","values":["1"]}]'])
      expect(await ask(admin, { ...lately, filters })).toMatchObject({ success: false })
    expect(await ask(admin, { start_timestamp: now, end_timestamp: now - day })).toMatchObject({
      code: 'invalid_parameter',
    })
    enabled = false
    expect(await ask(admin, lately)).toMatchObject({ code: 'dashboard_off' })
  })

  it('forgets how fast keys were after the days that the operator chose, and keeps the sums of the site', async () => {
    const measures = { totalMs: 900, firstMs: 300, cached: 0, cacheWrite: 0, reasoning: 0 }
    await charge(...[40, 31, 2].map((days) => call(now - days * day, { measures })))
    await createSpeedTrim({ database, days: () => 30, clock: () => now * 1000 })()
    const left = async (table: 'speed_hours' | 'speed_site_hours') =>
      new Set((await database.query.selectFrom(table).select('created_at').execute()).map((row) => row.created_at)).size
    expect(await left('speed_hours')).toBe(1)
    expect(await left('speed_site_hours')).toBe(3)
  })
})
