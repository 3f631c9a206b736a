import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, errorOf, hello, openBench } from './bench.ts'
import { ownEntry, sumOf } from './books.ts'
import {
  type Answer,
  chunk,
  completion,
  json,
  reset,
  silence,
  stream,
  streamThen,
  usageChunk,
} from './scripted-upstream.ts'

/** What a caller and the operator learn when the provider fails, and what it costs. */

let bench: Bench
beforeAll(async () => {
  bench = await openBench({ RELAY_TIMEOUT: '1', STREAMING_TIMEOUT: '1' }, { key: 'sk-secret-of-the-channel' })
})
afterAll(() => bench?.close())

const text =
  (body: string, status = 200, type = 'application/json'): Answer =>
  ({ response }) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  }

/** A head and half a body, then `next`. */
const half =
  (next: Answer): Answer =>
  (call) => {
    call.response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    call.response.write('{"id":"chatcmpl-1","choices":[', () => next(call))
  }

const openaiError = (message: string, type: string, code: string | null) => ({
  error: { message, type, param: null, code },
})

interface Failure {
  readonly when: string
  readonly answer: Answer
  readonly status: number
  readonly message: string
  readonly type: string
  readonly code: string | null
  /** For the operator. */
  readonly cause: RegExp
  /** Of the provider, in the list of attempts. */
  readonly upstreamStatus: number
}

const upstreamError = { type: 'upstream_error' } as const

const failures: readonly Failure[] = [
  {
    when: 'refuses the channel’s key',
    answer: json(
      openaiError('Incorrect API key provided: sk-secret-of-the-channel', 'invalid_request_error', 'invalid_api_key'),
      401,
    ),
    status: 401,
    message: 'Incorrect API key provided: ***',
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    cause: /^upstream status 401: .*Incorrect API key/,
    upstreamStatus: 401,
  },
  {
    when: 'forbids',
    answer: json(openaiError('Country not supported', 'request_forbidden', 'unsupported_country'), 403),
    status: 403,
    message: 'Country not supported',
    type: 'request_forbidden',
    code: 'unsupported_country',
    cause: /^upstream status 403: /,
    upstreamStatus: 403,
  },
  {
    when: 'does not know the model',
    answer: json(openaiError('The model does not exist', 'invalid_request_error', 'model_not_found'), 404),
    status: 404,
    message: 'The model does not exist',
    type: 'invalid_request_error',
    code: 'model_not_found',
    cause: /^upstream status 404: /,
    upstreamStatus: 404,
  },
  {
    when: 'is busy',
    answer: json(openaiError('Rate limit reached in organization org-1', 'requests', 'rate_limit_exceeded'), 429),
    status: 429,
    message: '当前分组上游负载已饱和，请稍后再试',
    type: 'requests',
    code: 'rate_limit_exceeded',
    cause: /^upstream status 429: .*org-1/,
    upstreamStatus: 429,
  },
  {
    when: 'has an error of its own',
    answer: json(openaiError('The server had an error', 'server_error', null), 500),
    status: 500,
    message: 'The server had an error',
    type: 'server_error',
    code: null,
    cause: /^upstream status 500: /,
    upstreamStatus: 500,
  },
  {
    when: 'is overloaded and says so loosely',
    answer: json({ message: 'overloaded' }, 503),
    status: 503,
    message: 'overloaded',
    ...upstreamError,
    code: 'bad_response_status_code',
    cause: /^upstream status 503: /,
    upstreamStatus: 503,
  },
  {
    when: 'sends a page',
    answer: text('<html><h1>502 Bad Gateway</h1></html>', 502, 'text/html'),
    status: 502,
    message: 'bad response status code 502',
    ...upstreamError,
    code: 'bad_response_status_code',
    cause: /Bad Gateway/,
    upstreamStatus: 502,
  },
  {
    when: 'does not answer in time',
    answer: silence,
    status: 504,
    message: '上游响应超时',
    ...upstreamError,
    code: 'upstream_timeout',
    cause: /UND_ERR_HEADERS_TIMEOUT/,
    upstreamStatus: 0,
  },
  {
    when: 'falls silent in the middle of a body',
    answer: half(silence),
    status: 504,
    message: '上游响应超时',
    ...upstreamError,
    code: 'upstream_timeout',
    cause: /UND_ERR_BODY_TIMEOUT/,
    upstreamStatus: 200,
  },
  {
    when: 'cuts the connection',
    answer: reset,
    status: 502,
    message: '请求上游地址失败',
    ...upstreamError,
    code: 'do_request_failed',
    cause: /./,
    upstreamStatus: 0,
  },
  {
    when: 'cuts the connection in the middle of a body',
    answer: half(reset),
    status: 502,
    message: '上游连接中断',
    ...upstreamError,
    code: 'upstream_broke',
    cause: /./,
    upstreamStatus: 200,
  },
  {
    when: 'sends half a JSON',
    answer: text(JSON.stringify(completion()).slice(0, 90)),
    status: 502,
    message: '上游返回了无法解析的内容',
    ...upstreamError,
    code: 'bad_response_body',
    cause: /JSON/,
    upstreamStatus: 200,
  },
  {
    when: 'sends nothing',
    answer: text(''),
    status: 502,
    message: '上游返回了无法解析的内容',
    ...upstreamError,
    code: 'bad_response_body',
    cause: /JSON/,
    upstreamStatus: 200,
  },
  {
    when: 'hides an error in a success',
    answer: json(openaiError('Quota of the provider is used up', 'quota_error', 'out_of_credit')),
    status: 502,
    message: 'Quota of the provider is used up',
    type: 'quota_error',
    code: 'out_of_credit',
    cause: /Quota of the provider/,
    upstreamStatus: 502,
  },
]

