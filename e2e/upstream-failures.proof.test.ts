import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, errorOf, hello, openBench } from './support/bench.ts'
import { ownEntry, sumOf } from './support/books.ts'
import { type Answer, chunk, reset, silence, stream, streamThen, usageChunk } from './support/scripted-upstream.ts'
import { channelKey, type Fault, faults, openaiError } from './support/upstream-faults.ts'

/** Errors that callers and the operator see when the provider fails, and the charge. */

let bench: Bench
beforeAll(async () => {
  bench = await openBench({ RELAY_TIMEOUT: '5', STREAMING_TIMEOUT: '5' }, { key: channelKey })
})
afterAll(() => bench?.close())

/** Balance before the last call. */
let before = 0
const failing = async (answer: Answer, body: object = hello) => {
  before = await bench.books.balance(bench.customer.id)
  bench.upstream.answer = answer
  const received = await bench.ask({ body })
  return { received, entry: await bench.books.entry(received.requestId) }
}
const paid = async (): Promise<number> => before - (await bench.books.balance(bench.customer.id))

const checkFailure = async (failure: Fault, body: object): Promise<void> => {
  const { received, entry } = await failing(failure.answer, body)
  expect(received.status).toBe(failure.status)
  expect(received.headers.get('content-type')).toMatch(/^application\/json/)
  expect(errorOf(received)).toMatchObject({
    message: `${failure.message} (request id: ${received.requestId})`,
    type: failure.type,
    code: failure.code,
  })
  expect(received.text).not.toMatch(/sk-secret|127\.0\.0\.1|org-1/)
  expect(await paid()).toBe(0)
  expect(entry).toMatchObject({
    type: 5,
    quota: 0,
    username: 'alice',
    model_name: 'gpt-4o',
    channel_name: 'main',
    content: failure.message,
    other: {
      status: failure.status,
      error_code: failure.code ?? failure.type,
      admin_info: {
        cause: expect.stringMatching(failure.cause),
        attempts: [{ channel: 1, channel_name: 'main', status: failure.upstreamStatus }],
      },
    },
  })
  expect(JSON.stringify(entry)).not.toContain('sk-secret')
  const own = await ownEntry(bench.customer, received.requestId)
  expect(own).toMatchObject({ type: 5, content: failure.message, channel_name: '' })
  expect(own?.other.admin_info).toBeUndefined()
}

it.each(faults)('answers $status, free of charge, when the provider $when', (failure) => checkFailure(failure, hello))

const refusedStreams = [
  'is busy',
  'sends a page',
  'does not answer in time',
  'cuts the connection',
  'hides an error in a success',
]

it.each(faults.filter(({ when }) => refusedStreams.includes(when)))(
  'answers $status, not a stream, when a stream is asked for and the provider $when',
  (failure) => checkFailure(failure, { ...hello, stream: true }),
)

it('answers 503 when a stream begins with an overload', async () => {
  const { received, entry } = await failing(stream(openaiError('Overloaded', 'overloaded_error', 'busy')), {
    ...hello,
    stream: true,
  })
  expect(received.status).toBe(503)
  expect(errorOf(received)).toMatchObject({ type: 'overloaded_error', code: 'busy' })
  expect(entry).toMatchObject({ type: 5, quota: 0 })
  expect(await paid()).toBe(0)
})

it('answers 502 when no server listens at the channel’s address', async () => {
  await bench.operator.must('PUT', '/api/channel/', { id: 1, base_url: 'http://127.0.0.1:9' })
  const { received, entry } = await failing(silence)
  await bench.operator.must('PUT', '/api/channel/', { id: 1, base_url: bench.upstream.url })
  expect(received.status).toBe(502)
  expect(received.text).not.toContain('127.0.0.1')
  expect(entry.other.admin_info?.cause).toContain('ECONNREFUSED')
  expect(await paid()).toBe(0)
})

/** 10 prompt tokens and three words. */
const threeWords = [chunk({ content: 'one two' }), chunk({ content: ' three' })]

const breaks: readonly { how: string; answer: Answer; code: string; cause: RegExp }[] = [
  {
    how: 'falls silent',
    answer: streamThen(threeWords, silence),
    code: 'upstream_timeout',
    cause: /the stream stopped in the middle/,
  },
  { how: 'cuts the connection', answer: streamThen(threeWords, reset), code: 'upstream_broke', cause: /./ },
  {
    how: 'ends in the middle of an event',
    answer: streamThen(threeWords, ({ response }) => response.end('data: {"id":"chatcmpl-1","choi')),
    code: 'upstream_broke',
    cause: /in the middle of the answer/,
  },
]

describe('a stream whose provider breaks off', () => {
  it.each(breaks)('ends with an error and costs what was said when it $how', async ({ answer, code, cause }) => {
    const { received, entry } = await failing(answer, { ...hello, stream: true })
    expect(received.status).toBe(200)
    expect(received.text).toContain('one two')
    expect(received.text).toContain(' three')
    expect(received.text).not.toContain('[DONE]')
    expect(errorOf(received)).toMatchObject({
      message: expect.stringContaining(`(request id: ${received.requestId})`),
      type: 'upstream_error',
      code,
    })
    // (10 + 3 × 4) × 1.25 = 27.5
    expect(await paid()).toBe(28)
    expect(entry).toMatchObject({
      type: 2,
      quota: 28,
      prompt_tokens: 10,
      completion_tokens: 3,
      is_stream: true,
      other: {
        end: 'upstream_broke',
        receipt: { estimated: true, quota: 28 },
        admin_info: { cause: expect.stringMatching(cause), attempts: [{ error: expect.stringMatching(cause) }] },
      },
    })
    const { receipt } = entry.other
    expect(receipt && sumOf(receipt)).toBe(28)
    expect((await ownEntry(bench.customer, received.requestId))?.other.admin_info).toBeUndefined()
  })

  it('costs what the provider had reported by then', async () => {
    const { entry } = await failing(streamThen([...threeWords, usageChunk(20, 50)], reset), { ...hello, stream: true })
    expect(entry).toMatchObject({ type: 2, quota: 275, other: { receipt: { estimated: false } } })
    expect(await paid()).toBe(275)
  })
})
