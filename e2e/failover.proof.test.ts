import type { Channel } from '@tollgate/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, errorOf, hello, openBench } from './support/bench.ts'
import { addChannel } from './support/operator.ts'
import {
  type Answer,
  chunk,
  completion,
  json,
  reset,
  stream,
  streamThen,
  usageChunk,
} from './support/scripted-upstream.ts'

/** Two channels, tried in order of priority; the answer of the first one decides what follows. */

let bench: Bench
/** How the channels answer from now on. */
let first: Answer
let second: Answer

beforeAll(async () => {
  bench = await openBench({}, null)
  await addChannel(bench.operator, bench.upstream.url, { name: 'first', key: 'sk-first', priority: 10 })
  await addChannel(bench.operator, bench.upstream.url, { name: 'second', key: 'sk-second', priority: 0 })
  bench.upstream.answer = (call) => (call.headers.authorization === 'Bearer sk-first' ? first : second)(call)
})
afterAll(() => bench?.close())

beforeEach(async () => {
  second = json(completion({ content: 'from the second' }))
  await bench.set('RetryTimes', 1)
  // A channel that is switched on starts with clean health, whatever the case before did.
  for (const id of [1, 2])
    for (const status of [2, 1]) await bench.operator.must('PUT', '/api/channel/', { id, status })
})

const failure = (status: number): Answer =>
  json({ error: { message: `refused with ${status}`, type: 'server_error', code: null } }, status)

/** One call: the answer, its log entry, the keys of the channels that were called, and the cost. */
const call = async (body: object = hello) => {
  const seen = bench.upstream.calls.length
  const before = await bench.books.balance(bench.customer.id)
  const received = await bench.ask({ body })
  const entry = await bench.books.entry(received.requestId)
  return {
    received,
    entry,
    usedKeys: bench.upstream.calls.slice(seen).map(({ headers }) => headers.authorization?.slice('Bearer '.length)),
    paid: before - (await bench.books.balance(bench.customer.id)),
  }
}

describe('retries', () => {
  it.each([429, 500, 503, 401, 403, 404])('ask the next channel after %d', async (status) => {
    first = failure(status)
    const { received, entry, usedKeys, paid } = await call()
    expect(received.status).toBe(200)
    expect(received.text).toContain('from the second')
    expect(usedKeys).toEqual(['sk-first', 'sk-second'])
    expect(paid).toBe(275)
    expect(entry).toMatchObject({
      type: 2,
      quota: 275,
      channel: 2,
      channel_name: 'second',
      other: {
        admin_info: {
          use_channel: ['1', '2'],
          attempts: [
            { channel: 1, channel_name: 'first', status, error: expect.stringContaining(`refused with ${status}`) },
            { channel: 2, channel_name: 'second', status: 200, error: '' },
          ],
        },
      },
    })
  })

  it('ask the next channel when the first cannot be reached', async () => {
    first = reset
    const { received, usedKeys } = await call()
    expect(received.status).toBe(200)
    // A connection that had been used before is tried once more as a fresh one.
    expect(usedKeys.filter((key, at) => key !== usedKeys[at - 1])).toEqual(['sk-first', 'sk-second'])
  })

  it('ask the next channel when a stream ends before it began', async () => {
    first = streamThen([], ({ response }) => response.destroy())
    second = stream(chunk({ content: 'from the second' }), usageChunk(20, 50))
    const { received, entry, usedKeys } = await call({ ...hello, stream: true })
    expect(received.text).toContain('from the second')
    expect(usedKeys).toEqual(['sk-first', 'sk-second'])
    expect(entry).toMatchObject({ quota: 275, is_stream: true, channel: 2 })
  })

  it('return the last refusal when all channels refuse, and cost nothing', async () => {
    first = failure(500)
    second = failure(503)
    const { received, entry, usedKeys, paid } = await call()
    expect(received.status).toBe(503)
    expect(errorOf(received).message).toContain('refused with 503')
    expect(usedKeys).toEqual(['sk-first', 'sk-second'])
    expect(paid).toBe(0)
    expect(entry.other.admin_info?.attempts?.map(({ status }) => status)).toEqual([500, 503])
  })

  it('are not made when RetryTimes is 0', async () => {
    await bench.set('RetryTimes', 0)
    first = failure(500)
    const { received, usedKeys, paid } = await call()
    expect(received.status).toBe(500)
    expect(usedKeys).toEqual(['sk-first'])
    expect(paid).toBe(0)
  })

  it.each([400, 408, 504])('are not made after %d', async (status) => {
    first = failure(status)
    const { received, usedKeys } = await call()
    expect(received.status).toBe(status)
    expect(usedKeys).toEqual(['sk-first'])
  })

  it('are not made once the client has received the first chunk', async () => {
    first = streamThen([chunk({ content: 'one two three' })], reset)
    const { received, entry, usedKeys, paid } = await call({ ...hello, stream: true })
    expect(received.text).toContain('one two three')
    expect(received.text).not.toContain('from the second')
    expect(usedKeys).toEqual(['sk-first'])
    // (10 + 3 × 4) × 1.25 = 27.5
    expect(paid).toBe(28)
    expect(entry).toMatchObject({ channel: 1, other: { end: 'upstream_broke' } })
  })
})

describe('a channel whose key the provider refuses', () => {
  const refused = json(
    { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } },
    401,
  )
  const channel = () => bench.operator.must<Channel>('GET', '/api/channel/1')

  afterEach(async () => {
    await bench.set('AutomaticDisableChannelEnabled', false)
    await bench.operator.must('PUT', '/api/channel/', { id: 1, status: 1, auto_ban: 1 })
  })

  it('stays on while the operator has not allowed more', async () => {
    first = refused
    await call()
    expect((await channel()).status).toBe(1)
  })

  it('stays on when it is exempt', async () => {
    await bench.set('AutomaticDisableChannelEnabled', true)
    await bench.operator.must('PUT', '/api/channel/', { id: 1, auto_ban: 0 })
    first = refused
    await call()
    expect((await channel()).status).toBe(1)
  })

  it('is switched off with the reason, and the very next call goes past it', async () => {
    await bench.set('AutomaticDisableChannelEnabled', true)
    first = refused
    const [, next] = [await bench.ask(), await bench.ask()]
    expect(next.text).toContain('from the second')
    const entry = await bench.books.entry(next.requestId)
    expect(entry.other.admin_info?.use_channel).toEqual(['2'])
    await expect.poll(async () => (await channel()).status).toBe(3)
    expect(JSON.parse((await channel()).other_info)).toMatchObject({
      status_reason: expect.stringContaining('Incorrect API key provided'),
      status_time: expect.any(Number),
    })
  })

  it('answers again once the operator has switched it on', async () => {
    first = json(completion({ content: 'from the first' }))
    expect((await call()).received.text).toContain('from the first')
  })
})
