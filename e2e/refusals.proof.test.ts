import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, errorOf, hello, openBench, type ReceivedAnswer, type Request } from './support/bench.ts'
import { ownEntry } from './support/books.ts'
import { addChannel, addCustomer, addKey } from './support/operator.ts'

/** Calls that never reach a provider: the error that the caller gets, the log entry of the operator, and that they cost nothing. */

let bench: Bench

beforeAll(async () => {
  bench = await openBench({ MAX_REQUEST_MB: '1' })
  await addChannel(bench.operator, bench.upstream.url, { name: 'switched off', models: 'gpt-4', status: 2 })
})
afterAll(() => bench?.close())

const megabyte = 1024 * 1024

interface Refusal {
  readonly when: string
  readonly status: number
  readonly message: string | RegExp
  /** In the answer; early refusals have none. */
  readonly code?: string
  /** In the operator's log; a key that does not exist belongs to nobody. */
  readonly logged?: string
  readonly send: () => Request | Promise<Request>
}

const keyThat = async (more: Record<string, unknown>): Promise<Request> => ({ key: await addKey(bench.customer, more) })

/** A key of a user with only this balance. */
const withBalance = async (username: string, quota: number): Promise<Request> => {
  const key = await addKey(await addCustomer(bench.site.url, bench.operator, username, quota))
  return { key, body: { ...hello, max_tokens: 1000 } }
}

const disabledKey = async (): Promise<Request> => {
  const key = await addKey(bench.customer, { name: 'off' })
  const [token] = await bench.customer.must<{ id: number }[]>('GET', '/api/token/?p=0&size=1')
  await bench.customer.must('PUT', '/api/token/?status_only=1', { id: token?.id, status: 2 })
  return { key }
}

const inPieces = (bytes: number): ReadableStream =>
  new ReadableStream({
    start(controller) {
      for (let left = bytes; left > 0; left -= 64 * 1024) controller.enqueue(new Uint8Array(64 * 1024).fill(32))
      controller.close()
    },
  })

const refusals: readonly Refusal[] = [
  { when: 'there is no key', status: 401, message: '未提供令牌', send: () => ({ key: '' }) },
  { when: 'the key is wrong', status: 401, message: '无效的令牌', send: () => ({ key: 'sk-wrong' }) },
  {
    when: 'the key is disabled',
    status: 401,
    message: '该令牌状态不可用',
    logged: 'token_disabled',
    send: disabledKey,
  },
  {
    when: 'the key has expired',
    status: 401,
    message: '该令牌已过期',
    logged: 'token_expired',
    send: () => keyThat({ expired_time: 1_600_000_000 }),
  },
  {
    when: 'the key is used up',
    status: 401,
    message: /该令牌额度已用尽/,
    logged: 'token_spent',
    send: () => keyThat({ unlimited_quota: false, remain_quota: 0 }),
  },
  {
    when: 'the key has too little for this call',
    status: 403,
    message: /^token quota is not enough, token remain quota: ＄0\.000020, need quota: ＄0\.\d{6} /,
    code: 'pre_consume_token_quota_failed',
    logged: 'pre_consume_token_quota_failed',
    send: async () => ({
      ...(await keyThat({ unlimited_quota: false, remain_quota: 10 })),
      body: { ...hello, max_tokens: 1000 },
    }),
  },
  {
    when: 'the key does not allow the model',
    status: 403,
    message: '该令牌无权访问模型 gpt-4o',
    logged: 'model_not_allowed',
    send: () => keyThat({ model_limits_enabled: true, model_limits: 'gpt-4o-mini' }),
  },
  {
    when: 'the key allows other addresses only',
    status: 403,
    message: '您的 IP 不在令牌允许访问的列表中',
    logged: 'ip_not_allowed',
    send: () => keyThat({ allow_ips: '192.168.1.7' }),
  },
  {
    when: 'the key allows other networks only',
    status: 403,
    message: '您的 IP 不在令牌允许访问的列表中',
    logged: 'ip_not_allowed',
    send: () => keyThat({ allow_ips: '10.0.0.0/8\nfd00::/8' }),
  },
  {
    when: 'the client claims an allowed address',
    status: 403,
    message: '您的 IP 不在令牌允许访问的列表中',
    logged: 'ip_not_allowed',
    send: async () => ({ ...(await keyThat({ allow_ips: '10.0.0.0/8' })), headers: { 'x-forwarded-for': '10.1.2.3' } }),
  },
  {
    when: 'an ordinary user names a channel',
    status: 403,
    message: '普通用户不支持指定渠道',
    logged: 'token_channel_denied',
    send: () => ({ key: `${bench.key}-1` }),
  },
  {
    when: 'no channel has the model',
    status: 404,
    message: "The model 'no-such-model' does not exist",
    code: 'model_not_found',
    logged: 'model_not_found',
    send: () => ({ body: { ...hello, model: 'no-such-model' } }),
  },
  {
    when: 'the only channel with the model is disabled',
    status: 503,
    message: '当前分组 default 下对于模型 gpt-4 无可用渠道',
    logged: 'no_available_channel',
    send: () => ({ body: { ...hello, model: 'gpt-4' } }),
  },
  {
    when: 'the balance is empty',
    status: 403,
    message: 'user quota is not enough',
    code: 'insufficient_user_quota',
    logged: 'insufficient_user_quota',
    send: () => withBalance('penniless', 0),
  },
  {
    when: 'the balance is too small for this call',
    status: 403,
    message: /^chat pre-consumed quota failed, user quota: ＄0\.000020, need quota: ＄0\.\d{6} /,
    code: 'insufficient_user_quota',
    logged: 'insufficient_user_quota',
    send: () => withBalance('poor', 10),
  },
  {
    when: 'max_tokens is absurd',
    status: 400,
    message: 'max_tokens is invalid',
    code: 'invalid_text_request',
    logged: 'invalid_text_request',
    send: () => ({ body: { ...hello, max_tokens: 2 ** 31 } }),
  },
  {
    when: 'the body is no JSON',
    status: 400,
    message: /^Invalid request, 无效的请求, /,
    logged: 'invalid_request_body',
    send: () => ({ body: '{"model":"gpt-4o",' }),
  },
  {
    when: 'the body is empty',
    status: 400,
    message: /^Invalid request, 无效的请求, /,
    logged: 'invalid_request_body',
    send: () => ({ body: '' }),
  },
  {
    when: 'the body is a list',
    status: 400,
    message: /^Invalid request, 无效的请求, /,
    logged: 'invalid_request_body',
    send: () => ({ body: '[]' }),
  },
  {
    when: 'there are no messages',
    status: 400,
    message: 'field messages is required',
    code: 'invalid_text_request',
    logged: 'invalid_text_request',
    send: () => ({ body: { model: 'gpt-4o' } }),
  },
  {
    when: 'the body is too large',
    status: 413,
    message: '请求体过大，最大 1 MB',
    code: 'body_too_large',
    logged: 'body_too_large',
    send: () => ({ body: ' '.repeat(megabyte + 1) }),
  },
  {
    when: 'the body comes in pieces without end',
    status: 413,
    message: '请求体过大，最大 1 MB',
    code: 'body_too_large',
    logged: 'body_too_large',
    send: () => ({ body: inPieces(megabyte * 2) }),
  },
  {
    when: 'the body is small but unpacks to 200 MB',
    status: 413,
    message: '请求体过大，最大 1 MB',
    code: 'body_too_large',
    logged: 'body_too_large',
    send: () => ({ body: gzipSync(Buffer.alloc(200 * megabyte)), headers: { 'content-encoding': 'gzip' } }),
  },
  {
    when: 'the body is not packed as it says',
    status: 400,
    message: /^Invalid request, 无效的请求, the body is not gzip/,
    logged: 'invalid_request_body',
    send: () => ({ body: JSON.stringify(hello), headers: { 'content-encoding': 'gzip' } }),
  },
]

