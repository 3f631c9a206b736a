import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openTokenBench, type ShownToken, type TokenBench } from '../../../test/support/tokens/token-bench.ts'
import type { Database } from '../../db/database.ts'
import { firstTokenName } from './rules.ts'

describeEachEngine('own tokens', (open) => {
  let database: Database
  let bench: TokenBench

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    bench = await openTokenBench(database)
  })

  it('makes a token whose key is shown whole once and works at once', async () => {
    const made = await bench.create()
    expect(made).toMatchObject({
      name: 'laptop',
      status: 1,
      expired_time: -1,
      remain_quota: 500,
      user_id: bench.userId,
    })
    expect(made.key).toMatch(/^[0-9A-Za-z]{48}$/)
    expect(await bench.directory.byKey(made.key)).toMatchObject({ tokenId: made.id, user: { id: bench.userId } })
    const [listed] = await bench.data<ShownToken[]>('GET', '/api/token/')
    expect(listed?.key).toBe(`${made.key.slice(0, 3)}***${made.key.slice(-3)}`)
    expect(await bench.entries(made.id)).toEqual([{ amount: 500, reason: 'opening' }])
  })

  it('never stores or traces a key in the clear', async () => {
    const { id, key } = await bench.create()
    const row = await database.query.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst()
    expect(JSON.stringify([row, bench.traces.map(({ after }) => ({ ...after, key_cipher: '' }))])).not.toContain(key)
  })

  it('shows a whole key on request and leaves a trace', async () => {
    const { id, key } = await bench.create()
    expect(await bench.data('POST', `/api/token/${id}/key`)).toEqual({ key })
    expect(bench.traces.at(-1)).toMatchObject({ action: 'token.reveal', objectId: id, actor: { id: bench.userId } })
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
    await expect(bench.create(body)).rejects.toThrow(message)
    expect(await bench.data('GET', '/api/token/')).toEqual([])
  })

  it.each([
    ['ann', 'ann的初始令牌'],
    ['一二三四五六', '初始令牌'],
  ])('takes the name that the first token of %s gets', async (username, name) => {
    expect(await bench.create({ name: firstTokenName(username) })).toMatchObject({ name })
  })

  it('keeps addresses, networks and models tidy', async () => {
    const made = await bench.create({
      allow_ips: ' 10.0.0.1,\n\n::1 , fd00::/8 ',
      model_limits: 'a, b,,a',
      expired_time: 0,
    })
    expect(made).toMatchObject({ allow_ips: '10.0.0.1\n::1\nfd00::/8', model_limits: 'a,b', expired_time: -1 })
  })

  it('changes only what is given, and the quota through the ledger', async () => {
    const { id, key } = await bench.create({ group: 'vip' })
    await bench.directory.byKey(key)
    const changed = await bench.data('PUT', '/api/token/', { id, name: 'phone', remain_quota: 200 })
    expect(changed).toMatchObject({ name: 'phone', remain_quota: 200, group: 'vip', status: 1 })
    expect(await bench.entries(id)).toEqual([
      { amount: 500, reason: 'opening' },
      { amount: -300, reason: 'adjust' },
    ])
    expect(await bench.directory.byKey(key)).toMatchObject({ tokenName: 'phone', remainQuota: 200 })
    expect(bench.refreshed).toEqual([])
  })

  it('notifies the ledger when a token becomes unlimited', async () => {
    const { id } = await bench.create()
    await bench.data('PUT', '/api/token/', { id, unlimited_quota: true })
    expect(bench.refreshed).toEqual([id])
  })

  it('switches a token off and on, for the relay too', async () => {
    const { id, key } = await bench.create()
    await bench.directory.byKey(key)
    expect(await bench.data('PUT', '/api/token/?status_only=true', { id, status: 2 })).toMatchObject({ status: 2 })
    expect(await bench.directory.byKey(key)).toMatchObject({ status: 2 })
    expect(await bench.data('PUT', '/api/token/?status_only=true', { id, status: 1 })).toMatchObject({ status: 1 })
    await expect(bench.data('PUT', '/api/token/?status_only=true', { id, status: 3 })).rejects.toThrow('无效的参数')
  })

  it('marks an expired token and enables it only after its time was extended', async () => {
    const { id, key } = await bench.create({ expired_time: bench.now + 10 })
    bench.now += 20
    await bench.directory.byKey(key)
    bench.directory.byKey(key)
    await expect.poll(async () => (await bench.data('GET', `/api/token/${id}`)).status).toBe(3)
    await expect(bench.data('PUT', '/api/token/?status_only=true', { id, status: 1 })).rejects.toThrow(
      '令牌已过期，无法启用',
    )
    await expect(bench.data('PUT', '/api/token/', { id, name: 'x', status: 1 })).rejects.toThrow('令牌已过期，无法启用')
    expect(await bench.data('PUT', '/api/token/', { id, expired_time: bench.now + 60 })).toMatchObject({ status: 1 })
  })

  it('enables no token whose time is over, also before anybody tried it', async () => {
    const { id } = await bench.create({ expired_time: bench.now + 10 })
    bench.now += 20
    await expect(bench.data('PUT', '/api/token/', { id, name: 'x', status: 1 })).rejects.toThrow('令牌已过期，无法启用')
  })

  it('marks an exhausted token and enables it when its quota is raised', async () => {
    const { id, key } = await bench.create({ remain_quota: 0 })
    await bench.directory.byKey(key)
    bench.directory.byKey(key)
    await expect.poll(async () => (await bench.data('GET', `/api/token/${id}`)).status).toBe(4)
    await expect(bench.data('PUT', '/api/token/?status_only=1', { id, status: 1 })).rejects.toThrow(
      '令牌可用额度已用尽',
    )
    expect(await bench.data('PUT', '/api/token/', { id, remain_quota: 5 })).toMatchObject({
      status: 1,
      remain_quota: 5,
    })
  })

  it('leaves a token off that its owner switched off, whatever its quota', async () => {
    const { id } = await bench.create()
    await bench.data('PUT', '/api/token/?status_only=true', { id, status: 2 })
    expect(await bench.data('PUT', '/api/token/', { id, remain_quota: 900, status: 1 })).toMatchObject({ status: 2 })
  })

  it('deletes a token, and its key stops working at once', async () => {
    const { id, key } = await bench.create()
    await bench.directory.byKey(key)
    await bench.data('DELETE', `/api/token/${id}/`)
    expect(await bench.directory.byKey(key)).toBeUndefined()
    expect(await bench.data('GET', '/api/token/')).toEqual([])
    await expect(bench.data('GET', `/api/token/${id}`)).rejects.toThrow('记录不存在')
  })

  it('says what was done to a token, and names nobody but its owner', async () => {
    const { id } = await bench.create()
    const entry = {
      created_at: bench.now,
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
        { ...entry, actor_id: bench.userId, actor_name: 'owner' },
        { ...entry, actor_id: bench.userId + 1, actor_name: 'somebody' },
        { ...entry, actor_id: bench.userId, actor_name: 'owner', object_id: String(id + 1) },
      ])
      .execute()
    const history = await bench.data<unknown[]>('GET', `/api/token/${id}/history`)
    expect(history).toMatchObject([
      { actor_name: '', ip: '', after: { name: 'desk' } },
      { actor_name: 'owner', ip: '192.0.2.1', before: { name: 'laptop' } },
    ])
  })

  it('refuses to read or change tokens of others', async () => {
    const { id } = await bench.create()
    bench.callAs(bench.userId + 1000)
    await expect(bench.data('GET', `/api/token/${id}`)).rejects.toThrow('记录不存在')
    await expect(bench.data('POST', `/api/token/${id}/key`)).rejects.toThrow('记录不存在')
    await expect(bench.data('GET', `/api/token/${id}/history`)).rejects.toThrow('记录不存在')
    await expect(bench.data('PUT', '/api/token/', { id, name: 'mine' })).rejects.toThrow('记录不存在')
    await expect(bench.data('DELETE', `/api/token/${id}`)).rejects.toThrow('记录不存在')
    expect(await bench.data('GET', '/api/token/search?keyword=laptop')).toEqual([])
  })

  it('leaves a token editable whose group is gone, and takes none that is not there', async () => {
    const { id } = await bench.create({ group: 'vip' })
    bench.groups = ['default']
    expect(await bench.data('PUT', '/api/token/', { id, name: 'phone', group: 'vip' })).toMatchObject({ name: 'phone' })
    await expect(bench.create({ group: 'vip' })).rejects.toThrow('无权访问该分组')
    expect(await bench.data('PUT', '/api/token/', { id, group: '' })).toMatchObject({ group: '' })
    await expect(bench.data('PUT', '/api/token/', { id, group: 'vip' })).rejects.toThrow('无权访问该分组')
  })

  it('gives a token another key: the old one stops at once, the rest stays', async () => {
    const { id, key } = await bench.create({ group: 'vip' })
    await bench.directory.byKey(key)
    const rotated = await bench.data('POST', `/api/token/${id}/rotate`)
    expect(rotated).toMatchObject({ id, name: 'laptop', group: 'vip', remain_quota: 500 })
    expect(rotated.key).toMatch(/^[0-9A-Za-z]{48}$/)
    expect(await bench.directory.byKey(key)).toBeUndefined()
    expect(await bench.directory.byKey(rotated.key)).toMatchObject({ tokenId: id })
    expect(await bench.data('POST', `/api/token/${id}/key`)).toEqual({ key: rotated.key })
    expect(bench.traces.map(({ action }) => action)).toContain('token.rotate')
    expect(JSON.stringify(bench.traces)).not.toContain(rotated.key)
  })

  it('gives the directory the most recently used tokens at its start', async () => {
    const { key } = await bench.create()
    const fresh = await bench.openDirectory()
    expect(fresh.byKey(key)).toMatchObject({ tokenName: 'laptop' })
  })

  it('returns the recent spending of keys, by ids in the query', async () => {
    const { id } = await bench.create()
    const usage = await bench.data<{ days: number[]; tokens: unknown[] }>(
      'GET',
      `/api/token/usage?ids=${id},x&zone=UTC`,
    )
    expect(usage).toMatchObject({ tokens: [] })
    expect(usage.days).toHaveLength(14)
  })
})
