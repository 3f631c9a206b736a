import { createRedemptions, mostRedemptions } from '@tollgate/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import type { TestUser, WalletSite } from '#server-test/support/features/wallet.ts'
import { openCodeSite } from '../tests/code-site.ts'

interface Shown {
  id: number
  key: string
  name: string
  quota: number
  status: number
  batch_id: string
}

describeEachEngine('redemption codes', (open) => {
  let database: Database
  let site: WalletSite
  let admin: TestUser

  beforeAll(async () => {
    database = await open()
    site = await openCodeSite(database)
    admin = await site.admin()
    return () => site.close()
  })

  const create = (body: object) => admin.call('POST', '/api/redemption/', body)
  const search = async (query: string) => {
    const { json } = await admin.call('GET', `/api/redemption/search?${query}`)
    return json.data as { items: Shown[]; total: number; page: number; page_size: number }
  }
  const made = async (body: object): Promise<Shown & { whole: string }> => {
    const { json } = await create(body)
    const [item] = (await search('page_size=1')).items
    if (item === undefined) throw new Error(JSON.stringify(json))
    return { ...item, whole: (json.data as string[])[0] ?? '' }
  }
  const status = (id: number, wanted: number) =>
    admin.call('PUT', '/api/redemption/?status_only=true', { id, status: wanted })

  describe('are made', () => {
    it('one of the usual size where nothing else is asked for, and at most a hundred', () => {
      expect(mostRedemptions).toBe(100)
      expect(createRedemptions.body?.parse({})).toMatchObject({ quota: 100_000, count: 1 })
    })

    it('as many as asked for, with keys of 32 hex characters that are stored nowhere in the open', async () => {
      const { json } = await create({ name: '中秋节', quota: 500, count: 100 })
      const keys = json.data as string[]
      expect(json).toMatchObject({ success: true, message: '' })
      expect(new Set(keys).size).toBe(100)
      expect(keys.every((key) => /^[0-9a-f]{32}$/.test(key))).toBe(true)
      const stored = JSON.stringify(await database.query.selectFrom('redemptions').selectAll().execute())
      expect(keys.filter((key) => stored.includes(key))).toEqual([])
      expect(JSON.stringify(await site.traces())).not.toContain(keys[0])
      expect(JSON.stringify(await search('page_size=100'))).not.toContain(keys[0])
    })

    it('named after their quota when no name is given', async () => {
      expect(await made({ name: '  ', quota: 750_000 })).toMatchObject({ name: '$1.50', quota: 750_000 })
      site.set({ DisplayInCurrencyEnabled: false })
      expect(await made({ quota: 750_000 })).toMatchObject({ name: '750000' })
      site.set({ DisplayInCurrencyEnabled: true })
    })

    it.each([
      [{ name: 'x'.repeat(21) }, '兑换码名称长度必须在1-20之间'],
      [{ count: 0 }, '兑换码个数必须大于0'],
      [{ count: -3 }, '兑换码个数必须大于0'],
      [{ count: 101 }, '一次兑换码批量生成的个数不能大于 100'],
      [{ quota: 0 }, '兑换码额度必须大于0'],
      [{ quota: -1 }, '兑换码额度必须大于0'],
      [{ quota: 1.5 }, '无效的参数'],
      [{ quota: 1e14 + 1 }, '无效的参数'],
      [{ expired_time: 1 }, '过期时间不能早于当前时间'],
    ])('not from %j: %s', async (wrong, message) => {
      const before = (await search('')).total
      const { json } = await create({ name: 'n', quota: 10, count: 1, ...wrong })
      expect([json.success, json.message]).toEqual([false, message])
      expect((await search('')).total).toBe(before)
    })

    it('takes names of 20 characters, whatever bytes they have', async () => {
      const name = `${'额'.repeat(19)}🎁`
      expect((await made({ name, quota: 1 })).name).toBe(name)
    })
  })

  describe('are listed', () => {
    it('newest first, masked, page by page, by the beginning of the name, by id, by status and by batch', async () => {
      const first = await made({ name: 'Needle_1', quota: 10, count: 3 })
      await made({ name: 'a Needle', quota: 10 })
      expect(first.key).toMatch(/^[0-9a-f]{4}\*{4}[0-9a-f]{4}$/)
      const found = await search('keyword=needle&p=1&page_size=2')
      expect([found.total, found.page, found.page_size, found.items.length]).toEqual([3, 1, 2, 2])
      expect(found.items.map(({ id }) => id)).toEqual([first.id, first.id - 1])
      expect((await search('keyword=needle&p=2&page_size=2')).items.map(({ id }) => id)).toEqual([first.id - 2])
      expect((await search(`keyword=${first.id}`)).items.map(({ id }) => id)).toContain(first.id)
      expect((await search('keyword=needle%25')).total).toBe(0)
      expect((await search('keyword=needlex1')).total).toBe(0)
      await status(first.id, 2)
      expect((await search('keyword=needle&status=2')).items.map(({ id }) => id)).toEqual([first.id])
      expect((await search('keyword=needle&status=1')).total).toBe(2)
      expect((await search(`batch_id=${first.batch_id}`)).total).toBe(3)
      const { json } = await admin.call('GET', '/api/redemption/?p=0&page_size=10')
      expect(json.data).toMatchObject({ page: 1, page_size: 10 })
    })

    it('marks expired ones', async () => {
      const soon = site.state.now / 1000 + 10
      const { id } = await made({ name: 'brief', quota: 10, expired_time: soon })
      expect((await search('keyword=brief&status=1')).total).toBe(1)
      site.state.now += 11_000
      expect((await search('keyword=brief&status=1')).total).toBe(0)
      expect((await search('keyword=brief&status=4')).items.map((item) => item.id)).toEqual([id])
    })

    it('with the users who created and redeemed them', async () => {
      const { id, whole } = await made({ name: 'seen', quota: 10 })
      const user = await site.user()
      await user.call('POST', '/api/user/topup', { key: whole })
      const { json } = await admin.call('GET', `/api/redemption/${id}`)
      const { creator, used_username, user_id, used_user_id, redeemed_time, status: now, count } = json.data as never
      expect({ creator, used_username, user_id, used_user_id, redeemed_time, now, count }).toEqual({
        creator: expect.stringMatching(/^user/),
        used_username: expect.stringMatching(/^user/),
        user_id: admin.id,
        used_user_id: user.id,
        redeemed_time: site.state.now / 1000,
        now: 3,
        count: 0,
      })
    })
  })

  it('are revealed by a call of its own, which leaves a trace', async () => {
    const { id, whole } = await made({ name: 'secret', quota: 10, count: 2 })
    const { json } = await admin.call('POST', '/api/redemption/keys', { ids: [id, id - 1, 999_999] })
    expect(json.data).toMatchObject([
      { id, name: 'secret' },
      { id: id - 1, name: 'secret' },
    ])
    expect((json.data as Shown[]).map(({ key }) => key)).toContain(whole)
    const traces = await site.traces()
    expect(traces.at(-1)).toMatchObject({ action: 'redemption.reveal', actor_id: admin.id })
    expect(JSON.stringify(traces)).not.toContain(whole)
  })

  describe('change', () => {
    it('their name, quota and expiry while unused, and only what is given', async () => {
      const { id } = await made({ name: 'old', quota: 10 })
      const expired_time = site.state.now / 1000 + 1000
      const { json } = await admin.call('PUT', '/api/redemption/', { id, name: 'new', expired_time })
      expect(json.data).toMatchObject({ name: 'new', quota: 10, expired_time })
      await admin.call('PUT', '/api/redemption/', { id, quota: 20 })
      expect((await admin.call('GET', `/api/redemption/${id}`)).json.data).toMatchObject({ name: 'new', quota: 20 })
      const trace = (await site.traces()).at(-1)
      expect(JSON.parse(trace?.before ?? '')).toMatchObject({ quota: 10 })
      expect(JSON.parse(trace?.after ?? '')).toMatchObject({ quota: 20 })
    })

    it.each([
      [{ quota: 0 }, '兑换码额度必须大于0'],
      [{ quota: 1e15 }, '无效的参数'],
      [{ name: '' }, '兑换码名称长度必须在1-20之间'],
    ])('not to %j: %s', async (wrong, message) => {
      const { id } = await made({ name: 'kept', quota: 10 })
      expect((await admin.call('PUT', '/api/redemption/', { id, ...wrong })).json.message).toBe(message)
      expect((await admin.call('GET', `/api/redemption/${id}`)).json.data).toMatchObject({ name: 'kept', quota: 10 })
    })

    it('to disabled and back, but nothing else, and never once they are used', async () => {
      const { id, whole } = await made({ name: 'switch', quota: 10 })
      expect((await status(id, 2)).json).toMatchObject({ success: true, data: { status: 2 } })
      expect((await admin.call('PUT', '/api/redemption/', { id, quota: 5 })).json.message).toBe(
        '只能编辑未使用的兑换码',
      )
      expect((await status(id, 2)).json).toMatchObject({ success: true, data: { status: 2 } })
      expect((await status(id, 1)).json).toMatchObject({ success: true, data: { status: 1 } })
      for (const wrong of [3, 0, 4]) expect((await status(id, wrong)).json.message).toBe('无效的参数')
      await (await site.user()).call('POST', '/api/user/topup', { key: whole })
      for (const wanted of [1, 2]) expect((await status(id, wanted)).json.message).toBe('已使用的兑换码不能更改状态')
      expect((await admin.call('PUT', '/api/redemption/', { id, quota: 5 })).json.success).toBe(false)
      expect((await admin.call('GET', `/api/redemption/${id}`)).json.data).toMatchObject({ status: 3, quota: 10 })
    })
  })

  it('are gone once deleted, with or without the final slash', async () => {
    const { id } = await made({ name: 'gone', quota: 10 })
    expect((await admin.call('DELETE', `/api/redemption/${id}/`)).json.success).toBe(true)
    expect((await admin.call('DELETE', `/api/redemption/${id}`)).json.message).toBe('记录不存在')
    expect((await admin.call('GET', `/api/redemption/${id}`)).json.success).toBe(false)
    expect((await search('keyword=gone')).total).toBe(0)
  })

  it('are for administrators', async () => {
    const user = await site.user()
    for (const [method, path] of [
      ['GET', '/api/redemption/'],
      ['GET', '/api/redemption/search'],
      ['POST', '/api/redemption/'],
      ['POST', '/api/redemption/keys'],
      ['PUT', '/api/redemption/'],
      ['DELETE', '/api/redemption/1'],
    ] as const)
      expect((await user.call(method, path, method === 'GET' ? undefined : {})).json.code).toBe('permission_denied')
  })
})
