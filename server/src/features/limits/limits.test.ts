import { type FoundSubject, type Limit, type LimitStanding, limitChange } from '@tollgate/contract'
import { beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { testUser } from '../../../test/support/db/rows.ts'
import { signedIn } from '../../../test/support/features/signed-in.ts'
import { openTestLimiter } from '../../../test/support/limits/limiter.ts'
import type { Database } from '../../db/database.ts'
import { insertReturningId } from '../../db/dialect.ts'
import { AppError } from '../../lib/app-error.ts'
import { localBus } from '../../lib/redis/local-bus.ts'
import type { Limiter } from '../../limits/limiter.ts'
import { openAudit } from '../audit/audit.ts'
import { openChannelNames } from './channel-names.ts'
import { openStoredCounts, purgeCounts } from './counts.ts'
import { openLimits } from './limits.ts'
import { limitRoutes } from './routes.ts'
import { addLimit } from './store.ts'

const now = Date.parse('2026-11-24T12:30:00Z')
const clock = () => now
const ringOf = (...seeds: number[]) => ({ rotation: 'random' as const, affinity: true, seeds, next: 0 })
const channels = openChannelNames(
  () => [
    { id: 4, name: 'main', type: 1, keys: ['sk-first-000001', 'sk-second-00002'], ring: ringOf(11, 12) },
    { id: 9, name: 'other', type: 1, keys: ['sk-third-000003'] },
  ],
  (_, key) => `…${key.slice(-4)}`,
)
/** A key of a user, without quota. */
const testToken = (user_id: number, id: number) => ({
  id,
  user_id,
  key_hash: `hash ${id}`,
  key_cipher: '',
  key_hint: '',
  name: `key ${id}`,
  status: 1,
  created_time: 0,
  accessed_time: 0,
  expired_time: -1,
  remain_quota: 0,
  unlimited_quota: 1,
  used_quota: 0,
  model_limits_enabled: 0,
  model_limits: '',
  allow_ips: '',
  group: '',
  deleted_at: null,
})
const log = { warn: () => {}, error: () => {}, info: () => {} }

describeEachEngine('limits', (open) => {
  let database: Database
  let limiters: Limiter[]
  /** Limits that each of two nodes counts by. */
  let nodes: (readonly Limit[])[]
  /** Reads the limits anew, as a node does by the clock. */
  let look: () => Promise<void>
  let asAdmin: ReturnType<typeof signedIn>
  let asUser: ReturnType<typeof signedIn>

  beforeEach(async () => {
    database = await open()
    nodes = [[], []]
    const local = localBus(log as never)
    const bus = {
      publish: (topic: string, message = '') => local.deliver(topic, { kind: 'message', message, own: false }),
      subscribe: local.subscribe,
    }
    limiters = ['a', 'b'].map((node) => openTestLimiter([], { clock, counts: openStoredCounts(database, node), node }))
    const openNode = (node: number) =>
      openLimits({
        database,
        audit: openAudit(database, clock),
        bus,
        clock,
        warn: () => {},
        async assertTarget(target) {
          if (target.includes('127.0.0.1')) throw new AppError('address_blocked', { params: { host: '127.0.0.1' } })
        },
        changed(limits) {
          nodes[node] = limits
          limiters[node]?.setLimits(limits)
        },
      })
    const limits = await openNode(0)
    await openNode(1)
    look = limits.look
    const [limiter] = limiters
    if (limiter === undefined) throw new Error('no limiter')
    const as = (id: number, role: number) =>
      signedIn((on) => limitRoutes(on, { limits, limiter, database, channels, clock }), {
        id,
        role,
        username: `u${id}`,
      })
    asAdmin = as(7, 10)
    asUser = as(3, 1)
    for (const [user, token] of [
      [3, 5],
      [4, 6],
    ] as const) {
      await insertReturningId(database.query, 'users', { ...testUser(`u${user}`), id: user, aff_code: `a${user}` })
      await insertReturningId(database.query, 'tokens', testToken(user, token))
    }
  })

  const rule = { name: 'daily', measure: 'requests', amount: 3, window: 'day', subjects: [{ kind: 'key' }] }
  const own = (key: number) => ({ ...rule, subjects: [{ kind: 'key', value: String(key) }] })

  it('are stored, listed and known to every node', async () => {
    const made = await asAdmin('POST', '/api/limits', rule)
    expect(made.json.data).toMatchObject({ ...limitChange.parse(rule), owner_id: 0, changed_time: now / 1000 })
    const { id } = made.json.data as Limit
    const amounts = () => nodes.map((limits) => limits.map(({ amount }) => amount))
    await expect.poll(amounts).toEqual([[3], [3]])
    expect((await asAdmin('PUT', `/api/limits/${id}`, { ...rule, amount: 9 })).json.success).toBe(true)
    await expect.poll(amounts).toEqual([[9], [9]])
    expect((await asAdmin('DELETE', `/api/limits/${id}`)).json.success).toBe(true)
    await expect.poll(amounts).toEqual([[], []])
    expect((await asAdmin('PUT', `/api/limits/${id}`, rule)).json.code).toBe('limit_not_found')
  })

  it('that a command wrote are known once the node looks, and nothing changes where none were', async () => {
    await database.transaction((trx) => addLimit(trx, 0, limitChange.parse(rule), now / 1000))
    await look()
    const known = nodes[0]
    expect(known).toMatchObject([{ name: 'daily' }])
    await look()
    expect(nodes[0]).toBe(known)
  })

  it.each([
    ['calls under way in a day', { ...rule, measure: 'running' }],
    ['the same subject twice', { ...rule, subjects: [{ kind: 'key' }, { kind: 'key' }] }],
    ['no subject', { ...rule, subjects: [] }],
    ['an unknown time zone', { ...rule, time_zone: 'Mars/Olympus' }],
    ['an amount of zero', { ...rule, amount: 0 }],
  ])('are refused with %s', async (_, body) => {
    expect((await asAdmin('POST', '/api/limits', body)).json.success).toBe(false)
  })

  it('refuse further readers that may not be called, or are none, and users name none', async () => {
    const telling = (...also_notify: string[]) => ({ ...rule, also_notify })
    expect((await asAdmin('POST', '/api/limits', telling('https://127.0.0.1/hook'))).json.success).toBe(false)
    expect((await asAdmin('POST', '/api/limits', telling('ftp://example.com'))).json.success).toBe(false)
    expect((await asAdmin('POST', '/api/limits', telling('nobody'))).json.success).toBe(false)
    const made = await asAdmin('POST', '/api/limits', telling('a@example.com', 'https://example.com/hook'))
    expect(made.json.data).toMatchObject({ also_notify: ['a@example.com', 'https://example.com/hook'] })
    const ofUser = { ...own(5), also_notify: ['a@example.com'] }
    expect((await asUser('POST', '/api/limits/self', ofUser)).json.success).toBe(false)
  })

  it.each([
    ['without a model', { action: 'fallback' }],
    ['of a channel', { action: 'fallback', fallback_model: 'small', subjects: [{ kind: 'channel' }] }],
    ['that refuses and names a model', { fallback_model: 'small' }],
    ['of an unknown deadline', { subjects: [{ kind: 'deadline', value: 'soon' }] }],
    ['with a usual pace of minutes', { window: 'minute', tell_unusual: true }],
  ])('are refused with another model %s', async (_, change) => {
    expect((await asAdmin('POST', '/api/limits', { ...rule, ...change })).json.success).toBe(false)
  })

  it('of users are on own keys alone', async () => {
    expect((await asUser('POST', '/api/limits/self', own(6))).json.code).toBe('limit_key_not_own')
    expect((await asUser('POST', '/api/limits/self', rule)).json.code).toBe('limit_key_not_own')
    const onChannel = { ...rule, subjects: [{ kind: 'key', value: '5' }, { kind: 'channel' }] }
    expect((await asUser('POST', '/api/limits/self', onChannel)).json.success).toBe(false)
    const made = await asUser('POST', '/api/limits/self', own(5))
    expect(made.json.data).toMatchObject({ owner_id: 3 })
    const site = (await asAdmin('POST', '/api/limits', rule)).json.data as Limit
    expect((await asUser('PUT', `/api/limits/self/${site.id}`, own(5))).json.code).toBe('limit_not_found')
    expect((await asUser('DELETE', `/api/limits/self/${site.id}`)).json.code).toBe('limit_not_found')
    expect((await asUser('GET', '/api/limits/self')).json.data).toHaveLength(1)
    expect((await asAdmin('GET', '/api/limits')).json.data).toHaveLength(2)
  })

  it('say where they stand for a key, counts of an earlier process included', async () => {
    await asAdmin('POST', '/api/limits', rule)
    const [first, second] = limiters
    await expect.poll(() => nodes[1]).toHaveLength(1)
    const caller = { userId: 3, username: 'u3', tokenId: 5, tokenName: 'key 5', group: 'vip' }
    const entry = await second?.enter({ caller, model: 'gpt-5', ip: '::1' }, { input: 1, output: 1, money: 1 })
    entry?.settle({ promptTokens: 1, completionTokens: 1, quota: 1 })
    await second?.renew()
    await second?.renew()
    expect(first).toBeDefined()
    const states = await asUser('GET', '/api/limits/self/state?key=5')
    expect(states.json.data).toMatchObject([
      { name: 'daily', subject: 'key key 5', amount: 3, used: 1, left: 2, free_at: Date.parse('2026-11-25') / 1000 },
    ])
    expect((await asUser('GET', '/api/limits/self/state?key=6')).json.code).toBe('not_found')
    await purgeCounts(database, now + 50 * 86_400_000)
    expect(await database.query.selectFrom('limit_counts').selectAll().execute()).toEqual([])
  })
  it('name those of their subjects that have used most', async () => {
    await asAdmin('POST', '/api/limits', rule)
    await asUser('POST', '/api/limits/self', own(5))
    const caller = (tokenId: number) => ({ userId: 3, username: 'u3', tokenId, tokenName: 'key', group: 'vip' })
    for (const key of [5, 6, 6]) {
      await limiters[0]?.enter({ caller: caller(key), model: 'gpt-5', ip: '::1' }, { input: 1, output: 1, money: 1 })
    }
    const { data } = (await asAdmin('GET', '/api/limits/standing')).json as { data: LimitStanding[] }
    const each = data.find(({ subjects }) => subjects[0]?.value === '')
    expect(each).toMatchObject({ counted: 2, subjects: [{ kind: 'key', name: '' }] })
    expect(each?.states.map(({ subjects, left }) => [subjects[0]?.name, left])).toEqual([
      ['key 6', 1],
      ['key 5', 2],
    ])
    const mine = (await asUser('GET', '/api/limits/self/standing')).json.data
    expect(mine).toMatchObject([{ counted: 1, subjects: [{ kind: 'key', value: '5', name: 'key 5' }] }])
  })

  it('find what they can be on, and for users their own keys alone', async () => {
    const found = async (as: typeof asUser, path: string) =>
      ((await as('GET', path)).json.data as FoundSubject[]).map(({ name }) => name)
    expect(await found(asAdmin, '/api/limits/subjects?kind=key&keyword=KEY')).toEqual(['key 5', 'key 6'])
    expect(await found(asAdmin, '/api/limits/subjects?kind=key&keyword=%236')).toEqual(['key 6'])
    expect(await found(asAdmin, '/api/limits/subjects?kind=user&keyword=u4')).toEqual(['u4'])
    expect(await found(asUser, '/api/limits/self/subjects?kind=key')).toEqual(['key 5'])
    expect(await found(asUser, '/api/limits/self/subjects?kind=user')).toEqual([])
    expect(await found(asAdmin, '/api/limits/subjects?kind=channel&keyword=main')).toEqual(['main'])
    expect(await found(asAdmin, '/api/limits/subjects?kind=upstream_key&keyword=main')).toEqual([
      'main …0001',
      'main …0002',
    ])
    expect(await found(asAdmin, '/api/limits/subjects?kind=upstream_key&keyword=%234:12')).toEqual(['main …0002'])
    expect(await found(asUser, '/api/limits/self/subjects?kind=channel')).toEqual([])
  })
})
