import type { BatchResult, ValueCounts } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { type Bench, openBench, type Shown } from '../../../test/support/features/channel-test-bench.ts'
import { signedIn } from '../../../test/support/features/signed-in.ts'
import type { Database } from '../../db/database.ts'
import { channelRoutes } from './routes.ts'

describeEachEngine('channels by their filters', (open) => {
  let database: Database
  let bench: Bench

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    bench = await openBench(database)
    await bench.create({ name: 'a', tag: 'eu', group: 'default,vip' })
    await bench.create({ name: 'b', tag: 'us', type: 43, group: 'vip' })
    await bench.create({ name: 'c', status: 2, models: 'gpt-4o,o3' })
  })

  const names = async (query: string): Promise<unknown[]> =>
    (await bench.data<{ items: Shown[] }>('GET', `/api/channel/browse?sort=name&${query}`)).items.map(
      ({ name }) => name,
    )
  const counts = async (query: string): Promise<Record<string, number>> => {
    const { values, capped } = await bench.data<ValueCounts>('GET', `/api/channel/facets?${query}`)
    expect(capped).toBe(false)
    return Object.fromEntries(values.map(({ value, count }) => [value, count]))
  }
  const run = (which: object, act: object) => bench.data<BatchResult>('POST', '/api/channel/batch/run', { which, act })

  it('are those that are not, too, and without a tag is not a tag', async () => {
    // The list sorts descending only where it is told to; names come in order.
    expect(await names('status=2&not=status')).toEqual(['a', 'b'])
    expect(await names('tag=eu&not=tag')).toEqual(['b', 'c'])
    expect(await names('group=vip&not=group')).toEqual(['c'])
    expect(await names('type=43&not=type,status&status=2')).toEqual(['a'])
    expect(await names('model=o3&not=model')).toEqual(['a', 'b'])
    expect(await names('status=2&not=unknown')).toEqual(['c'])
  })

  it('are counted for each value of a filter, given the others and not itself', async () => {
    expect(await counts('facet=status')).toEqual({ 1: 2, 2: 1 })
    expect(await counts('facet=status&status=2')).toEqual({ 1: 2, 2: 1 })
    expect(await counts('facet=status&group=vip')).toEqual({ 1: 2 })
    expect(await counts('facet=group')).toEqual({ vip: 2, default: 2 })
    expect(await counts('facet=tag')).toEqual({ eu: 1, us: 1 })
    expect(await counts('facet=type&status=2&not=status')).toEqual({ 1: 1, 43: 1 })
  })

  it('change together, each with a trace, and the relay knows at once', async () => {
    const before = bench.traces.length
    const changed = await run({ filter: { status: '1' } }, { kind: 'status', status: 2 })
    expect(changed).toMatchObject({ done: 2, failed: [], next: null })
    expect(changed.before.map(({ value }) => value)).toEqual([1, 1])
    expect(bench.served()).toEqual([])
    expect(bench.traces.slice(before).map(({ action }) => action)).toEqual(['channel.update', 'channel.update'])
    await run({ filter: { not: 'tag', tag: 'eu' } }, { kind: 'tag', tag: 'rest' })
    expect(await names('tag=rest')).toEqual(['b', 'c'])
    await run({ filter: { keyword: 'a' } }, { kind: 'priority', priority: 7 })
    expect((await bench.list()).map(({ name, priority }) => [name, priority])).toContainEqual(['a', 7])
    expect(await run({ filter: {} }, { kind: 'delete' })).toMatchObject({ done: 3 })
    expect(await bench.list()).toEqual([])
  })

  it('change their groups, and keep them where a group is unknown', async () => {
    await run({ filter: { group: 'vip' } }, { kind: 'group', group: 'default, vip2' })
    expect(await names('group=vip2')).toEqual(['a', 'b'])
    expect(bench.served('vip2')).toHaveLength(2)
    const refused = await run({ filter: { status: '1' } }, { kind: 'group', group: 'vip,nowhere' })
    expect(refused).toMatchObject({ done: 0, next: null })
    expect(refused.failed.map(({ name, reason }) => [name, reason.includes('nowhere')])).toEqual([
      ['b', true],
      ['a', true],
    ])
    expect(await names('group=vip2')).toEqual(['a', 'b'])
  })

  it('come a batch at a time, and none that were made meanwhile', async () => {
    await bench.data('POST', '/api/channel/', {
      type: 1,
      name: 'many',
      key: Array.from({ length: 120 }, (_, index) => `sk-${index}-0123456789`).join('\n'),
      models: 'gpt-4o',
      group: 'default',
    })
    const first = await run({ filter: { keyword: 'many' } }, { kind: 'weight', weight: 3 })
    expect(first).toMatchObject({ done: 100, failed: [], next: expect.any(Number) })
    await bench.create({ name: 'many too' })
    const second = await run({ filter: { keyword: 'many' }, before: first.next }, { kind: 'weight', weight: 3 })
    expect(second).toMatchObject({ done: 20, failed: [], next: null })
    const page = await bench.data<{ items: Shown[] }>('GET', '/api/channel/browse?keyword=many%20too')
    expect(page.items).toMatchObject([{ weight: 0 }])
  })

  it('never mean all of them when a filter cannot be read', async () => {
    for (const filter of [{ statsu: '1' }, { status: 'x' }, { type: '1,y' }, undefined])
      await expect(run({ filter }, { kind: 'delete' })).rejects.toThrow('无效的参数')
    expect(await bench.list()).toHaveLength(3)
  })

  it('are for admins only', async () => {
    const user = signedIn((on) => channelRoutes(on, bench.parts), { role: 1 })
    const body = { which: { filter: {} }, act: { kind: 'delete' } }
    expect((await user('POST', '/api/channel/batch/run', body)).json).toMatchObject({ code: 'permission_denied' })
    expect((await user('GET', '/api/channel/facets?facet=status')).json).toMatchObject({ code: 'permission_denied' })
  })
})
