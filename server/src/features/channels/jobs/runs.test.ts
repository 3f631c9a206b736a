import type { BatchResult, ChannelTestLine, OfferedModelsLine } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { type Bench, openBench, type Shown } from '../../../../test/support/features/channel-test-bench.ts'
import { signedIn } from '../../../../test/support/features/signed-in.ts'
import type { Database } from '../../../db/database.ts'
import type { UpstreamRequest } from '../../../relay/upstream/upstream.ts'
import { channelRoutes } from '../routes.ts'

const body = { choices: [{ message: { content: 'hello' } }], usage: { prompt_tokens: 1, completion_tokens: 1 } }
const models = { data: [{ id: 'gpt-4o' }, { id: 'gpt-5' }] }
const refusal = { status: 401, body: { error: { message: 'Incorrect API key' } } }

/** Keys that begin with `bad` are refused. */
const answer = ({ headers, path }: UpstreamRequest) => {
  if (headers.authorization?.startsWith('Bearer bad')) return refusal
  return { status: 200, body: path.endsWith('/models') ? models : body }
}

describeEachEngine('many channels in one call', (open) => {
  let database: Database
  let bench: Bench
  let good: Shown
  let bad: Shown

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    bench = await openBench(database, answer)
    good = await bench.create({ name: 'good' })
    bad = await bench.create({ name: 'bad', key: 'bad-0123456789', models: 'gpt-4o,old' })
  })

  const linesOf = async <Line>(path: string, body: object): Promise<Line[]> => {
    const { text, headers } = await bench.call('POST', path, body)
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
  }

  it('are tested, each with a trace and a result of its own', async () => {
    const rows = [
      { id: good.id, model: 'gpt-4o' },
      { id: bad.id, model: '' },
      { id: 999_999, model: '' },
    ]
    const lines = await linesOf<ChannelTestLine>('/api/channel/test/many', { rows, prompt: 'Say hello', parallel: 2 })
    expect(lines.filter(({ state }) => state === 'running').map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    const ends = new Map(lines.filter(({ state }) => state !== 'running').map((line) => [line.id, line]))
    expect(ends.get(good.id)).toMatchObject({ state: 'ok', model: 'gpt-4o', answer: 'hello', time: expect.any(Number) })
    expect(ends.get(bad.id)).toMatchObject({ state: 'failed', error: expect.stringContaining('Incorrect API key') })
    expect(ends.get(999_999)).toMatchObject({ state: 'failed', error: expect.stringMatching(/./) })
    expect(String(bench.upstream.requests[0]?.body)).toContain('Say hello')
    const tested = bench.traces.filter(({ action }) => action === 'channel.test').map(({ objectId }) => objectId)
    expect(tested.toSorted()).toEqual([good.id, bad.id].toSorted())
  })

  it('say what their upstreams offer, or why that is not known', async () => {
    const lines = await linesOf<OfferedModelsLine>('/api/channel/fetch_models/many', { ids: [good.id, bad.id] })
    expect(lines.find(({ id }) => id === good.id)).toEqual({ id: good.id, models: ['gpt-4o', 'gpt-5'] })
    expect(lines.find(({ id }) => id === bad.id)).toMatchObject({ error: expect.stringContaining('401') })
    expect(bench.traces.at(-1)).toMatchObject({ action: 'channel.fetch_models', after: { channels: 2 } })
  })

  it('are given models and lose others, whatever was changed meanwhile; one that would have none is refused', async () => {
    await bench.data('PUT', '/api/channel/', { id: bad.id, models: 'gpt-4o,old,mine' })
    const rows = [
      { id: good.id, remove: ['gpt-4o'] },
      { id: bad.id, add: ['gpt-5', 'gpt-4o'], remove: ['old'] },
    ]
    const result = await bench.data<BatchResult>('POST', '/api/channel/batch/models', { rows })
    expect(result).toMatchObject({
      done: 1,
      failed: [{ id: good.id, name: 'good', reason: expect.stringMatching(/./) }],
    })
    expect((await bench.data('GET', `/api/channel/${bad.id}`)).models).toBe('gpt-4o,mine,gpt-5')
    expect((await bench.data('GET', `/api/channel/${good.id}`)).models).toBe('gpt-4o')
    expect(bench.served('default', 'gpt-5')).toEqual([bad.id])
  })

  it('are for admins only', async () => {
    const user = signedIn((on) => channelRoutes(on, bench.parts), { role: 1 })
    for (const [path, body] of [
      ['test/many', { rows: [{ id: good.id }] }],
      ['fetch_models/many', { ids: [good.id] }],
      ['batch/models', { rows: [{ id: good.id, add: ['x'] }] }],
    ] as const)
      expect((await user('POST', `/api/channel/${path}`, body)).json).toMatchObject({ code: 'permission_denied' })
    expect(bench.upstream.requests).toEqual([])
  })
})
