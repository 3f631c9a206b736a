import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { signedIn } from '../../../test/support/features/signed-in.ts'
import { testChannel } from '../../../test/support/relay/ports.ts'
import type { Database } from '../../db/database.ts'
import { noAnswer } from '../../relay/upstream/upstream-failure.ts'
import { percentile } from './counts.ts'
import { createHealthService, type HealthService } from './health.ts'
import { type LiveHealth, openLiveHealth } from './live.ts'
import { healthRoutes } from './routes.ts'
import { openHealthStore } from './store.ts'

const startMs = 1_900_000_800_000
const models = new Set(['gpt-4o', 'o3'])
const broken = { status: 500, type: '', code: '', message: 'overloaded', cause: '' }

describeEachEngine('the health of channels', (open) => {
  let database: Database
  let now: number

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    now = startMs
    await database.query.deleteFrom('channel_health').execute()
  })

  const openNode = (store = openHealthStore(database)): { live: LiveHealth; health: HealthService } => {
    const clock = () => now
    const live = openLiveHealth({ clock, bus: { publish: () => {}, subscribe: () => () => {} } })
    return { live, health: createHealthService({ store, live, clock }) }
  }
  const see = (
    live: LiveHealth,
    count: number,
    more: { id?: number; model?: string; ms?: number; fails?: string } = {},
  ) => {
    const { id = 1, model = 'gpt-4o', ms = 400, fails } = more
    const failure = fails === undefined ? undefined : { ...broken, message: fails }
    for (let index = 0; index < count; index += 1) {
      live.seen(testChannel({ id, models }), failure, 'k', model, ms, failure ? -1 : ms / 2)
    }
  }

  it('adds up what several nodes write at the same time', async () => {
    const nodes = [openNode(), openNode(), openNode()]
    for (let round = 0; round < 5; round += 1) {
      for (const { live } of nodes) {
        see(live, 4)
        see(live, 1, { fails: `of round ${round}` })
        see(live, 2, { model: 'o3', ms: 4000 })
        see(live, 1, { id: 2 })
        live.charged(1, 'gpt-4o', 100)
      }
      await Promise.all(nodes.map(({ health }) => health.flush()))
    }
    const rows = await database.query.selectFrom('channel_health').selectAll().execute()
    expect(rows).toHaveLength(3)
    const [one, two] = await openNode().health.list([])
    expect(one).toMatchObject({
      channel_id: 1,
      calls: 105,
      success_rate: 90 / 105,
      first_content_ms: (60 * 200 + 30 * 2000) / 90,
      quota: 1500,
      last_error: 'of round 4',
      last_error_time: startMs / 1000,
    })
    expect(one?.kinds).toMatchObject({ ok: 90, server_error: 15 })
    expect(two).toMatchObject({ channel_id: 2, calls: 15, success_rate: 1 })
  })

  it('distinguishes the models of a channel, and says which are skipped', async () => {
    const { live, health } = openNode()
    see(live, 95, { ms: 400 })
    see(live, 5, { ms: 9000 })
    see(live, 5, { model: 'o3', fails: 'down' })
    await health.flush()
    const call = signedIn(
      (on) => healthRoutes(on, { health, modelsOf: async () => ['gpt-4o', 'o3', 'never-called'] }),
      {
        role: 10,
      },
    )
    const { json } = await call('GET', '/api/channel/1/health')
    expect(json.data).toMatchObject({ calls: 105, avoided: 1, p95_ms: 500 })
    const shown = (json.data as { models: { model: string }[] }).models
    expect(shown).toMatchObject([
      { model: 'gpt-4o', calls: 100, success_rate: 1, state: 'closed', until: 0, last_error: '' },
      { model: 'o3', calls: 5, success_rate: 0, state: 'open', until: startMs / 1000 + 30, last_error: 'down' },
      { model: 'never-called', calls: 0, success_rate: null, p95_ms: null, state: 'closed' },
    ])
  })

  it('names the last error by its code where the text is ours', async () => {
    const { live, health } = openNode()
    const { failure } = noAnswer({ code: 'upstream_broke', cause: 'reset', status: 0 }, testChannel(), 'k')
    live.seen(testChannel({ id: 1, models }), failure, 'k', 'o3', 400, -1)
    const call = signedIn((on) => healthRoutes(on, { health, modelsOf: async () => [] }), { role: 10 })
    const { data } = (await call('GET', '/api/channel/1/health')).json as { data: { models: unknown[] } }
    const error = { last_error: '上游连接中断', code: 'upstream_broke', params: {} }
    expect(data).toMatchObject({ ...error, models: [error] })
    const rows = await database.query.selectFrom('channel_health').select('last_error').execute()
    expect(rows).toEqual([{ last_error: '{"code":"upstream_broke","params":{}}' }])
  })

  it('draws a day in quarter hours, the running one last', async () => {
    const { live, health } = openNode()
    see(live, 3)
    now += 1800_000
    see(live, 2, { fails: 'late' })
    await health.flush()
    const [one] = await health.list([1])
    expect(one?.points).toHaveLength(96)
    const last = one?.points.slice(-3)
    expect(last?.map(({ answered, failed }) => [answered, failed])).toEqual([
      [3, 0],
      [0, 0],
      [0, 2],
    ])
    expect(last?.[2]?.time).toBe(Math.floor(now / 1000 / 900) * 900)
    expect(await health.list([99])).toEqual([])
    now += 86_400_000
    expect(await health.list([1])).toEqual([])
  })

  it('loses nothing while the database is away, and counts nothing twice', async () => {
    const store = openHealthStore(database)
    let isDown = true
    const { live, health } = openNode({
      ...store,
      add: (harvest) => (isDown ? Promise.reject(new Error('down')) : store.add(harvest)),
    })
    see(live, 3)
    await expect(health.flush()).rejects.toThrow('down')
    see(live, 4)
    await expect(health.flush()).rejects.toThrow('down')
    isDown = false
    await health.flush()
    await health.flush()
    expect((await health.list([1]))[0]?.calls).toBe(7)
  })

  it('keeps two days', async () => {
    const { live, health } = openNode()
    see(live, 1)
    await health.flush()
    now += 2 * 86_400_000
    await health.purge()
    expect(await database.query.selectFrom('channel_health').selectAll().execute()).toHaveLength(1)
    now += 300_000
    await health.purge()
    expect(await database.query.selectFrom('channel_health').selectAll().execute()).toEqual([])
  })
})

describe('a percentile', () => {
  const classes = (...counts: [number, number][]): number[] => {
    const all = new Array<number>(16).fill(0)
    for (const [index, count] of counts) all[index] = count
    return all
  }

  it.each([
    ['nothing', classes(), undefined],
    ['calls that took no time to speak of', classes([0, 100]), { ms: 100, exceeded: false }],
    ['one class', classes([3, 100]), { ms: 500, exceeded: false }],
    ['two classes', classes([3, 90], [8, 10]), { ms: 3000, exceeded: false }],
    ['a few slow ones', classes([3, 95], [8, 5]), { ms: 500, exceeded: false }],
    ['only what took longest', classes([15, 10]), { ms: 60_000, exceeded: true }],
  ])('of %s claims no more than was counted', (_, durations, found) =>
    expect(percentile(durations, 0.95)).toEqual(found),
  )
})
