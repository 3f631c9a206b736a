import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openConsole, rootPassword, type SignedIn } from '../../../test/support/features/accounts.ts'
import type { Database } from '../../db/database.ts'
import { silentLog } from '../../lib/log.ts'
import { openBus } from '../../lib/redis/bus.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { openCallerRows } from '../tokens/caller/caller-rows.ts'
import { openCallerDirectory, type TokenDirectory } from '../tokens/caller/directory.ts'

const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })

type Console = Awaited<ReturnType<typeof openConsole>>

/** Two nodes on one database: what is decided at one takes effect at the next call of the other. */
describeEachEngine('rights that are taken away', (open) => {
  let database: Database
  let here: Console
  let there: Console
  let keysThere: TokenDirectory
  let root: SignedIn
  let count = 0

  beforeAll(async () => {
    database = await open()
    const bus = openBus({ nodeName: 'test', log: silentLog })
    const openKeys = () =>
      openCallerDirectory({
        rows: openCallerRows(database, secrets),
        digest: (key) => key,
        bus,
        warn: () => {},
        clock: Date.now,
      })
    const keysHere = await openKeys()
    keysThere = await openKeys()
    here = await openConsole(database, { userChanged: (id) => keysHere.changed({ user: id }) })
    there = await openConsole(database)
    root = await here.signIn('root', rootPassword)
  })

  /** Somebody who is signed in at the other node. */
  const person = async (role: number) => {
    count += 1
    const username = `gone${count}`
    const user = await there.person(username, role)
    const token = (await user.call('POST', '/api/user/token')).json.data as string
    const withToken = (path: string) =>
      there.call('GET', path, { headers: { authorization: token, 'New-Api-User': String(user.id) } })
    return { ...user, username, withToken }
  }

  const manage = async (id: number, action: string): Promise<void> => {
    expect((await root.call('POST', '/api/user/manage', { id, action })).json.success).toBe(true)
  }

  const keyOf = async (userId: number): Promise<string> => {
    const key = String(userId).padStart(48, 'k')
    const row = {
      user_id: userId,
      key_hash: key,
      key_cipher: '',
      key_hint: '',
      status: 1,
      name: '',
      created_time: 1,
      accessed_time: 1,
      expired_time: -1,
      unlimited_quota: 1,
      model_limits_enabled: 0,
      model_limits: '',
      allow_ips: '',
      group: '',
      deleted_at: null,
    }
    await database.query.insertInto('tokens').values(row).execute()
    return key
  }

  it('are gone for a disabled user: session, access token and API keys', async () => {
    const user = await person(1)
    const key = await keyOf(user.id)
    expect(await keysThere.byKey(key)).toMatchObject({ user: { status: 1 } })
    expect((await user.call('GET', '/api/user/self')).json.success).toBe(true)
    await manage(user.id, 'disable')
    expect((await user.call('GET', '/api/user/self')).status).toBe(401)
    expect((await user.withToken('/api/user/self')).json.code).toBe('user_banned')
    expect(await keysThere.byKey(key)).toMatchObject({ user: { status: 2 } })
    await manage(user.id, 'enable')
    // The session is gone for good; the key works again.
    expect((await user.call('GET', '/api/user/self')).status).toBe(401)
    expect(await keysThere.byKey(key)).toMatchObject({ user: { status: 1 } })
  })

  it('are those of a user for a demoted admin, in the session that goes on', async () => {
    const user = await person(10)
    expect((await user.call('GET', '/api/user/')).json.success).toBe(true)
    await manage(user.id, 'demote')
    expect((await user.call('GET', '/api/user/')).json.code).toBe('permission_denied')
    expect((await user.withToken('/api/user/')).json.code).toBe('permission_denied')
    expect((await user.call('GET', '/api/user/self')).json.data).toMatchObject({ role: 1 })
    await manage(user.id, 'promote')
    expect((await user.call('GET', '/api/user/')).json.success).toBe(true)
  })

  it('are gone for a cancelled user, whichever way it was cancelled', async () => {
    const [one, two] = [await person(1), await person(1)]
    const key = await keyOf(one.id)
    await keysThere.byKey(key)
    await manage(one.id, 'delete')
    expect((await root.call('DELETE', `/api/user/${two.id}`)).json.success).toBe(true)
    for (const user of [one, two]) {
      expect((await user.call('GET', '/api/user/self')).status).toBe(401)
      expect((await user.withToken('/api/user/self')).json.code).toBe('access_token_invalid')
      expect((await there.login(user.username, `${user.username} password`)).json.code).toBe('credentials_wrong')
    }
    expect(await keysThere.byKey(key)).not.toMatchObject({ user: { id: one.id } })
  })

  it('end with the password, whether the user or an admin changes it', async () => {
    const [one, two] = [await person(1), await person(1)]
    const elsewhere = await here.signIn(one.username, `${one.username} password`)
    const body = { password: 'another password', original_password: `${one.username} password` }
    expect((await elsewhere.call('PUT', '/api/user/self', body)).json.success).toBe(true)
    expect((await one.call('GET', '/api/user/self')).status).toBe(401)
    await root.call('PUT', '/api/user/', { id: two.id, password: 'set by an admin' })
    expect((await two.call('GET', '/api/user/self')).status).toBe(401)
    expect((await there.login(two.username, `${two.username} password`)).json.code).toBe('credentials_wrong')
    expect((await there.signIn(two.username, 'set by an admin')).id).toBe(two.id)
  })
})
