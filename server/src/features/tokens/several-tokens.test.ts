import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openTokenBench, type ShownToken, type TokenBench } from '../../../test/support/tokens/token-bench.ts'
import type { Database } from '../../db/database.ts'

describeEachEngine('several own tokens', (open) => {
  let database: Database
  let bench: TokenBench

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    bench = await openTokenBench(database)
  })

  it('shows, filters and sorts a token as expired or exhausted, even without calls since', async () => {
    const late = await bench.create({ name: 'late', expired_time: bench.now + 10 })
    const spent = await bench.create({ name: 'spent', remain_quota: 0 })
    await bench.create({ name: 'free', remain_quota: 0, unlimited_quota: true })
    const off = await bench.create({ name: 'off', expired_time: bench.now + 10 })
    await bench.data('PUT', '/api/token/?status_only=true', { id: off.id, status: 2 })
    bench.now += 10
    expect(await bench.data('GET', `/api/token/${late.id}`)).toMatchObject({ status: 3 })
    expect(await bench.data('GET', `/api/token/${spent.id}`)).toMatchObject({ status: 4 })
    const shown = (rows: readonly { name: string; status: number }[]) => rows.map((row) => [row.name, row.status])
    const all = [
      ['off', 2],
      ['free', 1],
      ['spent', 4],
      ['late', 3],
    ]
    expect(shown(await bench.data('GET', '/api/token/?p=0&size=10'))).toEqual(all)
    expect(shown(await bench.data('GET', '/api/token/search?keyword='))).toEqual(all)
    const browse = (query: string) =>
      bench.data<{ items: { name: string; status: number }[]; total: number }>('GET', `/api/token/browse?${query}`)
    const browsed = async (query: string) => shown((await browse(query)).items)
    expect(await browsed('status=3,4')).toEqual([
      ['spent', 4],
      ['late', 3],
    ])
    expect(await browsed('status=1')).toEqual([['free', 1]])
    expect((await browse('status=1')).total).toBe(1)
    expect((await browsed('sort=status')).map(([, status]) => status)).toEqual([1, 2, 3, 4])
    await bench.data('PUT', '/api/token/', { id: late.id, expired_time: bench.now + 60 })
    expect(await bench.data('GET', `/api/token/${late.id}`)).toMatchObject({ status: 1 })
  })

  it('makes several at once, the later ones with a suffix of six letters and digits', async () => {
    const made = await bench.data<ShownToken[]>('POST', '/api/token/batch/create', {
      name: ' ci ',
      remain_quota: 5,
      count: 30,
    })
    expect(made).toHaveLength(30)
    expect(made[0]?.name).toBe('ci')
    for (const { name } of made.slice(1)) expect(name).toMatch(/^ci-[A-Za-z0-9]{6}$/)
    expect(new Set(made.map(({ key }) => key)).size).toBe(30)
    for (const { id, key } of made.slice(0, 3)) {
      expect(await bench.directory.byKey(key)).toMatchObject({ tokenId: id, remainQuota: 5 })
      expect(await bench.entries(id)).toEqual([{ amount: 5, reason: 'opening' }])
    }
    const page = await bench.data<{ total: number }>('GET', '/api/token/browse?page_size=10')
    expect(page.total).toBe(30)
    expect(bench.traces.filter(({ action }) => action === 'token.create')).toHaveLength(30)
  })

  it.each([
    ['a suffix does not fit', { name: 'x'.repeat(24), count: 2 }, '令牌名称过长'],
    ['the count is no positive whole number', { name: 'a', count: 0 }, '无效的参数'],
    ['there are too many', { name: 'a', count: 101 }, '无效的参数'],
    ['the group is not theirs', { name: 'a', count: 2, group: 'staff' }, '无权访问该分组'],
  ])('makes none of several when %s', async (_, body, message) => {
    await expect(bench.data('POST', '/api/token/batch/create', body)).rejects.toThrow(message)
    expect(await bench.data('GET', '/api/token/')).toEqual([])
  })

  it('limits the number of tokens of a user', async () => {
    await bench.data('POST', '/api/token/batch/create', { name: 'ci', count: 39 })
    await expect(bench.data('POST', '/api/token/batch/create', { name: 'ci', count: 2 })).rejects.toThrow(
      '令牌数量已达上限：40 个',
    )
    await bench.create()
    await expect(bench.create()).rejects.toThrow('令牌数量已达上限：40 个')
    const [{ id } = { id: 0 }] = await bench.data<ShownToken[]>('GET', '/api/token/')
    await bench.data('DELETE', `/api/token/${id}`)
    await bench.create()
  })

  it('shows, switches and deletes several at once', async () => {
    const made = await bench.data<ShownToken[]>('POST', '/api/token/batch/create', {
      name: 'ci',
      remain_quota: 5,
      count: 3,
    })
    const [first, second, third] = made.map(({ id }) => id)
    const keys = await bench.data('POST', '/api/token/keys', { ids: [third, first] })
    expect(keys).toEqual([made[2], made[0]].map((token) => ({ id: token?.id, name: token?.name, key: token?.key })))
    expect(bench.traces.filter(({ action }) => action === 'token.reveal').map(({ objectId }) => objectId)).toEqual([
      third,
      first,
    ])
    const off = await bench.data('POST', '/api/token/batch/status', { ids: [first, second], status: 2 })
    expect(off).toEqual({ changed: [first, second], refused: [] })
    expect(await bench.directory.byKey(made[0]?.key ?? '')).toMatchObject({ status: 2 })
    await bench.data('PUT', '/api/token/', { id: second, remain_quota: 0 })
    const on = await bench.data('POST', '/api/token/batch/status', { ids: [first, second], status: 1 })
    expect(on).toEqual({ changed: [first], refused: [second] })
    expect(await bench.data('POST', '/api/token/batch', { ids: [first, third, 999_999] })).toBe(2)
    expect(await bench.directory.byKey(made[0]?.key ?? '')).toBeUndefined()
    expect((await bench.data<ShownToken[]>('GET', '/api/token/')).map(({ id }) => id)).toEqual([second])
  })

  it.each([
    ['POST', '/api/token/keys', {}],
    ['POST', '/api/token/batch', {}],
    ['POST', '/api/token/batch/status', { status: 2 }],
  ])('refuses to change several tokens of others: %s %s', async (method, path, more) => {
    const { id, key } = await bench.create()
    bench.callAs(bench.userId + 1000)
    await expect(bench.data(method, path, { ids: [id], ...more })).rejects.toThrow('记录不存在')
    expect(await bench.directory.byKey(key)).toMatchObject({ status: 1 })
  })

  it('finds tokens by a part of the name and by the key', async () => {
    const { key } = await bench.create({ name: 'Work 100%' })
    await bench.create({ name: 'home' })
    const names = async (query: string): Promise<unknown[]> =>
      (await bench.data<ShownToken[]>('GET', `/api/token/search?${query}`)).map(({ name }) => name)
    expect(await names('keyword=work')).toEqual(['Work 100%'])
    expect(await names(`keyword=${encodeURIComponent('100%')}`)).toEqual(['Work 100%'])
    expect(await names('keyword=100_')).toEqual([])
    expect(await names(`token=sk-${key}`)).toEqual(['Work 100%'])
    expect(await names(`token=${key.slice(0, 3)}***${key.slice(-3)}`)).toEqual(['Work 100%'])
    expect(await names('')).toHaveLength(2)
  })

  it('pages from 0 in the old list and from 1 when browsing', async () => {
    for (const name of ['a', 'b', 'c']) await bench.create({ name, remain_quota: name === 'b' ? 900 : 1 })
    const names = (tokens: ShownToken[]): unknown[] => tokens.map(({ name }) => name)
    expect(names(await bench.data<ShownToken[]>('GET', '/api/token/?p=0&size=2'))).toEqual(['c', 'b'])
    expect(names(await bench.data<ShownToken[]>('GET', '/api/token/?p=1&size=2'))).toEqual(['a'])
    const page = await bench.data<{ items: ShownToken[]; total: number }>(
      'GET',
      '/api/token/browse?p=2&page_size=2&sort=name',
    )
    expect([names(page.items), page.total]).toEqual([['c'], 3])
    const rich = await bench.data<{ items: ShownToken[] }>(
      'GET',
      '/api/token/browse?sort=-remain_quota&status=1&group=',
    )
    expect(names(rich.items)[0]).toBe('b')
    expect(await bench.data('GET', '/api/token/browse?status=2')).toMatchObject({ items: [], total: 0 })
  })
})
