import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestGateway, type TestGateway, testToken, testUser } from '../../test/support/gateway/listener.ts'
import { openTestUpstream, type TestUpstream } from '../../test/support/gateway/upstream.ts'
import { openTestChannels, testChannel, testOptions } from '../../test/support/relay/ports.ts'
import type { TokenRecord } from './ports.ts'

let upstream: TestUpstream
let gateway: TestGateway

beforeAll(async () => {
  upstream = await openTestUpstream()
  gateway = await openTestGateway({ relay: { channels: openTestChannels() }, gateway: { maxRequestBytes: 5000 } })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})
beforeEach(() => {
  const { channels, recorder } = gateway.parts
  channels.list.splice(0, Number.POSITIVE_INFINITY, testChannel({ baseUrl: upstream.url }))
  recorder.records.length = 0
  upstream.received.length = 0
  gateway.logged.length = 0
  gateway.parts.settings = testOptions
  gateway.tokens.set('good', testToken)
})

const hi = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })

/** Reads Chinese by default. */
const call = (path: string, init: RequestInit = {}): Promise<Response> => {
  const headers = new Headers(init.headers)
  if (!headers.has('accept-language')) headers.set('accept-language', 'zh-CN')
  return fetch(gateway.url + path, { method: 'POST', body: init.method === 'GET' ? null : hi, ...init, headers })
}

const withKey = (key: string): RequestInit => ({ headers: { authorization: `Bearer ${key}` } })

const messageOf = async (response: Response): Promise<string> => {
  const body = (await response.json()) as { error?: { message?: string } }
  return body.error?.message ?? ''
}

const chat = '/v1/chat/completions'

describe('a key', () => {
  const refusals: readonly [string, Partial<TokenRecord>, number, string][] = [
    ['exhausted', { status: 4 }, 401, '该令牌额度已用尽 TokenStatusExhausted[sk-abc***xyz]'],
    ['marked expired', { status: 3 }, 401, '该令牌已过期'],
    ['disabled', { status: 2 }, 401, '该令牌状态不可用'],
    ['past its time', { expiredTime: 1 }, 401, '该令牌已过期'],
    [
      'spent',
      { unlimited: false, remainQuota: -1 },
      401,
      '[sk-abc***xyz] 该令牌额度已用尽 !token.UnlimitedQuota && token.RemainQuota = -1',
    ],
    ['without an owner', { user: undefined }, 401, '无效的令牌'],
    ['of a banned user', { user: { ...testUser, status: 2 } }, 403, '用户已被封禁'],
    ['for other addresses', { allowIps: '10.0.0.0/8\n::1' }, 403, '您的 IP 不在令牌允许访问的列表中'],
    ['whose address list is nonsense', { allowIps: 'home' }, 403, '您的 IP 不在令牌允许访问的列表中'],
    ['in a group that is closed', { group: 'closed' }, 403, '令牌分组 closed 已被禁用'],
    ['for other models', { modelLimits: new Set(['x']) }, 403, '该令牌无权访问模型 gpt-4o'],
    ['for no model', { modelLimits: new Set() }, 403, '该令牌无权访问任何模型'],
  ]

  it.each(refusals)('%s is refused', async (_, changes, status, message) => {
    gateway.tokens.set('good', { ...testToken, ...changes })
    const response = await call(chat, withKey('sk-good'))
    expect(response.status).toBe(status)
    const id = response.headers.get('x-oneapi-request-id')
    expect(await messageOf(response)).toBe(`${message} (request id: ${id})`)
    expect(upstream.received).toEqual([])
  })

  it.each([
    ['', '未提供令牌', undefined],
    ['sk-nobody', '无效的令牌', undefined],
    ['sk-good-1', '普通用户不支持指定渠道', 'token_channel_denied'],
  ])('"%s" is refused in the exact envelope, and logged for the operator', async (key, message, logged) => {
    const response = await call(chat, withKey(key))
    const id = response.headers.get('x-oneapi-request-id')
    expect(await response.json()).toEqual({
      error: { message: `${message} (request id: ${id})`, type: 'new_api_error' },
    })
    // A refused key of a user goes into that user's log, an unknown key only into the server's.
    const records = gateway.parts.recorder.records.map(({ kind, quota, other }) => [kind, quota, other.error_code])
    expect(records).toEqual(logged === undefined ? [] : [['error', 0, logged]])
    expect(gateway.logged).toHaveLength(logged === undefined ? 1 : 0)
  })

  it('of an allowed network may call', async () => {
    gateway.tokens.set('good', { ...testToken, allowIps: ' 127.0.0.0/8, 10.1.1.1 \nnonsense' })
    expect((await call(chat, withKey('good'))).status).toBe(200)
  })

  it.each([
    ['authorization', 'Bearer sk-good'],
    ['authorization', 'sk-good'],
    ['authorization', 'good'],
    ['x-api-key', 'sk-good'],
    ['x-goog-api-key', 'good'],
    ['api-key', 'sk-good'],
    ['mj-api-secret', 'Bearer sk-good'],
    ['sec-websocket-protocol', 'realtime, openai-insecure-api-key.sk-good, openai-beta.realtime-v1'],
  ])('is found in %s: %s', async (name, value) => {
    expect((await call(chat, { headers: { [name]: value } })).status).toBe(200)
  })

  it('is found in the query', async () => {
    expect((await call(`${chat}?key=sk-good`)).status).toBe(200)
  })

  it('of an admin may choose the channel, whatever the model', async () => {
    gateway.tokens.set('good', { ...testToken, user: { ...testUser, role: 10 }, modelLimits: new Set(['x']) })
    const disabled = testChannel({ id: 5, enabled: false })
    gateway.parts.channels.list.push(testChannel({ id: 4, baseUrl: upstream.url, models: new Set() }), disabled)
    expect((await call(chat, withKey('sk-good-4'))).status).toBe(200)
    expect(gateway.parts.recorder.records[0]?.channelId).toBe(4)
    expect(await messageOf(await call(chat, withKey('sk-good-5')))).toMatch(/^该渠道已被禁用 /)
    expect(await messageOf(await call(chat, withKey('sk-good-6')))).toMatch(/^无效的渠道 Id /)
    expect(await messageOf(await call(chat, withKey('sk-good-x')))).toMatch(/^无效的渠道 Id /)
  })
})

