import type { ChangeReport, ChangeTermShown, FigureCondition, FigureMetric, FigureReport } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { createSiteEvents } from '#server/features/audit/site-events.ts'
import { createFigureReport } from '#server/features/figures/report.ts'
import { figureRoutes } from '#server/features/figures/routes.ts'
import { applyCharges } from '#server/ledger/apply/batch.ts'
import type { Weights } from '#server/reports/change/cells.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { type SignedIn, signedIn } from '#server-test/support/features/signed-in.ts'
import { aJournalRecord } from '#server-test/support/journal/records.ts'
import { createChangeReport } from './report.ts'
import { changeRoutes } from './routes.ts'

const at = (text: string): number => Date.parse(text) / 1000
const day = 86_400
/** A Friday; yesterday is a Thursday. */
const now = at('2026-11-20T12:30:00Z')
const yesterday = at('2026-11-19T00:00:00Z')
const weeksBefore = [1, 2, 3, 4].map((weeks) => yesterday - weeks * 7 * day)

/** Two for a prompt token, one from the cache, eight for an answered one. */
const weights: Weights = { call: 0n, prompt: 2n, cached: 1n, written: 2n, output: 8n }

interface Caller {
  readonly userId: number
  readonly tokenId: number
  readonly model?: string
  readonly channelId?: number
  readonly group?: string
}

interface Call {
  readonly prompt: number
  readonly cached?: number
  readonly output: number
  /** Factor of the price. */
  readonly price?: number
}

const sums = ['usage_hours', 'usage_days', 'usage_site_days', 'usage_user_periods'] as const
const tables = [...sums, 'failure_hours', 'audit'] as const

let requests = 0
const call = (moment: number, caller: Caller, { prompt, cached = 0, output, price = 1 }: Call) => {
  requests += 1
  return aJournalRecord(`changed-${requests}`, {
    at: moment * 1000,
    tokenName: `key ${caller.tokenId}`,
    model: 'gpt',
    group: 'default',
    ...caller,
    quota: ((prompt - cached) * 2 + cached + output * 8) * price,
    promptTokens: prompt,
    measures: { cached, cacheWrite: 0, reasoning: 0 },
    completionTokens: output,
  })
}

const carol: Caller = { userId: 1, tokenId: 11 }
const dave: Caller = { userId: 2, tokenId: 21, model: 'claude', channelId: 3 }

/** A thousand tokens asked, half of them from the cache, fifty answered: 1,900 units. */
const usualCall: Call = { prompt: 1_000, cached: 500, output: 50 }