/** Balance before the last call. */
let before = 0
const failing = async (answer: Answer, body: object = hello) => {
  before = await bench.books.balance(bench.customer.id)
  bench.upstream.answer = answer
  const told = await bench.ask({ body })
  return { told, entry: await bench.books.entry(told.requestId) }
}
const paid = async (): Promise<number> => before - (await bench.books.balance(bench.customer.id))

const checkFailure = async (failure: Failure, body: object): Promise<void> => {
  const { told, entry } = await failing(failure.answer, body)
  expect(told.status).toBe(failure.status)
  expect(told.headers.get('content-type')).toMatch(/^application\/json/)
  expect(errorOf(told)).toMatchObject({
    message: `${failure.message} (request id: ${told.requestId})`,
    type: failure.type,
    code: failure.code,
  })
  expect(told.text).not.toMatch(/sk-secret|127\.0\.0\.1|org-1/)
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
  const own = await ownEntry(bench.customer, told.requestId)
  expect(own).toMatchObject({ type: 5, content: failure.message, channel_name: '' })
  expect(own?.other.admin_info).toBeUndefined()
}

it.each(failures)('answers $status, free of charge, when the provider $when', (failure) => checkFailure(failure, hello))

const refusedStreams = [
  'is busy',
  'sends a page',
  'does not answer in time',
  'cuts the connection',
  'hides an error in a success',
]

it.each(failures.filter(({ when }) => refusedStreams.includes(when)))(
  'answers $status, not a stream, when a stream is asked for and the provider $when',
  (failure) => checkFailure(failure, { ...hello, stream: true }),
)

it('answers 502 when a stream begins with an error', async () => {
  const { told, entry } = await failing(stream(openaiError('Overloaded', 'overloaded_error', 'busy')), {
    ...hello,
    stream: true,
  })
  expect(told.status).toBe(502)
  expect(errorOf(told)).toMatchObject({ type: 'overloaded_error', code: 'busy' })
  expect(entry).toMatchObject({ type: 5, quota: 0 })
  expect(await paid()).toBe(0)
})

it('answers 502 when nobody listens at the channel’s address', async () => {
  await bench.operator.must('PUT', '/api/channel/', { id: 1, base_url: 'http://127.0.0.1:9' })
  const { told, entry } = await failing(silence)
  await bench.operator.must('PUT', '/api/channel/', { id: 1, base_url: bench.upstream.url })
  expect(told.status).toBe(502)
  expect(told.text).not.toContain('127.0.0.1')
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
    cause: /UND_ERR_BODY_TIMEOUT/,
  },
  { how: 'cuts the connection', answer: streamThen(threeWords, reset), code: 'upstream_broke', cause: /./ },
  {
    how: 'ends in the middle of an event',
    answer: streamThen(threeWords, ({ response }) => response.end('data: {"id":"chatcmpl-1","choi')),
    code: 'upstream_broke',
    cause: /in the middle of an event/,
  },
]

describe('a stream whose provider breaks off', () => {
  it.each(breaks)('ends with an error and costs what was said when it $how', async ({ answer, code, cause }) => {
    const { told, entry } = await failing(answer, { ...hello, stream: true })
    expect(told.status).toBe(200)
    expect(told.text).toContain('one two')
    expect(told.text).toContain(' three')
    expect(told.text).not.toContain('[DONE]')
    expect(errorOf(told)).toMatchObject({
      message: expect.stringContaining(`(request id: ${told.requestId})`),
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
    expect((await ownEntry(bench.customer, told.requestId))?.other.admin_info).toBeUndefined()
  })

  it('costs what the provider had reported by then', async () => {
    const { entry } = await failing(streamThen([...threeWords, usageChunk(20, 50)], reset), { ...hello, stream: true })
    expect(entry).toMatchObject({ type: 2, quota: 275, other: { receipt: { estimated: false } } })
    expect(await paid()).toBe(275)
  })
})
