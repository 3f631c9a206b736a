import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { testUser } from '../../../test/support/db/rows.ts'
import { type SignedIn, signedIn } from '../../../test/support/features/signed-in.ts'
import type { Database } from '../../db/database.ts'
import { insertReturningId } from '../../db/dialect.ts'
import type { Trace } from '../../db/trace.ts'
import { openMemoryAccounts } from '../../ledger/holds/holds-memory.ts'
import { openMovements } from '../../ledger/movements.ts'
import { silentLog } from '../../lib/log.ts'
import { openBus } from '../../lib/redis/bus.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import { openCallerRows } from './caller/caller-rows.ts'
import { type CallerDirectory, openCallerDirectory } from './caller/directory.ts'
import { tokenRoutes } from './routes.ts'
import { firstTokenName } from './rules.ts'
import { createTokenService } from './service.ts'
import { openTokenStore } from './store.ts'

const secrets = openSecrets({ cryptoSecret: 'for tests', keyFile: '' })

describeEachEngine('own tokens', (open) => {
  let database: Database
  let directory: CallerDirectory
  let userId: number
  let now: number
  let traces: Trace[]
  let refreshed: number[]
  let call: SignedIn
  let users = 0
  let groups: string[]

  beforeAll(async () => {
    database = await open()
  })

  beforeEach(async () => {
    users += 1
    now = 1_900_000_000
    traces = []
    refreshed = []
    groups = ['default', 'vip']
    userId = await insertReturningId(database.query, 'users', { ...testUser(`user${users}`), aff_code: `a${users}` })
    directory = await openCallerDirectory({
      rows: openCallerRows(database, secrets),
      digest: (key) => secrets.digest('token_key', key),
      bus: openBus({ nodeName: 'test', log: silentLog }),
      warn: () => {},
      clock: () => now * 1000,
    })
    call = asUser(userId)
  })

  const asUser = (id: number): SignedIn => {
    const queue = createSerialQueue()
    const accounts = openMemoryAccounts({ queue, read: async () => [] })
    const movements = openMovements({
      database,
      queue,
      accounts,
      shared: false,
      hourly: () => true,
      now: () => now * 1000,
    })
    const tokens = createTokenService({
      database,
      store: openTokenStore(database),
      secrets,
      ledger: {
        ...movements,
        refreshToken: async (tokenId) => {
          refreshed.push(tokenId)
        },
      },
      groupUsable: (_, group) => groups.includes(group),
      directory,
      audit: {
        record: async (trace) => {
          traces.push(trace)
        },
      },
      clock: () => now * 1000,
      mostTokens: 40,
    })
    return signedIn((on) => tokenRoutes(on, tokens), { id })
  }

  type Shown = Record<string, unknown> & { id: number; key: string }
  const data = async <T = Shown>(method: string, path: string, body?: unknown): Promise<T> => {
    const { json } = await call(method, path, body)
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as T
  }
  const create = (body: Record<string, unknown> = {}): Promise<Shown> =>
    data('POST', '/api/token/', { name: 'laptop', remain_quota: 500, ...body })
  const entries = (id: number) =>
    database.query
      .selectFrom('ledger_entries')
      .select(['amount', 'reason'])
      .where('account', '=', 'token')
      .where('account_id', '=', id)
      .orderBy('id')
      .execute()

  it('makes a token whose key is shown whole once and works at once', async () => {
    const made = await create()
    expect(made).toMatchObject({ name: 'laptop', status: 1, expired_time: -1, remain_quota: 500, user_id: userId })
    expect(made.key).toMatch(/^[0-9A-Za-z]{48}$/)
    expect(await directory.byKey(made.key)).toMatchObject({ tokenId: made.id, user: { id: userId } })
    const [listed] = await data<Shown[]>('GET', '/api/token/')
    expect(listed?.key).toBe(`${made.key.slice(0, 3)}***${made.key.slice(-3)}`)
    expect(await entries(made.id)).toEqual([{ amount: 500, reason: 'opening' }])
  })

  it('never stores or traces a key in the clear', async () => {
    const { id, key } = await create()
    const row = await database.query.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst()
    expect(JSON.stringify([row, traces.map(({ after }) => ({ ...after, key_cipher: '' }))])).not.toContain(key)
  })

  it('shows a whole key on request and leaves a trace', async () => {
    const { id, key } = await create()
    expect(await data('POST', `/api/token/${id}/key`)).toEqual({ key })
    expect(traces.at(-1)).toMatchObject({ action: 'token.reveal', objectId: id, actor: { id: userId } })
  })

  it.each([
    ['no name', { name: ' ' }, '令牌名称不能为空'],
    ['a name of more than 30 bytes', { name: '一二三四五六七八九十一' }, '令牌名称过长'],
    ['a bad address', { allow_ips: '10.0.0.1\n10.0.0.0/33' }, 'IP 白名单第 2 行无效'],
    ['a group of others', { group: 'staff' }, '无权访问该分组'],
    ['a debt', { remain_quota: -1 }, '无效的参数'],
    [
      'too many models',
      { model_limits: Array.from({ length: 200 }, (_, n) => `model-${n}`).join() },
      '模型限制列表过长',
    ],
  ])('refuses %s', async (_, body, message) => {
    await expect(create(body)).rejects.toThrow(message)
    expect(await data('GET', '/api/token/')).toEqual([])
  })

  it.each([
    ['ann', 'ann的初始令牌'],
    ['一二三四五六', '初始令牌'],
  ])('takes the name that the first token of %s gets', async (username, name) => {
    expect(await create({ name: firstTokenName(username) })).toMatchObject({ name })
  })

  it('keeps addresses, networks and models tidy', async () => {
    const made = await create({ allow_ips: ' 10.0.0.1,\n\n::1 , fd00::/8 ', model_limits: 'a, b,,a', expired_time: 0 })
    expect(made).toMatchObject({ allow_ips: '10.0.0.1\n::1\nfd00::/8', model_limits: 'a,b', expired_time: -1 })
  })

  it('changes only what is given, and the quota through the ledger', async () => {
    const { id, key } = await create({ group: 'vip' })
    await directory.byKey(key)
    const changed = await data('PUT', '/api/token/', { id, name: 'phone', remain_quota: 200 })
    expect(changed).toMatchObject({ name: 'phone', remain_quota: 200, group: 'vip', status: 1 })
    expect(await entries(id)).toEqual([
      { amount: 500, reason: 'opening' },
      { amount: -300, reason: 'adjust' },
    ])
    expect(await directory.byKey(key)).toMatchObject({ tokenName: 'phone', remainQuota: 200 })
    expect(refreshed).toEqual([])
  })

  it('notifies the ledger when a token becomes unlimited', async () => {
    const { id } = await create()
    await data('PUT', '/api/token/', { id, unlimited_quota: true })
    expect(refreshed).toEqual([id])
  })

  it('switches a token off and on, for the relay too', async () => {
    const { id, key } = await create()
    await directory.byKey(key)
    expect(await data('PUT', '/api/token/?status_only=true', { id, status: 2 })).toMatchObject({ status: 2 })
    expect(await directory.byKey(key)).toMatchObject({ status: 2 })
    expect(await data('PUT', '/api/token/?status_only=true', { id, status: 1 })).toMatchObject({ status: 1 })
    await expect(data('PUT', '/api/token/?status_only=true', { id, status: 3 })).rejects.toThrow('无效的参数')
  })

  it('marks an expired token and enables it only after its time was extended', async () => {
    const { id, key } = await create({ expired_time: now + 10 })
    now += 20
    await directory.byKey(key)
    directory.byKey(key)
    await expect.poll(async () => (await data('GET', `/api/token/${id}`)).status).toBe(3)
    await expect(data('PUT', '/api/token/?status_only=true', { id, status: 1 })).rejects.toThrow('令牌已过期，无法启用')
    await expect(data('PUT', '/api/token/', { id, name: 'x', status: 1 })).rejects.toThrow('令牌已过期，无法启用')
    expect(await data('PUT', '/api/token/', { id, expired_time: now + 60 })).toMatchObject({ status: 1 })
  })

  it('marks an exhausted token and enables it when its quota is raised', async () => {
    const { id, key } = await create({ remain_quota: 0 })
    await directory.byKey(key)
    directory.byKey(key)
    await expect.poll(async () => (await data('GET', `/api/token/${id}`)).status).toBe(4)
    await expect(data('PUT', '/api/token/?status_only=1', { id, status: 1 })).rejects.toThrow('令牌可用额度已用尽')
    expect(await data('PUT', '/api/token/', { id, remain_quota: 5 })).toMatchObject({ status: 1, remain_quota: 5 })
  })

  it('shows, filters and sorts a token as expired or exhausted, even without calls since', async () => {
    const late = await create({ name: 'late', expired_time: now + 10 })
    const spent = await create({ name: 'spent', remain_quota: 0 })
    await create({ name: 'free', remain_quota: 0, unlimited_quota: true })
    const off = await create({ name: 'off', expired_time: now + 10 })
    await data('PUT', '/api/token/?status_only=true', { id: off.id, status: 2 })
    now += 10
    expect(await data('GET', `/api/token/${late.id}`)).toMatchObject({ status: 3 })
    expect(await data('GET', `/api/token/${spent.id}`)).toMatchObject({ status: 4 })
    const shown = (rows: readonly { name: string; status: number }[]) => rows.map((row) => [row.name, row.status])
    const all = [
      ['off', 2],
      ['free', 1],
      ['spent', 4],
      ['late', 3],
    ]
    expect(shown(await data('GET', '/api/token/?p=0&size=10'))).toEqual(all)
    expect(shown(await data('GET', '/api/token/search?keyword='))).toEqual(all)
    const browse = (query: string) =>
      data<{ items: { name: string; status: number }[]; total: number }>('GET', `/api/token/browse?${query}`)
    const browsed = async (query: string) => shown((await browse(query)).items)
    expect(await browsed('status=3,4')).toEqual([
      ['spent', 4],
      ['late', 3],
    ])
    expect(await browsed('status=1')).toEqual([['free', 1]])
    expect((await browse('status=1')).total).toBe(1)
    expect((await browsed('sort=status')).map(([, status]) => status)).toEqual([1, 2, 3, 4])
    await data('PUT', '/api/token/', { id: late.id, expired_time: now + 60 })
    expect(await data('GET', `/api/token/${late.id}`)).toMatchObject({ status: 1 })
  })

  it('leaves a token off that its owner switched off, whatever its quota', async () => {
    const { id } = await create()
    await data('PUT', '/api/token/?status_only=true', { id, status: 2 })
    expect(await data('PUT', '/api/token/', { id, remain_quota: 900, status: 1 })).toMatchObject({ status: 2 })
  })

  it('deletes a token, and its key stops working at once', async () => {
    const { id, key } = await create()
    await directory.byKey(key)
    await data('DELETE', `/api/token/${id}/`)
    expect(await directory.byKey(key)).toBeUndefined()
    expect(await data('GET', '/api/token/')).toEqual([])
    await expect(data('GET', `/api/token/${id}`)).rejects.toThrow('记录不存在')
  })

  it('says what was done to a token, and names nobody but its owner', async () => {
    const { id } = await create()
    const entry = {
      created_at: now,
      action: 'token.update',
      object: 'token',
      object_id: String(id),
      ip: '192.0.2.1',
      before: '{"name":"laptop"}',
      after: '{"name":"desk"}',
    }
    await database.query
      .insertInto('audit')
      .values([
        { ...entry, actor_id: userId, actor_name: 'owner' },
        { ...entry, actor_id: userId + 1, actor_name: 'somebody' },
        { ...entry, actor_id: userId, actor_name: 'owner', object_id: String(id + 1) },
      ])
      .execute()
    const history = await data<unknown[]>('GET', `/api/token/${id}/history`)
    expect(history).toMatchObject([
      { actor_name: '', ip: '', after: { name: 'desk' } },
      { actor_name: 'owner', ip: '192.0.2.1', before: { name: 'laptop' } },
    ])
  })

  it('refuses to read or change tokens of others', async () => {
    const { id } = await create()
    call = asUser(userId + 1000)
    await expect(data('GET', `/api/token/${id}`)).rejects.toThrow('记录不存在')
    await expect(data('POST', `/api/token/${id}/key`)).rejects.toThrow('记录不存在')
    await expect(data('GET', `/api/token/${id}/history`)).rejects.toThrow('记录不存在')
    await expect(data('PUT', '/api/token/', { id, name: 'mine' })).rejects.toThrow('记录不存在')
    await expect(data('DELETE', `/api/token/${id}`)).rejects.toThrow('记录不存在')
    expect(await data('GET', '/api/token/search?keyword=laptop')).toEqual([])
  })

  it('makes several at once, the later ones with a suffix of six letters and digits', async () => {
    const made = await data<Shown[]>('POST', '/api/token/batch/create', { name: ' ci ', remain_quota: 5, count: 30 })
    expect(made).toHaveLength(30)
    expect(made[0]?.name).toBe('ci')
    for (const { name } of made.slice(1)) expect(name).toMatch(/^ci-[A-Za-z0-9]{6}$/)
    expect(new Set(made.map(({ key }) => key)).size).toBe(30)
    for (const { id, key } of made.slice(0, 3)) {
      expect(await directory.byKey(key)).toMatchObject({ tokenId: id, remainQuota: 5 })
      expect(await entries(id)).toEqual([{ amount: 5, reason: 'opening' }])
    }
    const page = await data<{ total: number }>('GET', '/api/token/browse?page_size=10')
    expect(page.total).toBe(30)
    expect(traces.filter(({ action }) => action === 'token.create')).toHaveLength(30)
  })

  it.each([
    ['a suffix does not fit', { name: 'x'.repeat(24), count: 2 }, '令牌名称过长'],
    ['the count is no positive whole number', { name: 'a', count: 0 }, '无效的参数'],
    ['there are too many', { name: 'a', count: 101 }, '无效的参数'],
    ['the group is not theirs', { name: 'a', count: 2, group: 'staff' }, '无权访问该分组'],
  ])('makes none of several when %s', async (_, body, message) => {
    await expect(data('POST', '/api/token/batch/create', body)).rejects.toThrow(message)
    expect(await data('GET', '/api/token/')).toEqual([])
  })

  it('limits the number of tokens of a user', async () => {
    await data('POST', '/api/token/batch/create', { name: 'ci', count: 39 })
    await expect(data('POST', '/api/token/batch/create', { name: 'ci', count: 2 })).rejects.toThrow(
      '令牌数量已达上限：40 个',
    )
    await create()
    await expect(create()).rejects.toThrow('令牌数量已达上限：40 个')
    const [{ id } = { id: 0 }] = await data<Shown[]>('GET', '/api/token/')
    await data('DELETE', `/api/token/${id}`)
    await create()
  })

  it('leaves a token editable whose group is gone, and takes none that is not there', async () => {
    const { id } = await create({ group: 'vip' })
    groups = ['default']
    expect(await data('PUT', '/api/token/', { id, name: 'phone', group: 'vip' })).toMatchObject({ name: 'phone' })
    await expect(create({ group: 'vip' })).rejects.toThrow('无权访问该分组')
    expect(await data('PUT', '/api/token/', { id, group: '' })).toMatchObject({ group: '' })
    await expect(data('PUT', '/api/token/', { id, group: 'vip' })).rejects.toThrow('无权访问该分组')
  })

  it('shows, switches and deletes several at once', async () => {
    const made = await data<Shown[]>('POST', '/api/token/batch/create', { name: 'ci', remain_quota: 5, count: 3 })
    const [first, second, third] = made.map(({ id }) => id)
    const keys = await data('POST', '/api/token/keys', { ids: [third, first] })
    expect(keys).toEqual([made[2], made[0]].map((token) => ({ id: token?.id, name: token?.name, key: token?.key })))
    expect(traces.filter(({ action }) => action === 'token.reveal').map(({ objectId }) => objectId)).toEqual([
      third,
      first,
    ])
    const off = await data('POST', '/api/token/batch/status', { ids: [first, second], status: 2 })
    expect(off).toEqual({ changed: [first, second], refused: [] })
    expect(await directory.byKey(made[0]?.key ?? '')).toMatchObject({ status: 2 })
    await data('PUT', '/api/token/', { id: second, remain_quota: 0 })
    const on = await data('POST', '/api/token/batch/status', { ids: [first, second], status: 1 })
    expect(on).toEqual({ changed: [first], refused: [second] })
    expect(await data('POST', '/api/token/batch', { ids: [first, third, 999_999] })).toBe(2)
    expect(await directory.byKey(made[0]?.key ?? '')).toBeUndefined()
    expect((await data<Shown[]>('GET', '/api/token/')).map(({ id }) => id)).toEqual([second])
  })

  it.each([
    ['POST', '/api/token/keys', {}],
    ['POST', '/api/token/batch', {}],
    ['POST', '/api/token/batch/status', { status: 2 }],
  ])('refuses to change several tokens of others: %s %s', async (method, path, more) => {
    const { id, key } = await create()
    call = asUser(userId + 1000)
    await expect(data(method, path, { ids: [id], ...more })).rejects.toThrow('记录不存在')
    expect(await directory.byKey(key)).toMatchObject({ status: 1 })
  })

  it('gives a token another key: the old one stops at once, the rest stays', async () => {
    const { id, key } = await create({ group: 'vip' })
    await directory.byKey(key)
    const rotated = await data('POST', `/api/token/${id}/rotate`)
    expect(rotated).toMatchObject({ id, name: 'laptop', group: 'vip', remain_quota: 500 })
    expect(rotated.key).toMatch(/^[0-9A-Za-z]{48}$/)
    expect(await directory.byKey(key)).toBeUndefined()
    expect(await directory.byKey(rotated.key)).toMatchObject({ tokenId: id })
    expect(await data('POST', `/api/token/${id}/key`)).toEqual({ key: rotated.key })
    expect(traces.map(({ action }) => action)).toContain('token.rotate')
    expect(JSON.stringify(traces)).not.toContain(rotated.key)
  })

  it('finds tokens by a part of the name and by the key', async () => {
    const { key } = await create({ name: 'Work 100%' })
    await create({ name: 'home' })
    const names = async (query: string): Promise<unknown[]> =>
      (await data<Shown[]>('GET', `/api/token/search?${query}`)).map(({ name }) => name)
    expect(await names('keyword=work')).toEqual(['Work 100%'])
    expect(await names(`keyword=${encodeURIComponent('100%')}`)).toEqual(['Work 100%'])
    expect(await names('keyword=100_')).toEqual([])
    expect(await names(`token=sk-${key}`)).toEqual(['Work 100%'])
    expect(await names(`token=${key.slice(0, 3)}***${key.slice(-3)}`)).toEqual(['Work 100%'])
    expect(await names('')).toHaveLength(2)
  })

  it('pages from 0 in the old list and from 1 when browsing', async () => {
    for (const name of ['a', 'b', 'c']) await create({ name, remain_quota: name === 'b' ? 900 : 1 })
    const names = (tokens: Shown[]): unknown[] => tokens.map(({ name }) => name)
    expect(names(await data<Shown[]>('GET', '/api/token/?p=0&size=2'))).toEqual(['c', 'b'])
    expect(names(await data<Shown[]>('GET', '/api/token/?p=1&size=2'))).toEqual(['a'])
    const page = await data<{ items: Shown[]; total: number }>('GET', '/api/token/browse?p=2&page_size=2&sort=name')
    expect([names(page.items), page.total]).toEqual([['c'], 3])
    const rich = await data<{ items: Shown[] }>('GET', '/api/token/browse?sort=-remain_quota&status=1&group=')
    expect(names(rich.items)[0]).toBe('b')
    expect(await data('GET', '/api/token/browse?status=2')).toMatchObject({ items: [], total: 0 })
  })

  it('gives the directory the most recently used tokens at its start', async () => {
    const { key } = await create()
    const fresh = await openCallerDirectory({
      rows: openCallerRows(database, secrets),
      digest: (text) => secrets.digest('token_key', text),
      bus: openBus({ nodeName: 'test', log: silentLog }),
      warn: () => {},
      clock: () => now * 1000,
    })
    expect(fresh.byKey(key)).toMatchObject({ tokenName: 'laptop' })
  })

  it('returns the recent spending of keys, by ids in the query', async () => {
    const { id } = await create()
    const usage = await data<{ days: number[]; tokens: unknown[] }>('GET', `/api/token/usage?ids=${id},x&zone=UTC`)
    expect(usage).toMatchObject({ tokens: [] })
    expect(usage.days).toHaveLength(14)
  })
})
