import type { BatchResult, Token, ValueCounts } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { testUser } from '../../../test/support/db/rows.ts'
import { type SignedIn, signedIn } from '../../../test/support/features/signed-in.ts'
import type { Database } from '../../db/database.ts'
import { insertReturningId } from '../../db/dialect.ts'
import type { Trace } from '../../db/trace.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { tokenRoutes } from './routes.ts'
import { createTokenService } from './service.ts'
import { openTokenStore } from './store.ts'

const now = 1_900_000_000
const secrets = openSecrets({ cryptoSecret: 'for tests', keyFile: '' })
const unused = async (): Promise<never> => {
  throw new Error('no quota moves here')
}
let made = 0

describeEachEngine('own tokens by their filters', (open) => {
  let database: Database
  let users: [number, number]
  let traces: Trace[]
  let call: SignedIn

  const asUser = (id: number): SignedIn => {
    const tokens = createTokenService({
      mostTokens: () => 1000,
      database,
      store: openTokenStore(database),
      secrets,
      ledger: {
        open: unused,
        setTokenRemain: unused,
        moveToken: unused,
        refreshToken: unused,
      },
      groupUsable: (_, group) => group !== 'nowhere',
      directory: { changed: () => undefined },
      audit: {
        record: async (trace) => {
          traces.push(trace)
        },
      },
      clock: () => now * 1000,
    })
    return signedIn((on) => tokenRoutes(on, tokens), { id })
  }

  const plant = (user_id: number, name: string, more: object = {}): Promise<number> => {
    made += 1
    return insertReturningId(database.query, 'tokens', {
      user_id,
      name,
      key_hash: `hash ${made}`,
      key_cipher: '',
      key_hint: '',
      status: 1,
      created_time: now,
      accessed_time: now,
      expired_time: -1,
      remain_quota: 0,
      unlimited_quota: 1,
      model_limits_enabled: 0,
      model_limits: '',
      allow_ips: '',
      used_quota: 0,
      group: '',
      deleted_at: null,
      ...more,
    })
  }

  beforeAll(async () => {
    database = await open()
    const user = (name: string) =>
      insertReturningId(database.query, 'users', { ...testUser(name), aff_code: `aff ${name}` })
    users = [await user('owner'), await user('other')]
  })
  beforeEach(async () => {
    await database.query.deleteFrom('tokens').execute()
    traces = []
    call = asUser(users[0])
    await plant(users[0], 'on')
    await plant(users[0], 'off', { status: 2, group: 'vip' })
    await plant(users[0], 'old', { expired_time: now - 1, group: 'vip' })
    await plant(users[0], 'gone', { deleted_at: now })
    await plant(users[1], 'not mine', { group: 'vip' })
  })

  const data = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { json } = await call(method, path, body)
    if (json.success !== true) throw new Error(String(json.code))
    return json.data as T
  }
  const names = async (query: string): Promise<string[]> =>
    (await data<{ items: Token[] }>('GET', `/api/token/browse?${query}`)).items.map(({ name }) => name)
  const counts = async (query: string): Promise<unknown> =>
    (await data<ValueCounts>('GET', `/api/token/facets?${query}`)).values
  const run = (which: object, act: object) => data<BatchResult>('POST', '/api/token/batch/run', { which, act })

  it('are those that are not, too', async () => {
    expect(await names('status=1&not=status')).toEqual(['old', 'off'])
    expect(await names('group=vip&not=group')).toEqual(['on'])
  })

  it('are counted by the status that they have now, and only one’s own', async () => {
    expect(await counts('facet=status')).toEqual([
      { value: '1', count: 1 },
      { value: '2', count: 1 },
      { value: '3', count: 1 },
    ])
    expect(await counts('facet=status&group=vip&status=2')).toEqual([
      { value: '2', count: 1 },
      { value: '3', count: 1 },
    ])
    expect(await counts('facet=group&status=3')).toEqual([{ value: 'vip', count: 1 }])
  })

  it('change together; those that cannot are named with the reason, and tried again by their ids', async () => {
    const result = await run({ filter: { status: '2,3' } }, { kind: 'status', status: 1 })
    expect(result).toMatchObject({
      done: 1,
      next: null,
      failed: [{ name: 'old', reason: expect.stringContaining('过期') }],
    })
    expect(await names('status=1')).toEqual(['off', 'on'])
    expect(traces.map(({ action }) => action)).toEqual(['token.update'])
    const ids = result.failed.map(({ id }) => id)
    await database.query.updateTable('tokens').set({ expired_time: -1 }).where('id', 'in', ids).execute()
    expect(await run({ ids }, { kind: 'status', status: 1 })).toEqual({
      done: 1,
      failed: [],
      before: [{ id: ids[0], value: 1 }],
      next: null,
    })
  })

  it('get another group, or none of their own, where their owner may use it', async () => {
    expect(await run({ filter: { group: 'vip' } }, { kind: 'group', group: '' })).toMatchObject({ done: 2, failed: [] })
    expect(await names('group=vip')).toEqual([])
    const refused = await run({ filter: { keyword: 'on' } }, { kind: 'group', group: 'nowhere' })
    expect(refused).toMatchObject({ done: 0, failed: [{ name: 'on', reason: expect.stringMatching(/./) }] })
  })

  it('are deleted by a filter, without those of other users', async () => {
    expect(await run({ filter: { group: 'vip' } }, { kind: 'delete' })).toMatchObject({ done: 2, failed: [] })
    expect(await names('')).toEqual(['on'])
    call = asUser(users[1])
    const [theirs] = (await data<{ items: Token[] }>('GET', '/api/token/browse')).items
    expect(theirs?.name).toBe('not mine')
    call = asUser(users[0])
    await expect(run({ ids: [theirs?.id] }, { kind: 'delete' })).rejects.toThrow('not_found')
    expect(await run({ filter: {} }, { kind: 'delete' })).toMatchObject({ done: 1 })
    call = asUser(users[1])
    expect(await names('')).toEqual(['not mine'])
  })

  it('say what the changed field held before, and come back after a delete for some minutes, to their owner alone', async () => {
    const changed = await run({ filter: { status: '1,2' } }, { kind: 'status', status: 2 })
    expect(changed.before.map(({ value }) => value)).toEqual([2, 1])
    const { before } = await run({ filter: { group: 'vip' } }, { kind: 'delete' })
    const ids = before.map(({ id }) => id)
    expect(before.map(({ value }) => value)).toEqual([null, null])
    call = asUser(users[1])
    await expect(run({ ids }, { kind: 'restore' })).rejects.toThrow('not_found')
    call = asUser(users[0])
    await expect(run({ filter: {} }, { kind: 'restore' })).rejects.toThrow('invalid_parameter')
    expect(await run({ ids }, { kind: 'restore' })).toMatchObject({ done: 2, failed: [] })
    expect(await names('')).toEqual(['old', 'off', 'on'])
    expect(traces.slice(-2).map(({ action }) => action)).toEqual(['token.restore', 'token.restore'])
    await run({ ids }, { kind: 'delete' })
    await database.query
      .updateTable('tokens')
      .set({ deleted_at: now - 601 })
      .where('id', 'in', ids)
      .execute()
    await expect(run({ ids }, { kind: 'restore' })).rejects.toThrow('not_found')
  })

  it('never mean all of them when a filter cannot be read', async () => {
    for (const filter of [{ state: '1' }, { status: 'x' }])
      await expect(run({ filter }, { kind: 'delete' })).rejects.toThrow('invalid_parameter')
    expect(await names('')).toHaveLength(3)
  })
})
