import type { IncomingMessage } from 'node:http'
import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openConsole } from '../../../test/support/features/accounts.ts'
import type { Database } from '../../db/database.ts'
import { createPlaygroundSessions } from './callers.ts'

describeEachEngine('the session behind a playground call', (open) => {
  let database: Database
  let site: Awaited<ReturnType<typeof openConsole>>
  beforeAll(async () => {
    database = await open()
    site = await openConsole(database)
  })

  const callerOf = (headers: IncomingMessage['headers']) =>
    createPlaygroundSessions({ callers: site.callers, users: site.users.directory }).caller({
      method: 'POST',
      headers: { host: 'console.test', ...headers },
    } as IncomingMessage)

  it('is the signed-in user, with the group of now', async () => {
    const user = await site.person('player', 1)
    const headers = { cookie: user.cookie, 'new-api-user': String(user.id) }
    expect(await callerOf(headers)).toEqual({
      id: user.id,
      username: 'player',
      role: 1,
      status: 1,
      group: 'default',
      acceptsUnpricedModels: false,
    })
    const setting = '{"accept_unset_model_ratio_model":true}'
    await database.query.updateTable('users').set({ group: 'vip', setting }).where('id', '=', user.id).execute()
    expect(await callerOf(headers)).toMatchObject({ group: 'vip', acceptsUnpricedModels: true })
  })

  it('is refused like other calls of users', async () => {
    const user = await site.person('other', 1)
    const token = (await user.call('GET', '/api/user/token')).json.data as string
    const id = { 'new-api-user': String(user.id) }
    const { cookie } = user
    await expect(callerOf(id)).rejects.toMatchObject({ code: 'not_signed_in' })
    await expect(callerOf({ cookie })).rejects.toMatchObject({ code: 'user_id_header_missing' })
    await expect(callerOf({ cookie, 'new-api-user': '0' })).rejects.toMatchObject({ code: 'user_id_header_mismatch' })
    await expect(callerOf({ ...id, authorization: token })).rejects.toMatchObject({
      code: 'access_token_not_supported',
    })
    await expect(callerOf({ ...id, cookie, origin: 'https://evil.test' })).rejects.toMatchObject({
      code: 'cross_origin',
    })
    await database.query.updateTable('users').set({ status: 2 }).where('id', '=', user.id).execute()
    await expect(callerOf({ ...id, cookie })).rejects.toMatchObject({ code: 'user_banned' })
  })
})
