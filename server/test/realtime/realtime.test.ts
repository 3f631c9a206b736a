import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { testToken, testUser } from '../support/gateway/listener.ts'
import { openSession, openTestRealtime, refusedSession, type TestRealtime } from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { channel, gateway, record, reopen, upstream, useChannels, useSessions } from '../support/gateway/sessions.ts'
import { openTestHolds, testChannel, testOptions } from '../support/relay/ports.ts'
import { quickTimeouts } from '../support/relay/timeouts.ts'

/** GET /v1/realtime: sessions over a WebSocket, and how they begin. */

useSessions()

describe('frames', () => {
  it('go through as they came, both ways', async () => {
    const client = await openSession(gateway.url)
    const odd = '{"type" : "conversation.item.retrieve",\n "n": 1.0, "big":12345678901234567890}'
    client.socket.send(odd)
    await until(() => upstream.sessions[0]?.received.length === 1)
    expect(upstream.sessions[0]?.received).toEqual([odd])
    const event = '{"type":"rate_limits.updated" , "x":1e2}'
    upstream.sessions[0]?.say(event)
    await client.next('rate_limits.updated')
    expect(client.texts.at(-1)).toBe(event)
    client.socket.close()
  })

  it('that are no JSON end the session', async () => {
    const client = await openSession(gateway.url)
    client.socket.send('hello')
    const { event_id: id, error } = await client.next('error')
    expect(id).toMatch(/^evt_\d{23}/)
    expect(error).toMatchObject({ type: 'new_api_error', code: 'invalid_text_request', param: '' })
    expect(error).toMatchObject({ message: expect.stringContaining(`(request id: ${String(id).slice(4)})`) })
    expect(await client.closed).toEqual({ code: 1007, reason: 'invalid_text_request' })
    expect(await record()).toMatchObject({ kind: 'charge', quota: 0, other: { end: 'closed' } })
    expect(await upstream.sessions[0]?.closed).toBe(1000)
  })

  it.each([
    ['deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['full of members', JSON.stringify(Array.from({ length: 110_000 }, () => ({ a: 1 })))],
  ])('that are too %s end the session before they are parsed', async (_, text) => {
    const client = await openSession(gateway.url)
    client.socket.send(text)
    expect(await client.next('error')).toMatchObject({ error: { code: 'invalid_text_request' } })
    expect(await client.closed).toMatchObject({ code: 1007 })
    expect(upstream.sessions[0]?.received).toEqual([])
  })

  it('of the upstream that are no JSON are its failure', async () => {
    const client = await openSession(gateway.url)
    upstream.sessions[0]?.say('<html>')
    expect(await client.next('error')).toMatchObject({ error: { code: 'bad_response_body', type: 'upstream_error' } })
    await client.closed
    expect(await record()).toMatchObject({ kind: 'charge', other: { end: 'upstream_broke' } })
    expect(gateway.parts.channels.reports.at(-1)).toMatchObject({ failure: { code: 'bad_response_body' } })
  })

  it('may be large, but not larger than requests may be', async () => {
    const client = await openSession(gateway.url)
    const large = { type: 'input_audio_buffer.append', audio: 'A'.repeat(900_000) }
    client.say(large)
    await until(() => upstream.sessions[0]?.received.length === 1)
    expect(upstream.sessions[0]?.received[0]).toBe(JSON.stringify(large))
    client.say({ type: 'input_audio_buffer.append', audio: 'A'.repeat(1_100_000) })
    expect(await client.next('error')).toMatchObject({ error: { code: 'body_too_large' } })
    expect(await client.closed).toEqual({ code: 1009, reason: 'body_too_large' })
    expect(await record()).toMatchObject({ kind: 'charge', other: { end: 'closed' } })
  })
})

describe('the handshake', () => {
  it('names the channel’s model, key and organization, and the request', async () => {
    useChannels(
      channel({ modelMapping: new Map([['gpt-realtime', 'gpt-real 2']]), organization: 'org-1', keys: ['their-key'] }),
    )
    const client = await openSession(gateway.url, { query: '?model=gpt-realtime&key=x&intent=a' })
    const { path, headers } = upstream.sessions[0] ?? {}
    expect(path).toBe('/v1/realtime?model=gpt-real+2&intent=a')
    expect(headers).toMatchObject({ authorization: 'Bearer their-key', 'openai-organization': 'org-1' })
    expect(headers?.['openai-beta']).toBeUndefined()
    client.socket.close()
    expect(await record()).toMatchObject({
      model: 'gpt-realtime',
      other: { is_model_mapped: true, upstream_model_name: 'gpt-real 2' },
    })
  })

  it('leaves the id that the provider names it by', async () => {
    upstream.headers = ['X-Request-Id: req_session']
    const client = await openSession(gateway.url)
    client.socket.close()
    expect(await record()).toMatchObject({ other: { admin_info: { attempts: [{ request_id: 'req_session' }] } } })
  })

  it.each([
    ['a header', { headers: { 'openai-beta': 'realtime=v1' } }],
    ['a protocol', { protocols: ['realtime', 'openai-insecure-api-key.sk-good', 'openai-beta.realtime-v1'], key: '' }],
  ])('asks for the beta where the client does so in %s', async (_, asking) => {
    const client = await openSession(gateway.url, asking)
    expect(upstream.sessions[0]?.headers['openai-beta']).toBe('realtime=v1')
    expect(client.socket.protocol).toBe('protocols' in asking ? 'realtime' : '')
    client.socket.close()
  })

  it('takes the key from the header where only the protocol is named', async () => {
    const client = await openSession(gateway.url, { protocols: ['realtime'] })
    expect(client.socket.protocol).toBe('realtime')
    client.socket.close()
  })

  it.each([
    ['2025-04-01-preview', '/openai/realtime?deployment=gpt-41-real&api-version=2025-04-01-preview'],
    ['', '/openai/realtime?deployment=gpt-41-real&api-version=2024-12-01-preview'],
    ['v1', '/openai/v1/realtime?model=gpt-4.1-real'],
    ['preview', '/openai/v1/realtime?api-version=preview&model=gpt-4.1-real'],
  ])('knows Azure’s address of version %s', async (other, path) => {
    useChannels(channel({ type: 3, provider: testChannel({ type: 3 }).provider, other }))
    const client = await openSession(gateway.url, { query: '?model=gpt-4.1-real' })
    expect(upstream.paths).toEqual([path])
    expect(upstream.sessions[0]?.headers).toMatchObject({ 'api-key': 'channel-key' })
    expect(upstream.sessions[0]?.headers.authorization).toBeUndefined()
    client.socket.close()
  })
})

describe('before the handshake', () => {
  const refused = async (status: number, code: string | undefined, asking = {}) => {
    const refusal = await refusedSession(gateway.url, asking)
    expect(refusal.status).toBe(status)
    expect(refusal.headers['x-oneapi-request-id']).toMatch(/^\d{23}/)
    expect((refusal.body.error as { code?: string }).code).toBe(code)
    expect(upstream.paths).toEqual([])
    return refusal
  }

  it.each([
    ['a wrong key', 401, undefined, { key: 'sk-wrong' }, '无效的令牌'],
    ['no key', 401, undefined, { key: '' }, ''],
    ['no model', 400, 'invalid_text_request', { query: '' }, 'model is required'],
  ])('is refused with %s', async (_, status, code, asking, message) => {
    const { body } = await refused(status, code, asking)
    expect(body).toMatchObject({ error: { message: expect.stringContaining(message) } })
  })

  it('is refused where no channel has the model', async () => {
    useChannels(channel({ models: new Set(['other']) }))
    const { headers } = await refused(404, 'model_not_found')
    expect(headers['x-should-retry']).toBe('false')
    expect(await record()).toMatchObject({ kind: 'error', model: 'gpt-realtime', isStream: true })
  })

  it('is refused where no channel has sessions', async () => {
    useChannels(channel({ type: 14, provider: testChannel({ type: 14 }).provider }))
    await refused(501, 'endpoint_not_served')
  })

  it('is refused without a price, without money and where limits forbid it', async () => {
    await refused(400, 'model_price_error', { query: '?model=unpriced' })
    await reopen({ holds: openTestHolds(0) })
    const { body } = await refused(403, 'insufficient_user_quota')
    expect(body).toMatchObject({ error: { message: expect.stringContaining('user quota is not enough') } })
    gateway.tokens.set('good', { ...testToken, modelLimits: new Set(['x']) })
    await refused(403, undefined)
    gateway.tokens.set('good', { ...testToken, allowIps: '10.0.0.1' })
    await refused(403, undefined)
  })

  it('is refused when there were too many', async () => {
    gateway.parts.settings = { ...testOptions, rateLimit: { enabled: true, minutes: 1, count: 0, successCount: 1 } }
    const client = await openSession(gateway.url)
    client.socket.close()
    const { status } = await refusedSession(gateway.url)
    expect(status).toBe(429)
  })

  it('is refused while nothing can be recorded', async () => {
    await reopen({ readiness: { refusal: 'recording_failed' } })
    await refused(503, 'recording_failed')
  })

  it('wants a WebSocket', async () => {
    const response = await fetch(`${gateway.url}/v1/realtime?model=x`, { headers: { authorization: 'Bearer sk-good' } })
    expect(response.status).toBe(426)
    expect(await response.json()).toMatchObject({ error: { code: 'upgrade_required' } })
  })

  it.each([
    ['h2c', '/v1/realtime?model=x', 426],
    ['h2c', '/v1/models', 200],
    ['websocket', '/v1/models', 200],
    ['websocket', '/v1/realtime?model=x', 426],
    ['websocket', '/elsewhere', 418],
  ])('answers an upgrade to %s of %s without a proper handshake like other calls', async (upgrade, path, status) => {
    const headers = { authorization: 'Bearer sk-good', connection: 'Upgrade', upgrade }
    const [response] = (await once(get(gateway.url + path, { headers }), 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(status)
  })

  it('may name the channel', async () => {
    gateway.tokens.set('good', { ...testToken, user: { ...testUser, role: 10 } })
    useChannels(channel({ id: 1, baseUrl: 'http://127.0.0.1:1' }), channel({ id: 8 }))
    const client = await openSession(gateway.url, { key: 'sk-good-8' })
    client.socket.close()
    expect(await record()).toMatchObject({ channelId: 8 })
  })
})

describe('another channel', () => {
  const second = async (): Promise<TestRealtime> => {
    const other = await openTestRealtime()
    gateway.parts.settings = { ...testOptions, retryTimes: 1 }
    useChannels(channel({ priority: 1 }), channel({ id: 2, name: 'two', baseUrl: other.url }))
    return other
  }

  it.each([401, 429, 500, 'silence'] as const)('is asked when the first one answers %s', async (status) => {
    if (status === 'silence') await reopen({ limits: { ...gateway.parts.limits, timeouts: quickTimeouts } })
    const other = await second()
    upstream.refusal =
      status === 'silence' ? status : { status, body: { error: { message: 'no', type: 'x', code: 'y' } } }
    const client = await openSession(gateway.url)
    expect(other.sessions).toHaveLength(1)
    client.socket.close()
    expect(await record()).toMatchObject({
      channelId: 2,
      other: {
        admin_info: {
          use_channel: ['1', '2'],
          attempts: [{ channel: 1, status: status === 'silence' ? 0 : status }, { status: 101 }],
        },
      },
    })
    expect(gateway.parts.channels.reports).toMatchObject([
      { channel: 1, failure: { status: status === 'silence' ? 0 : status } },
      { channel: 2, failure: undefined },
    ])
    await other.close()
  })

  it('is not tried where no other can help', async () => {
    const other = await second()
    upstream.refusal = {
      status: 400,
      body: { error: { message: 'bad', type: 'invalid_request_error', code: 'c', param: 'p' } },
    }
    const { status, body } = await refusedSession(gateway.url)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: { message: expect.stringContaining('bad'), type: 'invalid_request_error', code: 'c', param: 'p' },
    })
    expect(other.paths).toEqual([])
    expect(await record()).toMatchObject({ kind: 'error', quota: 0, receipt: undefined })
    expect(gateway.parts.holds.ends).toMatchObject([{ end: 'released' }])
    await other.close()
  })

  it('is not asked after one has accepted', async () => {
    const other = await second()
    const client = await openSession(gateway.url)
    upstream.sessions[0]?.socket.terminate()
    await client.closed
    expect(other.paths).toEqual([])
    await other.close()
  })

  it('returns the last refusal: a 429 says that the gateway is busy', async () => {
    upstream.refusal = { status: 429, body: { error: { message: 'org-Ab12Cd34Ef56 is slow', type: 'x' } } }
    const { status, body } = await refusedSession(gateway.url)
    expect(status).toBe(429)
    expect(body).toMatchObject({ error: { message: expect.stringContaining('当前分组上游负载已饱和') } })
  })
})
