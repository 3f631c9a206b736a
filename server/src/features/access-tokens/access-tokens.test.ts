import { type AccessToken, mostAccessTokens } from '@tollgate/contract'
import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openConsole } from '../../../test/support/features/accounts.ts'
import type { Database } from '../../db/database.ts'

type Made = AccessToken & { token: string }

describeEachEngine('named access tokens', (open) => {
  let database: Database
  let site: Awaited<ReturnType<typeof openConsole>>
  beforeAll(async () => {
    database = await open()
    site = await openConsole(database)
  })

  const path = '/api/user/self/access_tokens'
  type Owner = Awaited<ReturnType<typeof site.person>>
  const make = async (owner: Owner, more: object = {}): Promise<Made> => {
    const body = { name: 'ci', scopes: ['own_logs:read'], expires_time: 0, ...more }
    return (await owner.call('POST', path, body)).json.data as Made
  }
  const use = (owner: Owner, token: string, ip = '203.0.113.9') =>
    site.call('GET', '/api/user/self', {
      from: ip,
      headers: { authorization: `Bearer ${token}`, 'new-api-user': String(owner.id) },
    })
  const listed = async (owner: Owner): Promise<AccessToken[]> =>
    (await owner.call('GET', path)).json.data as AccessToken[]

  it('are shown once and stored as a hash; the system access token goes on beside them', async () => {
    const owner = await site.person('several', 1)
    const system = (await owner.call('GET', '/api/user/token')).json.data as string
    const [first, second] = [await make(owner, { scopes: ['own_account:read'] }), await make(owner, { name: 'second' })]
    expect(first.token).toMatch(/^tgat_[A-Za-z0-9]{43}$/)
    expect((await listed(owner)).map(({ name, hint }) => [name, hint])).toEqual([
      ['second', second.token.slice(-4)],
      ['ci', first.token.slice(-4)],
    ])
    const stored = JSON.stringify(await database.query.selectFrom('access_tokens').selectAll().execute())
    expect(stored).not.toContain(first.token.slice(5))
    for (const token of [system, first.token]) expect((await use(owner, token)).json.success).toBe(true)
    expect((await use(owner, second.token)).json.code).toBe('token_scope_denied')
  })

  it('write their last use at most once a minute', async () => {
    const owner = await site.person('used', 1)
    const { id, token } = await make(owner, { scopes: ['own_account:read'] })
    const seen = async () => {
      const { last_used_time, last_used_ip } = (await listed(owner)).find((one) => one.id === id) ?? {}
      return [last_used_time, last_used_ip]
    }
    expect(await seen()).toEqual([0, ''])
    const first = Math.floor(site.state.now / 1000)
    await use(owner, token, '203.0.113.1')
    expect(await seen()).toEqual([first, '203.0.113.1'])
    site.state.now += 59_000
    await use(owner, token, '203.0.113.2')
    expect(await seen()).toEqual([first, '203.0.113.1'])
    site.state.now += 1000
    await use(owner, token, '203.0.113.3')
    expect(await seen()).toEqual([first + 60, '203.0.113.3'])
  })

  it('end at their expiry', async () => {
    const owner = await site.person('expiring', 1)
    const soon = Math.floor(site.state.now / 1000) + 100
    const past = { name: 'late', scopes: ['all'], expires_time: soon - 100 }
    expect((await owner.call('POST', path, past)).json.code).toBe('access_token_expiry_past')
    const { token } = await make(owner, { scopes: ['all'], expires_time: soon })
    expect((await use(owner, token)).json.success).toBe(true)
    site.state.now += 100_000
    expect((await use(owner, token)).json.code).toBe('access_token_expired')
  })

  it('need a fresh proof of who makes them', async () => {
    const owner = await site.person('proving', 1)
    site.state.now += 700_000
    const body = { name: 'ci', scopes: ['all'], expires_time: 0 }
    expect((await owner.call('POST', path, body)).json.code).toBe('confirmation_required')
  })

  it('are revoked by their owner, and by nobody else', async () => {
    const [owner, other] = [await site.person('owner', 1), await site.person('stranger', 1)]
    const { id, token } = await make(owner, { scopes: ['all'] })
    expect((await other.call('DELETE', `${path}/${id}`)).json.code).toBe('not_found')
    expect((await use(owner, token)).json.success).toBe(true)
    expect((await owner.call('DELETE', `${path}/${id}`)).json.success).toBe(true)
    expect((await use(owner, token)).json.code).toBe('access_token_invalid')
  })

  it('are at most so many', async () => {
    const owner = await site.person('collector', 1)
    for (let count = 0; count < mostAccessTokens; count += 1) await make(owner)
    const body = { name: 'one more', scopes: ['all'], expires_time: 0 }
    expect((await owner.call('POST', path, body)).json.code).toBe('access_tokens_full')
  })

  it('that cannot be read open nothing, and end with their owner', async () => {
    const owner = await site.person('leaving', 1)
    const { id, token } = await make(owner, { scopes: ['all'] })
    await database.query.updateTable('access_tokens').set({ scopes: '{"all":1}' }).where('id', '=', id).execute()
    expect((await use(owner, token)).json.code).toBe('token_scope_denied')
    await database.query.updateTable('access_tokens').set({ scopes: '["all"]' }).where('id', '=', id).execute()
    const body = { username: 'leaving' }
    await owner.call('DELETE', '/api/user/self', body)
    expect((await use(owner, token)).json.code).toBe('access_token_invalid')
    expect(await database.query.selectFrom('access_tokens').where('id', '=', id).selectAll().execute()).toEqual([])
  })
})
