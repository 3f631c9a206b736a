import type { BatchResult, ValueCounts } from '@tollgate/contract'
import { beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import type { TestUser } from '#server-test/support/features/wallet.ts'
import { openCodeSite } from '../tests/code-site.ts'

describeEachEngine('redemption codes by their filters', (open) => {
  let database: Database
  let admin: TestUser

  beforeAll(async () => {
    database = await open()
    const site = await openCodeSite(database)
    admin = await site.admin()
    return () => site.close()
  })

  const data = async <T>(method: string, path: string, body?: object): Promise<T> =>
    (await admin.call(method, path, body)).json.data as T
  const run = (which: object, act: object) => data<BatchResult>('POST', '/api/redemption/batch/run', { which, act })
  const counts = async (query: string) => (await data<ValueCounts>('GET', `/api/redemption/facets?${query}`)).values
  const change = (name: string, set: object) =>
    database.query.updateTable('redemptions').set(set).where('name', '=', name).execute()

  it('are counted by status, those past their time apart, and change together but for those that were used', async () => {
    for (const name of ['a1', 'a2', 'a3', 'b1']) await admin.call('POST', '/api/redemption/', { name, quota: 5 })
    await change('a2', { status: 3 })
    await change('a3', { expired_time: 1 })
    expect(await counts('facet=status&status=3&keyword=a')).toEqual([
      { value: '1', count: 1 },
      { value: '3', count: 1 },
      { value: '4', count: 1 },
    ])
    const found = async (query: string) =>
      (await data<{ items: { name: string }[] }>('GET', `/api/redemption/search?${query}`)).items.map(
        ({ name }) => name,
      )
    expect(await found('status=1,4&not=status')).toEqual(['a2'])
    const result = await run({ filter: { keyword: 'a' } }, { kind: 'status', status: 2 })
    expect(result).toMatchObject({ done: 2, next: null, failed: [{ name: 'a2', reason: expect.stringMatching(/./) }] })
    expect(await found('status=2')).toEqual(['a3', 'a1'])
    const deleted = await run({ filter: { status: '2', not: 'status' } }, { kind: 'delete' })
    expect(deleted).toMatchObject({ done: 2 })
    expect(await found('')).toEqual(['a3', 'a1'])
    const ids = deleted.before.map(({ id }) => id)
    expect(await run({ ids }, { kind: 'restore' })).toMatchObject({ done: 2, failed: [] })
    expect(await found('status=2&not=status')).toHaveLength(2)
    await run({ ids }, { kind: 'delete' })
  })
})
