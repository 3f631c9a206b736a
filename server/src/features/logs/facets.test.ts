import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { now, openTestLogs, type TestLogs } from '../../../test/support/features/logs.ts'
import type { SignedIn } from '../../../test/support/features/signed-in.ts'
import type { Database } from '../../db/database.ts'

const hour = 3_600
const day = 86_400
const noon = now - (now % day) + day / 2

describeEachEngine('the filters of the log', (open) => {
  let database: Database
  let logs: TestLogs

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    logs = await openTestLogs(database, { clock: () => noon * 1000 })
  })

  const ask = async (caller: SignedIn, query: Record<string, string | number>) => {
    const path = caller === logs.admin ? '/api/log/facets' : '/api/log/self/facets'
    const { json } = await caller('GET', `${path}?${new URLSearchParams(query as Record<string, string>)}`)
    if (json.success !== true) return json.code
    const { values, capped } = json.data as { values: { value: string; count: number }[]; capped: boolean }
    expect(capped).toBe(false)
    return values.map(({ value, count }) => [value, count])
  }
  const counts = (query: Record<string, string | number>) => ask(logs.admin, query)

  const some = [
    { created_at: noon - hour, user_id: 7, token_name: 'phone', model_name: 'gpt-4o', group: 'vip', channel_id: 3 },
    { created_at: noon - hour, user_id: 7, token_name: 'phone', model_name: 'claude', group: 'vip', channel_id: 3 },
    { created_at: noon - hour, user_id: 9, token_name: 'desk', model_name: 'gpt-4o', group: 'default', channel_id: 4 },
    {
      created_at: noon - hour,
      user_id: 9,
      token_name: 'desk',
      model_name: 'gpt-4o',
      group: 'default',
      type: 5,
      channel_id: 0,
    },
    { created_at: noon - 50 * day, user_id: 9, token_name: 'old', model_name: 'old', group: 'default', channel_id: 5 },
  ]
  const days3 = { start_timestamp: noon - 3 * day, end_timestamp: noon + hour }
  const hours2 = { start_timestamp: noon - 2 * hour, end_timestamp: noon + hour }

  it.each([
    ['by the sums', days3],
    ['row by row', hours2],
  ])('name the channels, whose values are numbers, %s', async (_, range) => {
    await logs.charge(...some)
    const query = new URLSearchParams({ ...range, facet: 'channel' } as unknown as Record<string, string>)
    const { json } = await logs.admin('GET', `/api/log/facets?${query}`)
    expect(json.data).toMatchObject({
      values: [
        { value: '3', name: 'channel 3' },
        { value: '4', name: 'channel 4' },
      ],
    })
  })

  it('count keys and users over months, of which most are summed in pieces of 28 days', async () => {
    const days = [0, 1, 27, 28, 29, 60, 119, 130]
    await logs.charge(
      ...days.map((ago) => ({ created_at: noon - ago * day, user_id: 70, token_name: 'months', model_name: 'gpt-4o' })),
    )
    const months = { start_timestamp: noon - 120 * day, end_timestamp: noon + hour }
    expect(await counts({ ...months, facet: 'token_name' })).toContainEqual(['months', 7])
    expect(await counts({ ...months, facet: 'token_name', model_name: 'gpt-4o' })).toContainEqual(['months', 7])
    expect(await counts({ ...months, start_timestamp: 1, facet: 'token_name' })).toContainEqual(['months', 8])
  })

  it.each([
    ['by the sums', days3],
    ['row by row, where the range is short', hours2],
  ])('say how many rows each value has, %s', async (_, range) => {
    await logs.charge(...some)
    await logs.write({ created_at: noon - hour, type: 3, token_name: '', model_name: '', group: '', channel_id: 0 })
    expect(await counts({ ...range, facet: 'type', model_name: 'gpt' })).toEqual([
      ['2', 2],
      ['5', 1],
    ])
    expect(await counts({ ...range, facet: 'type' })).toEqual([
      ['2', 3],
      ['3', 1],
      ['5', 1],
    ])
    expect(await counts({ ...range, facet: 'model_name', type: 2 })).toEqual([
      ['gpt-4o', 2],
      ['claude', 1],
    ])
    expect(await counts({ ...range, facet: 'token_name', username: 'bob' })).toEqual([['desk', 2]])
    expect(await counts({ ...range, facet: 'channel' })).toEqual([
      ['3', 2],
      ['4', 1],
    ])
    expect(await counts({ ...range, facet: 'username', group: 'vip' })).toEqual([['user 7', 2]])
    expect(await counts({ ...range, facet: 'group', group: 'vip', type: 5 })).toEqual([['default', 1]])
  })

  it('say so where counting stopped', async () => {
    await logs.charge(...some)
    const changes = Array.from({ length: 10_001 }, () => ({ created_at: noon - hour, type: 3 }))
    await logs.write(...changes)
    const { json } = await logs.admin('GET', `/api/log/facets?facet=type&start_timestamp=${noon - 3 * day}`)
    const { values, capped } = json.data as { values: { value: string; count: number }[]; capped: boolean }
    expect([values[0], capped]).toEqual([{ value: '3', count: 10_000 }, true])
  })

  it('count all time, and a single request', async () => {
    await logs.charge(...some)
    expect(await counts({ facet: 'model_name' })).toEqual([
      ['gpt-4o', 3],
      ['claude', 1],
      ['old', 1],
    ])
    expect(await counts({ facet: 'model_name', request_id: 'nobody knows it' })).toEqual([])
  })

  it('leave out what they name: in the list, the sums, the chart and the counts', async () => {
    await logs.charge(...some.map((row) => ({ ...row, quota: row.type === 5 ? 0 : 100 })))
    const query = (filters: Record<string, string | number>) => {
      const all: Record<string, string | number> = { ...days3, ...filters }
      return new URLSearchParams(all as Record<string, string>)
    }
    const seen = async (filters: Record<string, string | number>) => {
      const [list, stat, volume] = await Promise.all([
        logs.admin('GET', `/api/log/?${query(filters)}`),
        logs.admin('GET', `/api/log/stat?${query(filters)}`),
        logs.admin('GET', `/api/log/volume?${query(filters)}`),
      ])
      const { items } = list.json.data as { items: { model_name: string; token_name: string }[] }
      const { done, failed } = volume.json.data as { done: number[]; failed: number[] }
      const drawn = [...done, ...failed].reduce((sum, count) => sum + count, 0)
      expect(drawn).toBe(items.length)
      const { quota } = stat.json.data as { quota: number }
      return [items.map(({ token_name, model_name }) => `${token_name} ${model_name}`).sort(), quota]
    }
    expect(await seen({ model_name: 'gpt', not: 'model_name' })).toEqual([['phone claude'], 100])
    expect(await seen({ model_name: '"gpt-4o"', not: 'model_name' })).toEqual([['phone claude'], 100])
    expect(await seen({ token_name: 'phone', not: 'token_name' })).toEqual([['desk gpt-4o', 'desk gpt-4o'], 100])
    expect(await seen({ group: 'vip', not: 'group' })).toEqual([['desk gpt-4o', 'desk gpt-4o'], 100])
    expect(await seen({ channel: 3, not: 'channel' })).toEqual([['desk gpt-4o', 'desk gpt-4o'], 100])
    expect(await seen({ username: 'alicia', not: 'username', type: 2 })).toEqual([['desk gpt-4o'], 100])
    expect(await seen({ username: 'carol', not: 'username', model_name: 'claude' })).toEqual([['phone claude'], 100])
    expect(await counts({ ...days3, facet: 'model_name', username: 'bob', not: 'username' })).toEqual([
      ['claude', 1],
      ['gpt-4o', 1],
    ])
  })

  it('count programs row by row, whatever the range, and say where counting stopped', async () => {
    const [claude, codex, none] = ['{"client":"Claude Code","end":"done"}', '{"end":"done","client":"Codex"}', '']
    await logs.charge(
      ...[claude, claude, codex, none, '{"parameters":{"user":"\\"client\\":\\"Zed\\""}}', '{"client":"cut'].map(
        (other) => ({
          created_at: noon - hour,
          user_id: 7,
          other,
        }),
      ),
      { created_at: noon - 50 * day, user_id: 9, other: codex },
    )
    const all = [
      ['Claude Code', 2],
      ['Codex', 1],
      ['cut', 1],
    ]
    expect(await counts({ ...days3, facet: 'client' })).toEqual(all)
    expect(await counts({ ...days3, facet: 'client', client: 'Codex' })).toEqual(all)
    expect(await counts({ facet: 'client', username: 'bob' })).toEqual([['Codex', 1]])
    expect(await counts({ ...days3, facet: 'username', client: 'Codex' })).toEqual([['user 7', 1]])
    expect(await ask(logs.user, { facet: 'client' })).toEqual(all)
    const few = await openTestLogs(database, { clock: () => noon * 1000, most: { ofTime: 1, ofFilter: 1 } })
    await few.charge(
      { created_at: noon, other: claude },
      { created_at: noon - 1, other: claude },
      { created_at: noon - 2, other: codex },
    )
    expect((await few.admin('GET', '/api/log/facets?facet=client')).json.data).toEqual({
      values: [{ value: 'Claude Code', count: 2 }],
      capped: true,
    })
  })

  it('never turn round whose log a user reads', async () => {
    await logs.charge(...some)
    const { json } = await logs.user('GET', '/api/log/self?username=bob&not=username,channel&channel=3')
    const { items } = json.data as { items: { user_id: number }[] }
    expect(items.map(({ user_id }) => user_id)).toEqual([7, 7])
  })

  it('show users only what is theirs', async () => {
    await logs.charge(...some)
    expect(await ask(logs.user, { ...days3, facet: 'model_name', username: 'bob' })).toEqual([
      ['claude', 1],
      ['gpt-4o', 1],
    ])
    expect(await ask(logs.user, { ...days3, facet: 'channel' })).toBe('invalid_parameter')
  })
})
