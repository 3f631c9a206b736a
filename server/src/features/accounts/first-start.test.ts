import { describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openConsole } from '../../../test/support/features/accounts.ts'
import { openLog, silentLog } from '../../lib/log.ts'
import { createRootIfMissing, warnOfDefaultPassword } from './first-start.ts'

describeEachEngine('the first start', (open) => {
  it('makes the root user with its opening quota, once', async () => {
    const database = await open()
    const first = await openConsole(database)
    await openConsole(database)
    const users = await database.query.selectFrom('users').selectAll().execute()
    expect(users).toMatchObject([
      { username: 'root', display_name: 'Root User', role: 100, status: 1, quota: 100_000_000, group: 'default' },
    ])
    const entries = await database.query.selectFrom('ledger_entries').selectAll().execute()
    expect(entries).toMatchObject([
      { account: 'user', account_id: users[0]?.id, amount: 100_000_000, reason: 'opening' },
    ])
    expect((await first.login('root', 'root password')).json.data).toMatchObject({ default_password: false })
  })

  it('has one winner when two nodes start together', async () => {
    const database = await open()
    const site = await openConsole(database)
    await database.query.deleteFrom('users').execute()
    const parts = {
      users: site.users.directory,
      create: site.users.create,
      initialRootPassword: 'long enough',
      log: silentLog,
    }
    // Both look before either has written.
    const users = { anyOfRole: async () => undefined }
    const bothBlind = [createRootIfMissing({ ...parts, users }), createRootIfMissing({ ...parts, users })]
    const results = await Promise.allSettled(bothBlind)
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await createRootIfMissing(parts)
    expect(await database.query.selectFrom('users').select('id').execute()).toHaveLength(1)
  })

  it('lets the loser of that race go on', async () => {
    const database = await open()
    const site = await openConsole(database)
    let looks = 0
    const users = {
      anyOfRole: (role: number) => {
        looks += 1
        return looks === 1 ? Promise.resolve(undefined) : site.users.directory.anyOfRole(role)
      },
    }
    await createRootIfMissing({ users, create: site.users.create, initialRootPassword: undefined, log: silentLog })
    expect(looks).toBe(2)
  })

  it('stops with a sentence for a password that is too short', async () => {
    const database = await open()
    await expect(openConsole(database, { initialRootPassword: 'short' })).rejects.toThrow('at least 8 characters')
  })
})

describeEachEngine('the default password', (open) => {
  it('works from this machine and private networks only, and says that it is in use', async () => {
    const site = await openConsole(await open(), { initialRootPassword: undefined })
    const from = (address: string, headers: Record<string, string> = {}) =>
      site.login('root', '123456', { from: address, headers })
    expect((await from('127.0.0.1')).json.data).toMatchObject({ username: 'root', default_password: true })
    expect((await from('192.168.1.9')).json.success).toBe(true)
    expect((await from('8.8.8.8')).json.message).toContain('INITIAL_ROOT_PASSWORD')
    expect((await from('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).json.code).toBe('default_password_remote')
    expect((await from('127.0.0.1', { forwarded: 'for=10.0.0.1' })).json.code).toBe('default_password_remote')
  })

  it('works from everywhere where the operator allows it', async () => {
    const site = await openConsole(await open(), { initialRootPassword: undefined, allowDefaultPassword: true })
    expect((await site.login('root', '123456', { from: '8.8.8.8' })).json.success).toBe(true)
  })

  it('is no longer in use once it is changed', async () => {
    const site = await openConsole(await open(), { initialRootPassword: undefined })
    const root = await site.signIn('root', '123456')
    await root.call('PUT', '/api/user/self', { password: 'a better one', original_password: '123456' })
    const answer = await site.login('root', 'a better one', { from: '8.8.8.8' })
    expect(answer.json.data).toMatchObject({ default_password: false })
  })

  it('is warned of at every start', async () => {
    const lines: string[] = []
    const log = openLog({ clock: Date.now, format: 'json', debug: false, print: (line) => lines.push(line) })
    const fresh = await openConsole(await open(), { initialRootPassword: undefined })
    await warnOfDefaultPassword({ users: fresh.users.directory, log })
    expect(lines.join('')).toContain('default_root_password')
    lines.length = 0
    const safe = await openConsole(await open())
    await warnOfDefaultPassword({ users: safe.users.directory, log })
    expect(lines).toEqual([])
  })
})

describe('a clash of names', () => {
  it('is reported in a sentence', async () => {
    const create = async () => {
      const { AppError } = await import('../../lib/app-error.ts')
      throw new AppError('username_taken')
    }
    const users = { anyOfRole: async () => undefined }
    await expect(
      createRootIfMissing({ users, create, initialRootPassword: undefined, log: silentLog }),
    ).rejects.toThrow('an ordinary user is called "root"')
  })
})