const expectError = (received: ReceivedAnswer, { status, message, code }: Refusal): void => {
  const error = errorOf(received)
  expect(received.status).toBe(status)
  expect(received.headers.get('content-type')).toMatch(/^application\/json/)
  const whole =
    typeof message === 'string' ? `${message} (request id: ${received.requestId})` : expect.stringMatching(message)
  const isUnknownModel = code === 'model_not_found'
  const type = isUnknownModel ? 'invalid_request_error' : 'new_api_error'
  const rest = code === undefined ? {} : { code, param: isUnknownModel ? 'model' : '' }
  expect(error).toEqual({ message: whole, type, ...rest })
  expect(error.message).toContain(`(request id: ${received.requestId})`)
}

describe('a call is refused', () => {
  it.each(refusals)('with $status when $when', async (refusal) => {
    const seen = bench.upstream.calls.length
    const balance = await bench.books.balance(bench.customer.id)
    const received = await bench.ask(await refusal.send())
    expectError(received, refusal)
    expect(bench.upstream.calls.length).toBe(seen)
    expect(await bench.books.balance(bench.customer.id)).toBe(balance)
    if (refusal.logged === undefined) {
      expect((await bench.books.newest())?.request_id).not.toBe(received.requestId)
      return
    }
    expect(await bench.books.entry(received.requestId)).toMatchObject({
      type: 5,
      quota: 0,
      other: { status: refusal.status, error_code: refusal.logged, admin_info: { attempts: [] } },
    })
  })

  it('and an allowed network lets the same key in', async () => {
    const request = await keyThat({ allow_ips: '127.0.0.0/8' })
    expect((await bench.ask(request)).status).toBe(200)
  })

  it('and the user reads why, but nothing about channels', async () => {
    const { requestId } = await bench.ask({ body: { ...hello, model: 'gpt-4' } })
    await bench.books.entry(requestId)
    const row = await ownEntry(bench.customer, requestId)
    expect(row).toMatchObject({ type: 5, quota: 0, other: { status: 503 } })
    expect(row?.other.admin_info).toBeUndefined()
  })

  it('and a body within the limit that was packed goes through', async () => {
    const received = await bench.ask({ body: gzipSync(JSON.stringify(hello)), headers: { 'content-encoding': 'gzip' } })
    expect(received.status).toBe(200)
    expect(bench.upstream.calls.at(-1)?.raw).toBe(JSON.stringify(hello))
  })
})
