import { beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'

import { openUserSite, type UserSite, userHelpers } from '../../../test/support/features/users.ts'

describeEachEngine('reading users', (open) => {
  let site: UserSite['site']
  let root: UserSite['root']
  let admin: UserSite['admin']
  const { made, page, set } = userHelpers(() => ({ site, root, admin }))

  beforeAll(async () => {
    const opened = await openUserSite(await open())
    site = opened.site
    root = opened.root
    admin = opened.admin
  })

  describe('lists', () => {
    it('show the newest first, a page at a time, with the total', async () => {
      const ids = [await made(), await made(), await made()]
      const first = await page('/api/user/?p=1&page_size=2')
      expect(first.items.map(({ id }) => id)).toEqual([ids[2], ids[1]])
      expect(first).toMatchObject({ page: 1, page_size: 2 })
      expect((await page('/api/user/?p=2&page_size=2')).items[0]?.id).toBe(ids[0])
      expect((await page('/api/user/?p=0&page_size=0')).items).toHaveLength(Math.min(10, first.total))
      expect((await page('/api/user/?p=-1&page_size=1000')).page_size).toBe(100)
      expect((await page('/api/user/?p=9999')).items).toEqual([])
    })

    it('sort and filter by columns they know', async () => {
      const poor = await made(1, 1)
      const rich = await made(1, 999_999_999_999)
      const sorted = await page('/api/user/?sort=-quota&role=1')
      expect(sorted.items[0]?.id).toBe(rich)
      expect((await page('/api/user/?sort=quota&role=1')).items[0]?.id).toBe(poor)
      expect((await page('/api/user/?role=100')).items).toMatchObject([{ username: 'root' }])
      expect((await page('/api/user/?status=2')).items).toEqual([])
      expect((await page('/api/user/?sort=password')).items[0]?.id).toBe(rich)
    })

    it('show cancelled users as such', async () => {
      const id = await made()
      await set(id, { deleted_at: 1_700_000_000 })
      expect((await page('/api/user/')).items.find((user) => user.id === id)?.DeletedAt).toBe(
        '2023-11-14T22:13:20.000Z',
      )
    })

    it('say of a wallet which organisation it belongs to', async () => {
      const [person, wallet] = [await made(), await made()]
      await set(wallet, { organisation_id: 4 })
      const { items } = await page('/api/user/?page_size=100')
      expect(items.find(({ id }) => id === wallet)?.organisation_id).toBe(4)
      expect(items.find(({ id }) => id === person)).not.toHaveProperty('organisation_id')
    })

    it('hold people or wallets where that is asked for, and both else', async () => {
      const [person, wallet] = [await made(), await made()]
      await set(wallet, { organisation_id: 4 })
      const found = async (kind: string): Promise<readonly boolean[]> => {
        const { items } = await page(`/api/user/search?page_size=100${kind}`)
        const ids = items.map(({ id }) => id)
        return [ids.includes(person), ids.includes(wallet)]
      }
      expect(await found('')).toEqual([true, true])
      expect(await found('&kind=people')).toEqual([true, false])
      expect(await found('&kind=wallets')).toEqual([false, true])
    })

    it.each([10, 20, 50, 100])('come in pages of %i', async (size) => {
      expect((await page(`/api/user/?page_size=${size}`)).page_size).toBe(size)
    })

    it('filter by status, where being cancelled is one of its own', async () => {
      const [active, banned, gone] = [await made(), await made(), await made()]
      await set(banned, { status: 2 })
      await set(gone, { status: 1, deleted_at: 5 })
      const found = async (status: string) =>
        (await page(`/api/user/?page_size=100&status=${status}`)).items.map((user) => user.id)
      expect(await found('1')).toContain(active)
      expect(await found('1')).not.toContain(gone)
      expect(await found('2')).toEqual([banned])
      expect(await found('-1')).toContain(gone)
      expect(await found('-1')).not.toContain(active)
      expect(await found('2,-1')).toEqual(expect.arrayContaining([banned, gone]))
      await set(banned, { status: 1 })
    })

    it('search names, display names, e-mail addresses and ids, whatever the case', async () => {
      const id = await made()
      await set(id, { display_name: 'Fräulein', email: 'Some.One@Example.com' })
      const found = async (keyword: string) =>
        (await page(`/api/user/search?keyword=${encodeURIComponent(keyword)}`)).items.map((user) => user.id)
      expect(await found('fräulein')).toEqual([id])
      expect(await found(' one@EXAMPLE ')).toEqual([id])
      expect(await found(String(id))).toContain(id)
      expect(await found('%')).toEqual([])
      expect(await found('_ome')).toEqual([])
      expect(await found('!')).toEqual([])
      expect(await found('\\')).toEqual([])
      await set(id, { display_name: '100%_!\\' })
      for (const part of ['0%_', '_!', '!\\', '\\']) expect(await found(part)).toEqual([id])
      expect(await found("' or 1=1 --")).toEqual([])
    })

    it('search inside one group', async () => {
      const id = await made()
      await set(id, { group: 'vip' })
      expect((await page('/api/user/search?keyword=&group=vip')).items.map((user) => user.id)).toEqual([id])
      expect(await page('/api/user/search?keyword=root&group=vip')).toMatchObject({ items: [], total: 0 })
    })

    it('never reveal secrets with which an admin could act as another user', async () => {
      const id = await made()
      await set(id, {
        setting: JSON.stringify({ notify_type: 'webhook', webhook_secret: 'hush', webhook_url: 'https://a.b' }),
      })
      await root.call('GET', '/api/user/token')
      for (const path of ['/api/user/?page_size=100', '/api/user/search?keyword=&page_size=100', `/api/user/${id}`]) {
        const { text } = await admin.call('GET', path)
        expect(text).toContain('https://a.b')
        for (const secret of ['hush', 'argon2', '_hash']) expect(text).not.toContain(secret)
      }
      const { items } = await page('/api/user/?page_size=100')
      expect(new Set(items.flatMap((user) => [user.password, user.access_token]))).toEqual(new Set(['']))
    })
  })

  describe('one user', () => {
    it('is shown to those above and to root', async () => {
      const id = await made()
      expect((await admin.call('GET', `/api/user/${id}`)).json.data).toMatchObject({ id, role: 1 })
      expect((await root.call('GET', `/api/user/${root.id}`)).json.data).toMatchObject({ username: 'root' })
    })

    it.each([
      ['root', () => root.id, '无权获取同级或更高等级用户的信息'],
      ['oneself', () => admin.id, '无权获取同级或更高等级用户的信息'],
      ['an unknown id', () => 999_999, '用户不存在'],
      ['zero', () => 0, '无效的参数'],
      ['a word for an id', () => 'me', '无效的参数'],
    ])('is refused when an admin asks for %s', async (_, id, message) => {
      expect((await admin.call('GET', `/api/user/${id()}`)).json.message).toBe(message)
    })

    it('is gone when cancelled', async () => {
      const id = await made()
      await set(id, { deleted_at: 1 })
      expect((await admin.call('GET', `/api/user/${id}`)).json.message).toBe('用户不存在')
    })
  })
})
