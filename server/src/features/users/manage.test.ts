import { beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import type { SignedIn } from '../../../test/support/features/accounts.ts'
import { openUserSite, type UserSite, userHelpers } from '../../../test/support/features/users.ts'

describeEachEngine('managing users', (open) => {
  let site: UserSite['site']
  let root: UserSite['root']
  let admin: UserSite['admin']
  const { made, name, set, stored, trailOf } = userHelpers(() => ({ site, root, admin }))

  beforeAll(async () => {
    const opened = await openUserSite(await open())
    site = opened.site
    root = opened.root
    admin = opened.admin
  })

  describe('managing', () => {
    const manage = (caller: SignedIn, id: number, action: string) =>
      caller.call('POST', '/api/user/manage', { id, action })

    it('disables at once, everywhere, and enables again', async () => {
      const user = await site.person(name(), 1)
      const answer = await manage(admin, user.id, 'disable')
      expect(answer.json.data).toMatchObject({ id: user.id, status: 2, role: 1 })
      expect((await user.call('GET', '/api/user/self')).status).toBe(401)
      expect(site.changed.at(-1)).toBe(user.id)
      expect((await manage(admin, user.id, 'enable')).json.data).toMatchObject({ status: 1 })
      expect((await trailOf(user.id)).map(({ action }) => action)).toEqual(['user.disable', 'user.enable'])
    })

    it('cancels: the row stays, sessions and access token do not', async () => {
      const user = await site.person(name(), 1)
      const token = (await user.call('GET', '/api/user/token')).json.data as string
      const answer = await manage(admin, user.id, 'delete')
      expect((answer.json.data as { DeletedAt: string }).DeletedAt).toMatch(/^20\d\d-/)
      expect(await stored(user.id)).toMatchObject({ access_token_hash: null, quota: 1000 })
      expect((await user.call('GET', '/api/user/self')).status).toBe(401)
      const withToken = await site.call('GET', '/api/user/self', {
        headers: { authorization: token, 'New-Api-User': String(user.id) },
      })
      expect(withToken.json.code).toBe('access_token_invalid')
      for (const action of ['enable', 'disable', 'delete', 'promote']) {
        expect((await manage(root, user.id, action)).json.message).toBe('该用户已注销')
      }
    })

    it('promotes and demotes, which counts at the next call', async () => {
      const user = await site.person(name(), 1)
      expect((await user.call('GET', '/api/user/')).json.code).toBe('permission_denied')
      expect((await manage(root, user.id, 'promote')).json.data).toMatchObject({ role: 10 })
      expect((await user.call('GET', '/api/user/')).json.success).toBe(true)
      expect((await manage(root, user.id, 'demote')).json.data).toMatchObject({ role: 1 })
      expect((await user.call('GET', '/api/user/')).json.code).toBe('permission_denied')
    })

    it.each([
      ['root disables root', () => manage(root, root.id, 'disable'), '无法禁用超级管理员用户'],
      ['root cancels root', () => manage(root, root.id, 'delete'), '无法删除超级管理员用户'],
      ['root demotes root', () => manage(root, root.id, 'demote'), '无法降级超级管理员用户'],
      ['root promotes root', () => manage(root, root.id, 'promote'), '该用户已经是管理员'],
      ['root promotes an admin', () => manage(root, admin.id, 'promote'), '该用户已经是管理员'],
      ['root demotes a user', async () => manage(root, await made(), 'demote'), '该用户已经是普通用户'],
      [
        'an admin promotes a user',
        async () => manage(admin, await made(), 'promote'),
        '普通管理员用户无法提升其他用户为管理员',
      ],
      [
        'an admin disables an admin',
        async () => manage(admin, await made(10), 'disable'),
        '无权更新同权限等级或更高权限等级的用户信息',
      ],
      ['an admin disables root', () => manage(admin, root.id, 'disable'), '无权更新同权限等级或更高权限等级的用户信息'],
      ['an admin acts on an unknown user', () => manage(admin, 999_999, 'disable'), '用户不存在'],
      ['an admin names no id', () => admin.call('POST', '/api/user/manage', { action: 'disable' }), '无效的参数'],
      ['an admin names id 0', () => manage(admin, 0, 'disable'), '无效的参数'],
      ['an admin names a negative id', () => manage(admin, -1, 'disable'), '无效的参数'],
    ])('is refused when %s', async (_, act, message) => {
      expect((await act()).json.message).toBe(message)
      expect(await stored(root.id)).toMatchObject({ role: 100, status: 1, deleted_at: null })
    })

    it('cannot enable an account that an older version retired', async () => {
      const id = await made()
      await set(id, { status: 3 })
      expect((await manage(admin, id, 'enable')).json.message).toBe('该用户已注销')
    })

    it('refuses an unknown action, also one that objects inherit, and changes nothing', async () => {
      const id = await made()
      const before = await stored(id)
      for (const action of ['explode', 'toString', '__proto__', '']) {
        expect((await manage(admin, id, action)).json).toMatchObject({
          success: false,
          message: '无效的参数',
        })
      }
      expect(await stored(id)).toEqual(before)
      expect(await trailOf(id)).toEqual([])
    })
  })

  describe('deleting by id', () => {
    it('cancels and says so', async () => {
      const user = await site.person(name(), 1)
      expect((await admin.call('DELETE', `/api/user/${user.id}/`)).json).toEqual({ success: true, message: '' })
      expect((await stored(user.id)).deleted_at).toBe(site.state.now / 1000)
      expect((await user.call('GET', '/api/user/self')).status).toBe(401)
      expect((await admin.call('DELETE', `/api/user/${user.id}`)).json.message).toBe('用户不存在')
    })

    it('is refused for equals, those above, and root by anybody', async () => {
      const other = await made(10)
      for (const [caller, id] of [
        [admin, other],
        [admin, root.id],
        [admin, admin.id],
        [root, root.id],
      ] as const) {
        expect((await caller.call('DELETE', `/api/user/${id}`)).json.message).toBe(
          '无权删除同权限等级或更高权限等级的用户',
        )
      }
      expect((await root.call('DELETE', `/api/user/${other}`)).json.success).toBe(true)
    })
  })

  it('lets every role call what its endpoints say, and nothing else', async () => {
    const user = await site.person(name(), 1)
    const levels = { visitor: 0, session: 1, user: 1, admin: 10, root: 100, token: 0 }
    const callers = [
      { level: 0, call: (method: string, path: string) => site.call(method, path, { body: body(method) }) },
      { level: 1, call: (method: string, path: string) => user.call(method, path, body(method)) },
      { level: 10, call: (method: string, path: string) => admin.call(method, path, body(method)) },
      { level: 100, call: (method: string, path: string) => root.call(method, path, body(method)) },
    ]
    const body = (method: string) => (method === 'GET' ? undefined : {})
    // Logging out and cancelling the own account would end the matrix early; they have tests of their own.
    const ends = new Set(['GET /api/user/logout', 'DELETE /api/user/self'])
    const list = site.api.endpoints().filter(({ method, path }) => !ends.has(`${method} ${path}`))
    for (const { method, path, access } of list) {
      for (const { level, call } of callers) {
        const answer = await call(method, path.replace(':id', '999999'))
        const kept = answer.status === 401 || answer.json.code === 'permission_denied'
        expect({ method, path, level, kept }).toEqual({ method, path, level, kept: level < levels[access] })
      }
    }
    expect(list.length).toBeGreaterThan(10)
  })
})
