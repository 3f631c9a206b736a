import { newTokenFields, role } from '@tollgate/contract'
import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { testUser } from '../../../test/support/db/rows.ts'
import { callApi, testApi, testCaller } from '../../../test/support/http/console.ts'
import type { Database } from '../../db/database.ts'
import { insertReturningId } from '../../db/dialect.ts'
import type { Trace } from '../../db/trace.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { newTokenRow } from '../tokens/change.ts'
import { openAudit } from './audit.ts'
import { auditRoutes } from './routes.ts'
import { openAuditStore } from './store.ts'

interface Entry {
  id: number
  action: string
  object_id: string
  before: Record<string, unknown>
  after: Record<string, unknown>
  object_name?: string
  names?: Record<string, string>
}

const entry = (more: Partial<Trace>): Trace => ({
  actor: { id: 1, username: 'root' },
  action: 'channel.update',
  object: 'channel',
  objectId: 5,
  before: { name: 'old', weight: 1 },
  after: { name: 'new_50%', weight: 2 },
  ip: '192.0.2.1',
  ...more,
})

const option = (key: string, more: Partial<Trace> = {}): Trace =>
  entry({
    action: 'option.update',
    object: 'option',
    objectId: key,
    before: { [key]: 'a' },
    after: { [key]: 'b' },
    ...more,
  })

const apiFor = (database: Database, callerRole: number) => {
  const callers = {
    bySession: async () => ({ caller: testCaller({ role: callerRole }) }),
    byAccessToken: async () => undefined,
  }
  const api = testApi({ callers })
  auditRoutes(api.on, openAuditStore(database))
  return async (path: string) => {
    const { json } = await callApi(api, 'GET', path, { headers: { cookie: 'session=x', 'New-Api-User': '7' } })
    return json as { success: boolean; data: { items: Entry[]; total: number } }
  }
}