const sumOf = (parts: readonly { readonly amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0)

describeEachEngine('explained changes', (open) => {
  let database: Database
  let admin: SignedIn
  let user: SignedIn
  let capped: SignedIn

  beforeAll(async () => {
    database = await open()
  })

  beforeEach(async () => {
    for (const table of tables) await database.query.deleteFrom(table).execute()
    const channelNames = async (ids: readonly number[]) => new Map(ids.map((id) => [id, `channel ${id}`]))
    const parts = {
      database,
      enabled: () => true,
      refreshMinutes: () => 5,
      weightsOf: () => weights,
      userNames: async (ids: readonly number[]) => new Map(ids.map((id) => [id, `user ${id}`])),
      channelNames,
      placeNames: async () => new Map<number, string>(),
      tokenNames: async (ids: readonly number[]) => new Map(ids.map((id) => [id, { name: `key ${id}`, owner: '' }])),
      events: createSiteEvents(database, channelNames),
      clock: () => now * 1000,
    }
    const open_ = (mostCells?: number, who = {}) =>
      signedIn((on) => {
        changeRoutes(on, createChangeReport({ ...parts, ...(mostCells === undefined ? {} : { mostCells }) }))
        figureRoutes(on, {
          report: createFigureReport(parts),
          organisationScope: async () => expect.fail('no organisation is asked about'),
        })
      }, who)
    admin = open_(undefined, { id: 9, role: 10 })
    capped = open_(2, { id: 9, role: 10 })
    user = open_(undefined, { id: 1, username: 'carol' })
  })

  const charge = (...records: ReturnType<typeof call>[]) =>
    applyCharges({ database, hourly: false, versions: false }, records)

  /** The same calls in each of the four weeks before. */
  const callsOn = (start: number, caller: Caller, { count, one }: { count: number; one: Call }) =>
    Array.from({ length: count }, (_, index) => call(start + 3_600 * (index % 24) + 60, caller, one))
  const chargeUsual = (caller: Caller, count: number, one: Call = usualCall) =>
    charge(...weeksBefore.flatMap((start) => callsOn(start, caller, { count, one })))
  const chargeYesterday = (caller: Caller, count: number, one: Call = usualCall) =>
    charge(...callsOn(yesterday, caller, { count, one }))

  const get = async <T>(who: SignedIn, path: string, query: object = {}): Promise<T> => {
    const { json } = await who('GET', `${path}?${new URLSearchParams(query as Record<string, string>)}`)
    if (json.success !== true) throw new Error(`${path}: ${json.code}`)
    return json.data as T
  }
  const changes = (query: object = {}, who = admin) => get<ChangeReport>(who, '/api/changes', query)

  const figure = async (metric: FigureMetric, filters: readonly FigureCondition[], from: number, to: number) => {
    const query = {
      metric,
      filters: JSON.stringify(filters),
      start_timestamp: from,
      end_timestamp: to - 1,
      compare: 'none',
    }
    const { total } = await get<FigureReport>(admin, '/api/explore', query)
    return total.value ?? 0
  }

  const answered: FigureCondition = { dimension: 'status', is: 'is', values: ['success'] }
  const figuresOf = async (filters: readonly FigureCondition[], from: number, to: number) => ({
    calls: await figure('calls', [...filters, answered], from, to),
    quota: await figure('spend', filters, from, to),
    prompt: await figure('input_tokens', filters, from, to),
    cached: await figure('cached_tokens', filters, from, to),
    written: await figure('cache_write_tokens', filters, from, to),
    output: await figure('output_tokens', filters, from, to),
  })

  /** Each term opens figures that are its own, and terms and rows add up. */
  const expectExact = async (report: ChangeReport) => {
    expect(sumOf(report.terms)).toBe(report.difference)
    expect(report.difference).toBe(report.now.quota - report.usual)
    for (const term of report.terms) {
      expect([term.effect, sumOf(term.rows)]).toEqual([term.effect, term.amount])
      const { filters } = term
      expect(await figuresOf(filters, report.from, report.to)).toEqual(term.now)
      const before = { calls: 0, quota: 0, prompt: 0, cached: 0, written: 0, output: 0 }
      for (const { from, to } of report.reference) {
        const sums = await figuresOf(filters, from, to)
        for (const name of Object.keys(before) as (keyof typeof before)[]) before[name] += sums[name]
      }
      expect(before).toEqual(term.before)
    }
  }

  const short = ({ effect, amount, user: owner, key, model }: ChangeTermShown) => [
    effect,
    amount,
    [owner?.name, key?.name, model].filter(Boolean).join(' '),
  ]

  it('has the margin of calls whose cost is known, for operators alone', async () => {
    const costed = (start: number, cost: number) => ({ ...call(start + 60, carol, usualCall), cost })
    await charge(...weeksBefore.map((start) => costed(start, 400)), costed(yesterday, 900))
    await chargeYesterday(carol, 1)
    expect((await changes()).margin).toEqual({ sold: 1_900, cost: 900, usual_sold: 1_900, usual_cost: 400 })
    expect(await figure('margin', [], yesterday, yesterday + day)).toBe(1_000)
    expect(await get<ChangeReport>(user, '/api/changes/self')).not.toHaveProperty('margin')
  })

  it('names longer prompts of a key, a lower cache share of a model with its channel, and fewer calls', async () => {
    await chargeUsual(carol, 10)
    await chargeUsual(dave, 8)
    await chargeUsual({ userId: 3, tokenId: 31 }, 6)
    await chargeYesterday(carol, 10, { prompt: 2_000, cached: 1_000, output: 50 })
    await chargeYesterday(dave, 4)
    await chargeYesterday({ ...dave, channelId: 4 }, 4, { prompt: 1_000, output: 50 })
    await chargeYesterday({ userId: 3, tokenId: 31 }, 5)
    await database.query
      .insertInto('audit')
      .values({
        created_at: yesterday + 36_840,
        action: 'channel.create',
        object_id: '4',
        after: '{}',
        before: '{}',
        actor_id: 1,
        actor_name: 'root',
        object: 'channel',
        ip: '',
      })
      .execute()
    const report = await changes()
    expect(report).toMatchObject({ from: yesterday, to: yesterday + day, kind: 'weekday', usual: 45_600, calm: false })
    expect(report.reference.map(({ from }) => from)).toEqual(weeksBefore)
    expect(report.terms.map(short)).toEqual([
      ['input', 15_000, 'user 1 key 11'],
      ['cache', 2_000, 'claude'],
      ['calls', -1_900, 'user 3 key 31'],
    ])
    expect(report.terms[1]?.event).toMatchObject({ kind: 'channel_added', name: 'channel 4', at: yesterday + 36_840 })
    expect(report.terms[1]?.rows).toMatchObject([{ key: '4', name: 'channel 4', amount: 2_000 }])
    await expectExact(report)
  })

  it('is calm where a day is like the same weekday of the weeks before', async () => {
    await chargeUsual(carol, 10)
    await chargeYesterday(carol, 10)
    expect(await changes()).toMatchObject({ usual: 19_000, difference: 0, calm: true, terms: [] })
  })

  it('compares with the whole days before while the sums are younger than a week, and with nothing on the first day', async () => {
    await chargeYesterday(carol, 4)
    expect(await changes()).toMatchObject({ reference: [], kind: 'days', now: { quota: 7_600 }, terms: [] })
    const first = yesterday - 2 * day
    await charge(
      call(first, carol, usualCall),
      call(first + day + 60, carol, usualCall),
      call(first + day, carol, usualCall),
    )
    const report = await changes()
    expect(report).toMatchObject({ kind: 'days', usual: 2_850, difference: 4_750 })
    expect(report.reference.map(({ from }) => from)).toEqual([first + day, first])
    await expectExact(report)
  })

  it('compares a period with as long a time before it, of one key, and in the days of a zone', async () => {
    await charge(call(now - 12 * day, carol, usualCall), call(now - 12 * day, dave, usualCall))
    await charge(call(now - 2 * day, carol, { ...usualCall, price: 3 }))
    const report = await changes({
      start_timestamp: now - 7 * day,
      end_timestamp: now,
      filters: JSON.stringify([{ dimension: 'key', is: 'is', values: ['11'] }]),
      zone: 'Asia/Shanghai',
    })
    expect(report).toMatchObject({ kind: 'before', usual: 1_900, difference: 3_800 })
    expect(report.terms.map(short)).toEqual([['price', 3_800, 'gpt']])
    await expectExact(report)
    const zoned = await changes({ zone: 'Asia/Shanghai' })
    expect(zoned.from).toBe(at('2026-11-18T16:00:00Z'))
  })

  it('adds up with many callers, and where not every cell is read by itself', async () => {
    const random = (seed: number): number => (seed * 7_919 + 104_729) % 1_003
    const charged = Array.from({ length: 24 }, (_, index) => {
      const caller: Caller = {
        userId: 1 + (index % 5),
        tokenId: index,
        model: `model ${index % 3}`,
        channelId: 1 + (index % 2),
        group: index % 4 === 0 ? 'vip' : 'default',
      }
      const one = (seed: number): Call => ({
        prompt: 500 + random(seed),
        cached: random(seed + 5) % 400,
        output: random(seed + 9),
        price: 1 + (random(seed + 3) % 2),
      })
      return [
        ...weeksBefore.flatMap((start) => callsOn(start, caller, { count: 1 + (index % 3), one: one(index) })),
        ...callsOn(yesterday, caller, { count: 1 + (random(index) % 4), one: one(index + 50) }),
      ]
    })
    await charge(...charged.flat())
    const report = await changes()
    expect(report.terms.length).toBeGreaterThan(4)
    expect(report.terms.length).toBeLessThanOrEqual(6)
    await expectExact(report)
    const roughly = await changes({}, capped)
    expect(roughly).toMatchObject({ now: report.now, before: report.before, difference: report.difference })
    await expectExact(roughly)
  })

  it('explains to users their own calls alone, and without what operators see', async () => {
    await chargeUsual(carol, 2)
    await chargeUsual(dave, 2)
    await chargeYesterday(carol, 2, { ...usualCall, output: 100 })
    await chargeYesterday(dave, 9)
    const own = await get<ChangeReport>(user, '/api/changes/self')
    expect(own.terms.map(short)).toEqual([['output', 800, 'key 11']])
    expect(own.terms[0]?.filters).toEqual([{ dimension: 'key', is: 'is', values: ['11'] }])
    const asOperator = await user('GET', '/api/changes')
    expect(asOperator.json).toMatchObject({ code: 'permission_denied' })
    const filters = JSON.stringify([{ dimension: 'user', is: 'is', values: ['2'] }])
    expect((await user('GET', `/api/changes/self?${new URLSearchParams({ filters })}`)).json).toMatchObject({
      code: 'permission_denied',
    })
  })
})