describe('a body', () => {
  const post = (
    body: Exclude<RequestInit['body'], undefined>,
    headers: Record<string, string> = {},
    path = chat,
  ): Promise<Response> => call(path, { headers: { authorization: 'good', ...headers }, body, duplex: 'half' })

  it.each([
    ['{"model":', 400, /^Invalid request, 无效的请求, /],
    ['[]', 400, /^Invalid request, 无效的请求, /],
    ['', 400, /^Invalid request, 无效的请求, /],
    ['{}', 400, /^model is required/],
    ['{"model":"m"}', 400, /^field messages is required/],
    ['{"model":"m","messages":"x"}', 400, /^field messages is not a list/],
    ['{"model":"m","messages":[],"max_tokens":2000000000}', 400, /^max_tokens is invalid/],
  ])('%s is refused and recorded', async (body, status, message) => {
    const response = await post(body)
    expect(response.status).toBe(status)
    expect(await messageOf(response)).toMatch(message)
    expect(gateway.parts.recorder.records[0]).toMatchObject({ kind: 'error', userId: 7, quota: 0, other: { status } })
  })

  it('may be compressed', async () => {
    expect((await post(gzipSync(hi), { 'content-encoding': 'gzip' })).status).toBe(200)
    expect((await post(brotliCompressSync(hi), { 'content-encoding': 'br' })).status).toBe(200)
    expect(upstream.received.map(({ body }) => body.toString())).toEqual([hi, hi])
    expect((await post('no gzip', { 'content-encoding': 'gzip' })).status).toBe(400)
  })

  it('may not be larger than the limit, unpacked or not', async () => {
    const large = JSON.stringify({ model: 'm', messages: [], pad: 'x'.repeat(100_000) })
    expect((await post(large)).status).toBe(413)
    expect((await post(gzipSync(large), { 'content-encoding': 'gzip' })).status).toBe(413)
    expect((await post(new Blob([large]).stream())).status).toBe(413)
    expect(gateway.parts.recorder.records.map(({ other }) => other.error_code)).toEqual(Array(3).fill('body_too_large'))
  })

  it('needs an input for embeddings and gets the model from the path', async () => {
    const response = await post('{"model":"m"}', {}, '/v1/embeddings')
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_embedding_request' } })
    expect((await post('{"input":"x"}', {}, '/v1/engines/ada/embeddings')).status).toBe(200)
    expect(upstream.received[0]?.path).toBe('/v1/engines/ada/embeddings')
    expect(JSON.parse(upstream.received[0]?.body.toString() ?? '')).toEqual({ input: 'x', model: 'ada' })
    expect((await post('{"input":"x"}', {}, '/v1/moderations')).status).toBe(200)
    expect(upstream.received[1]?.body.toString()).toBe('{"input":"x","model":"text-moderation-stable"}')
  })
})