describeEachEngine('reading the trail', (open) => {
  let asRoot: ReturnType<typeof apiFor>
  let asAdmin: ReturnType<typeof apiFor>
  let asUser: ReturnType<typeof apiFor>

  beforeAll(async () => {
    const database = await open()
    let now = 1_900_000_000_000
    const { record } = openAudit(database, () => now)
    for (const trace of [
      entry({}),
      entry({
        actor: { id: 2, username: 'Ops_one' },
        action: 'user.quota',
        object: 'user',
        objectId: 9,
        ip: '198.51.100.7',
      }),
      option('RetryTimes'),
      option('SMTPServer'),
      option('SMTPToken'),
      entry({
        actor: { id: 0, username: 'system' },
        action: 'channel.auto_disable',
        after: { status: 3, reason: '余额不足' },
      }),
    ]) {
      await record(trace)
      now += 60_000
    }
    asRoot = apiFor(database, role.root)
    asAdmin = apiFor(database, role.admin)
    asUser = apiFor(database, role.user)
  })

  const actionsOf = async (read: ReturnType<typeof apiFor>, query = '') =>
    (await read(`/api/audit${query}`)).data.items.map(({ action }) => action)

  it('shows root everything, newest first, with readable fields', async () => {
    const { data } = await asRoot('/api/audit')
    expect(data.total).toBe(6)
    expect(data.items.map(({ id }) => id)).toEqual([6, 5, 4, 3, 2, 1])
    expect(data.items.at(-1)).toMatchObject({
      before: { name: 'old', weight: 1 },
      after: { name: 'new_50%', weight: 2 },
    })
  })

  it('names the error behind a cause that is the server’s own', async () => {
    const [disabled, updated] = (await asRoot('/api/audit?object=channel')).data.items
    expect(disabled).toMatchObject({
      after: { reason: '余额不足' },
      causes: { reason: { text: '余额不足', code: 'channel_balance_spent' } },
    })
    expect(updated).not.toHaveProperty('causes')
  })

  it('hides from admins what was done to options they may not see, in the list and in the number', async () => {
    const { data } = await asAdmin('/api/audit?keyword=option.')
    expect(data.items.map(({ object_id }) => object_id)).toEqual(['RetryTimes'])
    expect(data.total).toBe(1)
    expect((await asAdmin('/api/audit')).data.total).toBe(4)
    expect((await asAdmin('/api/audit?object_id=SMTPServer')).data.items).toEqual([])
    expect((await asAdmin('/api/audit?id=4')).data.items).toEqual([])
    expect((await asRoot('/api/audit?id=4')).data.items).toHaveLength(1)
  })

  it('is closed to ordinary users', async () => {
    expect((await asUser('/api/audit')).success).toBe(false)
    expect((await asUser('/api/audit/actions')).success).toBe(false)
  })

  it.each([
    ['?actor=2', ['user.quota']],
    ['?actor=ops', ['user.quota']],
    ['?actor=0', ['channel.auto_disable']],
    ['?action=channel.update,user.quota', ['user.quota', 'channel.update']],
    ['?object=user', ['user.quota']],
    ['?object=channel&object_id=5', ['channel.auto_disable', 'channel.update']],
    ['?ip=198.51.100.7', ['user.quota']],
    ['?object=option,channel&not=object', ['user.quota']],
    ['?action=user.quota&object=channel,user&not=action', ['channel.auto_disable', 'channel.update']],
    ['?actor=root&not=actor', ['channel.auto_disable', 'user.quota']],
    ['?keyword=RETRY', ['option.update']],
    ['?keyword=余额', ['channel.auto_disable']],
    ['?keyword=50%25', ['user.quota', 'channel.update']],
    ['?keyword=w_50', ['user.quota', 'channel.update']],
    ['?keyword=w%2550', []],
    ['?start_timestamp=1900000060&end_timestamp=1900000120', ['option.update', 'user.quota']],
    ['?p=2&page_size=4', ['user.quota', 'channel.update']],
    ['?p=9007199254740991&page_size=100', []],
    ['?start_timestamp=soon&id=x', 6],
  ])('finds %s', async (query, expected) => {
    const found = await actionsOf(asRoot, query)
    expect(typeof expected === 'number' ? found.length : found).toEqual(expected)
  })

  it('counts the entries of each value, of those that may be seen', async () => {
    const counts = async (read: ReturnType<typeof apiFor>, query: string): Promise<unknown> =>
      (await read(`/api/audit/facets?${query}`)).data
    expect(await counts(asRoot, 'facet=object&object=user')).toEqual({
      values: [
        { value: 'option', count: 3 },
        { value: 'channel', count: 2 },
        { value: 'user', count: 1 },
      ],
      capped: false,
    })
    expect(await counts(asAdmin, 'facet=action&object=option')).toEqual({
      values: [{ value: 'option.update', count: 1 }],
      capped: false,
    })
  })

  it('names the actions there are', async () => {
    const { data } = await asAdmin('/api/audit/actions')
    expect(data).toEqual(['channel.auto_disable', 'channel.update', 'option.update', 'user.quota'])
  })

  it('names objects and the ids among their fields, as recorded before as they are now', async () => {
    const database = await open()
    const audit = openAudit(database, Date.now)
    const row = { ...testUser('carol'), aff_code: 'carol' }
    const userId = await database.transaction((trx) => insertReturningId(trx, 'users', row))
    await audit.record(
      entry({ action: 'user.quota', object: 'user', objectId: userId, before: { quota: 1 }, after: { quota: 2 } }),
    )
    await audit.record(entry({ before: { name: 'then', weight: 1 }, after: { name: 'later', weight: 2 } }))
    await audit.record(
      entry({
        action: 'organisation.member_remove',
        object: 'organisation',
        objectId: 99,
        before: {},
        after: { user_id: userId },
      }),
    )
    await audit.record(
      entry({ action: 'user.delete', object: 'user', objectId: 987_654, before: { quota: 1 }, after: {} }),
    )
    const { data } = await apiFor(database, role.root)('/api/audit')
    expect(data.items.map(({ object_name, names }) => [object_name, names])).toEqual([
      [undefined, undefined],
      [undefined, { user_id: 'carol' }],
      ['later', undefined],
      ['carol', undefined],
    ])
  })

  it('names the user whose key an entry is about', async () => {
    const database = await open()
    const secrets = openSecrets({ cryptoSecret: 'for tests', keyFile: '' })
    const body = newTokenFields.parse({ name: 'laptop' })
    const row = newTokenRow(body, { userId: 17, key: 'k'.repeat(48), now: 1 }, secrets)
    const tokenId = await insertReturningId(database.query, 'tokens', row)
    const change = { before: { group: 'a' }, after: { group: 'b' } }
    await openAudit(database, Date.now).record(
      entry({ action: 'token.update', object: 'token', objectId: tokenId, ...change }),
    )
    const { data } = await apiFor(database, role.root)('/api/audit?object=token')
    expect(data.items).toMatchObject([{ object_name: 'laptop', object_owner: 17 }])
  })
})
