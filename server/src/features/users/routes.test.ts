import type { BatchResult, ValueCounts } from '@tollgate/contract'
import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openUserSite, type UserSite, userHelpers } from '../../../test/support/features/users.ts'

describeEachEngine('users by their filters', (open) => {
  let here: UserSite
  const { made, page, set, stored, trailOf } = userHelpers(() => here)

  beforeAll(async () => {
    here = await openUserSite(await open())
  })

  const counts = async (query: string): Promise<Record<string, number>> => {
    const { json } = await here.admin.call('GET', `/api/user/facets?${query}`)
    return Object.fromEntries((json.data as ValueCounts).values.map(({ value, count }) => [value, count]))
  }
  const run = async (caller: 'root' | 'admin', which: object, action: string) => {
    const { json } = await here[caller].call('POST', '/api/user/batch/run', { which, act: { kind: action } })
    return json as { success: boolean; data: BatchResult }
  }
  const found = async (query: string) =>
    (await page(`/api/user/search?page_size=100&${query}`)).items.map(({ id }) => id)

  it('are those that are not, too; cancelled users are nothing else', async () => {
    const [active, banned, gone] = [await made(), await made(), await made()]
    await set(banned, { status: 2, group: 'vip' })
    await set(gone, { deleted_at: 5 })
    expect(await found('status=2&not=status')).toEqual(expect.arrayContaining([active, gone]))
    expect(await found('status=2&not=status')).not.toContain(banned)
    expect(await found('status=-1&not=status')).not.toContain(gone)
    expect(await found('group=vip&not=group')).toEqual(expect.not.arrayContaining([banned]))
    expect(await counts('facet=status&group=vip')).toEqual({ 2: 1 })
    expect(await counts('facet=group&status=2')).toEqual({ vip: 1 })
    expect(await counts('facet=status')).toMatchObject({ 2: 1, [-1]: 1 })
    expect(await counts('facet=role&role=1')).toMatchObject({ 10: 1, 100: 1 })
    await set(banned, { group: 'default', status: 1 })
  })

  it('change together, with a trace each; those above are named with the reason and stay as they are', async () => {
    const [ordinary, boss] = [await made(), await made(10)]
    await set(ordinary, { group: 'team' })
    await set(boss, { group: 'team' })
    const { data } = await run('admin', { filter: { group: 'team' } }, 'disable')
    expect(data).toMatchObject({ done: 1, next: null, failed: [{ id: boss, reason: expect.stringMatching(/./) }] })
    expect([(await stored(ordinary)).status, (await stored(boss)).status]).toEqual([2, 1])
    expect((await trailOf(ordinary)).at(-1)).toMatchObject({ action: 'user.disable' })
    expect((await run('root', { ids: [boss] }, 'disable')).data).toMatchObject({ done: 1, failed: [], next: null })
  })

  it('get another group or are cancelled together, except those above', async () => {
    const [ordinary, boss] = [await made(), await made(10)]
    await set(ordinary, { group: 'crew' })
    await set(boss, { group: 'crew' })
    const move = (group: string) =>
      here.admin.call('POST', '/api/user/batch/run', {
        which: { filter: { group: 'crew' } },
        act: { kind: 'group', group },
      })
    const refused = (await move('nowhere')).json.data as BatchResult
    expect(refused).toMatchObject({ done: 0, failed: [{}, {}] })
    expect((await move('vip')).json.data).toMatchObject({ done: 1, failed: [{ id: boss }] })
    expect([(await stored(ordinary)).group, (await stored(boss)).group]).toEqual(['vip', 'crew'])
    expect((await run('admin', { ids: [ordinary, boss] }, 'delete')).data).toMatchObject({
      done: 1,
      failed: [{ id: boss }],
    })
    expect([(await stored(ordinary)).deleted_at, (await stored(boss)).deleted_at]).toEqual([expect.any(Number), null])
  })

  it('never mean all of them when a filter cannot be read', async () => {
    for (const filter of [{ role: 'x' }, { roles: '1' }])
      expect((await run('root', { filter }, 'disable')).success).toBe(false)
  })
})