describe('paths', () => {
  it.each([
    ['POST', '/v1/edits', { error: { code: 'api_not_implemented', type: 'new_api_error' } }],
    ['GET', '/v1/files', { error: { code: 'api_not_implemented' } }],
    ['DELETE', '/v1/models/x', { error: { code: 'api_not_implemented' } }],
    ['POST', '/v1beta/models/g:predictLongRunning', { error: { code: 501, status: 'UNIMPLEMENTED' } }],
  ])('%s %s answers 501 in its dialect, after the key', async (method, path, body) => {
    const response = await call(path, { method, body: null, headers: { authorization: 'good' } })
    expect(response.status).toBe(501)
    expect(await response.json()).toMatchObject(body)
    expect((await call(path, { method, body: null })).status).toBe(401)
  })

  it.each([
    ['GET', '/v1/embeddings'],
    ['POST', '/v1/nothing'],
    ['GET', '/v1'],
  ])('%s %s does not exist', async (method, path) => {
    const response = await call(path, { method, body: null })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: { message: `Invalid URL (${method} ${path})`, type: 'invalid_request_error', param: '', code: '' },
    })
  })

  it('may end with a slash', async () => {
    expect((await call(`${chat}/`, withKey('good'))).status).toBe(200)
  })

  it('of the console are left alone', async () => {
    for (const path of ['/', '/api/status', '/assets/x.js', '/token']) {
      expect((await call(path, { method: 'GET' })).status).toBe(418)
    }
  })

  it('let browsers call from every site', async () => {
    const response = await call(chat, {
      method: 'OPTIONS',
      body: null,
      headers: { 'access-control-request-headers': 'authorization' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization')
  })
})

describe('models', () => {
  const get = async (path: string): Promise<Response> =>
    call(path, { method: 'GET', headers: { authorization: 'good' } })

  it('are those of the group', async () => {
    gateway.parts.channels.list.push(testChannel({ id: 2, models: new Set(['vip-only']), groups: new Set(['vip']) }))
    gateway.parts.channels.list.splice(0, 1, testChannel({ models: new Set(['gpt-4o', 'own']) }))
    const body = (await (await get('/v1/models')).json()) as { data: { id: string }[] }
    expect(body).toMatchObject({ object: 'list', success: true })
    expect(body.data.map(({ id }) => id)).toEqual(['gpt-4o', 'own'])
    gateway.tokens.set('good', { ...testToken, group: 'vip' })
    expect(await (await get('/v1/models/vip-only')).json()).toMatchObject({
      id: 'vip-only',
      object: 'model',
      created: 1626777600,
    })
  })

  it('are those of the token when it is limited', async () => {
    gateway.tokens.set('good', { ...testToken, modelLimits: new Set(['z', 'a']) })
    const body = (await (await get('/v1/models')).json()) as { data: { id: string }[] }
    expect(body.data.map(({ id }) => id)).toEqual(['a', 'z'])
  })

  it('that do not exist answer 404', async () => {
    const response = await get('/v1/models/none')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'model_not_found' } })
  })
})

describe('the playground', () => {
  const play = (body: Record<string, unknown>): Promise<Response> =>
    call('/pg/chat/completions', { body: JSON.stringify({ messages: [], ...body }) })

  it('bills the session’s user without a token', async () => {
    expect((await play({ model: 'gpt-4o', group: 'default' })).status).toBe(200)
    expect(upstream.received[0]?.path).toBe(chat)
    expect(JSON.parse(upstream.received[0]?.body.toString() ?? '')).toEqual({ messages: [], model: 'gpt-4o' })
    expect(gateway.parts.recorder.records[0]).toMatchObject({ userId: 7, tokenId: 0, tokenName: 'playground-default' })
  })

  it('reaches what draws, speaks, embeds, ranks and judges as well, each at its own address', async () => {
    const paths = ['images/generations', 'audio/speech', 'embeddings', 'rerank', 'moderations']
    const fields = { prompt: 'a cat', input: 'a cat', voice: 'alloy', query: 'a cat', documents: ['a cat'] }
    for (const path of paths) {
      await call(`/pg/${path}`, { body: JSON.stringify({ model: 'gpt-4o', group: 'default', ...fields }) })
      const received = upstream.received.at(-1)
      expect(received?.path).toBe(`/v1/${path}`)
      expect(JSON.parse(received?.body.toString() ?? '')).not.toHaveProperty('group')
      expect(gateway.parts.recorder.records.at(-1)).toMatchObject({ userId: 7, tokenId: 0 })
    }
  })

  it('refuses other groups and requires a model', async () => {
    const response = await play({ model: 'gpt-4o', group: 'closed' })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: { code: 'group_not_allowed', param: '' } })
    expect(await (await play({})).json()).toMatchObject({ error: { code: 'model_required' } })
  })
})

describe('the rate limit', () => {
  it('counts all requests and the successful ones', async () => {
    const rateLimit = { enabled: true, minutes: 1, count: 0, successCount: 2 }
    gateway.parts.settings = { ...testOptions, rateLimit }
    const statuses = async (body: string) => (await call(chat, { ...withKey('good'), body })).status
    expect([await statuses(hi), await statuses('{}'), await statuses(hi), await statuses(hi)]).toEqual([
      200, 400, 200, 429,
    ])
    gateway.parts.settings = { ...testOptions, rateLimit: { ...rateLimit, count: 1 } }
    expect(await statuses('{}')).toBe(429)
    gateway.parts.settings = { ...testOptions, rateLimit: { ...rateLimit, count: 1, successCount: 0 } }
    expect(await statuses('{}')).toBe(400)
    const response = await call(chat, withKey('good'))
    expect(await messageOf(response)).toMatch(/^您已达到总请求数限制：1分钟内最多请求1次，包括失败次数/)
  })
})
