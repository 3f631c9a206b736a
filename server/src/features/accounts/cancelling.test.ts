import { beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openConsole, rootPassword } from '../../../test/support/features/accounts.ts'
import { newToken } from '../../../test/support/ledger/ledger.ts'
import type { Database } from '../../db/database.ts'
import { silentLog } from '../../lib/log.ts'
import { openBus } from '../../lib/redis/bus.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { openCallerRows } from '../tokens/caller/caller-rows.ts'
import { openCallerDirectory, type TokenDirectory } from '../tokens/caller/directory.ts'

const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })

describeEachEngine('cancelling the own account', (open) => {
  let database: Database
  let site: Awaited<ReturnType<typeof openConsole>>
  beforeAll(async () => {
    database = await open()
    site = await openConsole(database)
  })

  const stored = (id: number) =>
    database.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  it('ends every session, clears the cookie and keeps the row', async () => {
    const user = await site.person('leaver1', 1)
    const elsewhere = await site.signIn('leaver1', 'leaver1 password')
    const answer = await user.call('DELETE', '/api/user/self')
    expect(answer.json).toEqual({ success: true, message: '' })
    expect(answer.headers.get('set-cookie')).toMatch(/^session=; Max-Age=0/)
    for (const { call } of [user, elsewhere]) expect((await call('GET', '/api/user/self')).status).toBe(401)
    expect(await stored(user.id)).toMatchObject({ username: 'leaver1', quota: 1000, access_token_hash: null })
    expect((await stored(user.id)).deleted_at).toBe(Math.floor(site.state.now / 1000))
    expect((await site.login('leaver1', 'leaver1 password')).json.message).toBe('用户名或密码错误，或用户已被封禁')
    const trail = await database.query.selectFrom('audit').selectAll().where('action', '=', 'user.delete').execute()
    expect(trail).toMatchObject([{ actor_id: user.id, object_id: String(user.id) }])
  })

  it('ends the system access token', async () => {
    const user = await site.person('leaver2', 1)
    const authorization = (await user.call('POST', '/api/user/token')).json.data as string
    const headers = { authorization, 'New-Api-User': String(user.id) }
    expect((await site.call('GET', '/api/user/self', { headers })).json.success).toBe(true)
    await user.call('DELETE', '/api/user/self')
    expect((await site.call('GET', '/api/user/self', { headers })).json.message).toBe(
      '无权进行此操作，access token 无效',
    )
  })

  it('is refused to the super admin', async () => {
    const root = await site.signIn('root', rootPassword)
    expect((await root.call('DELETE', '/api/user/self')).json.message).toBe('不能删除超级管理员账户')
    expect((await stored(root.id)).deleted_at).toBeNull()
    expect((await root.call('GET', '/api/user/self')).json.success).toBe(true)
  })

  describe('with API keys', () => {
    it('stops them at once, on every node', async () => {
      const bus = openBus({ nodeName: 'test', log: silentLog })
      const node = (): Promise<TokenDirectory> =>
        openCallerDirectory({
          rows: openCallerRows(database, secrets),
          digest: (key) => key,
          bus,
          warn: () => undefined,
          clock: () => site.state.now,
        })
      const nodes = [await node(), await node()]
      const user = await site.person('leaver3', 1)
      const id = await newToken(database, { movements: { open: async () => {} } } as never, {
        userId: user.id,
        remain: 0,
        unlimited: true,
      })
      const key = 'K'.repeat(48)
      await database.query.updateTable('tokens').set({ key_hash: key }).where('id', '=', id).execute()
      for (const each of nodes) expect((await each.byKey(key))?.user?.id).toBe(user.id)
      site.changed.length = 0
      await user.call('DELETE', '/api/user/self')
      for (const changed of site.changed) nodes[0]?.changed({ user: changed })
      for (const each of nodes) expect((await each.byKey(key))?.user).toBeUndefined()
    })
  })
})
