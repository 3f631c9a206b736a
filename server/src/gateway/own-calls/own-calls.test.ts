import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestGateway, type TestGateway, testToken, testUser } from '../../../test/support/gateway/listener.ts'
import { completion, json, openTestUpstream, type TestUpstream } from '../../../test/support/gateway/upstream.ts'
import { openTestChannels, testChannel, testOptions } from '../../../test/support/relay/ports.ts'
import { errors } from '../../dialects/anthropic/errors.ts'
import { AppError } from '../../lib/app-error.ts'
import type { ModuleRoute } from '../module-calls.ts'
import { CollectingClient } from './collecting-client.ts'

const parcels: ModuleRoute = {
  method: 'POST',
  path: /^\/v1\/files\/([^/]+)\/parcels$/,
  errors: errors,
  answer: async ({ caller, params, body, sendJson }) => {
    if (params[0] === 'none') throw new AppError('invalid_request_body')
    sendJson(200, JSON.stringify({ of: caller.tokenId, params, body: (await body()).toString() }))
  },
}

let nextUser = 100
let upstream: TestUpstream
let gateway: TestGateway

beforeAll(async () => {
  upstream = await openTestUpstream()
  gateway = await openTestGateway({
    relay: { channels: openTestChannels() },
    gateway: { moduleRoutes: [parcels], chargedAmong: async (ids) => new Set(ids.filter((id) => id === 'charged')) },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})
beforeEach(() => {
  const { channels, recorder } = gateway.parts
  channels.list.splice(0, Number.POSITIVE_INFINITY, testChannel({ baseUrl: upstream.url }))
  recorder.records.length = 0
  gateway.parts.settings = testOptions
  gateway.tokens.set('good', testToken)
})

const hi = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })

const make = async (more: { path?: string; body?: string; mostBytes?: number; tokenId?: number } = {}) => {
  const { path = '/v1/chat/completions', body = hi, mostBytes = 10_000, tokenId = testToken.tokenId } = more
  const client = new CollectingClient(mostBytes)
  await gateway.listener.ownCalls.make({
    id: 'of-a-line',
    tokenId,
    path,
    body: Buffer.from(body),
    ip: '10.0.0.1',
    client,
  })
  return client.answer()
}

describe('a call for the owner of a key', () => {
  it('is answered and charged under its own id like a call of this key', async () => {
    const { status, bytes, isCut } = await make()
    expect({ status, isCut }).toEqual({ status: 200, isCut: false })
    expect(JSON.parse(bytes.toString())).toMatchObject({ object: 'chat.completion' })
    const { records } = gateway.parts.recorder
    expect(records).toMatchObject([{ kind: 'charge', id: 'of-a-line', tokenId: 3, userId: 7, ip: '10.0.0.1' }])
  })

  it('is refused like one of this key, in the dialect of its path', async () => {
    gateway.tokens.set('good', { ...testToken, status: 2 })
    const refused = await make({ path: '/v1/messages', body: JSON.stringify({ ...JSON.parse(hi), max_tokens: 9 }) })
    expect(refused.status).toBe(401)
    expect(JSON.parse(refused.bytes.toString())).toMatchObject({ type: 'error' })
    expect((await make({ tokenId: 999 })).status).toBe(401)
    gateway.tokens.set('good', { ...testToken, allowIps: '10.9.9.9' })
    expect((await make()).status).toBe(403)
    gateway.tokens.set('good', testToken)
    expect((await make({ body: '{' })).status).toBe(400)
  })

  it('says where its answer is longer than may be kept', async () => {
    expect(await make({ mostBytes: 10 })).toMatchObject({ status: 200, isCut: true })
  })

  it('is made at paths of calls alone', async () => {
    const { ownCalls } = gateway.listener
    expect(
      ['/v1/messages', '/v1/embeddings', '/v1/models', '/p/1/v1/messages', '/pg/embeddings'].map(ownCalls.takes),
    ).toEqual([true, true, false, false, false])
    await expect(make({ path: '/v1/models' })).rejects.toMatchObject({ code: 'invalid_url' })
  })
})

describe('a repeat', () => {
  const repeat = (id: string) =>
    gateway.listener.ownCalls.collect(
      {
        id,
        tokenId: testToken.tokenId,
        path: '/v1/chat/completions',
        body: Buffer.from(hi),
        ip: '10.0.0.1',
        isRepeat: true,
      },
      10_000,
    )

  it('is made for a key that was closed or used up, once its id is charged', async () => {
    for (const now of [{ status: 2 }, { status: 4 }, { expiredTime: 1 }, { user: { ...testUser, status: 2 } }]) {
      gateway.tokens.set('good', { ...testToken, ...now })
      expect((await repeat('charged')).status).toBe(200)
      expect((await repeat('free')).status).toBeGreaterThanOrEqual(401)
    }
  })

  it('holds what its balance has not, once its id is charged', async () => {
    const { holds } = gateway.parts
    const { hold } = holds
    const refused = { kind: 'refused', account: 'user', remain: 0, need: 1 } as const
    holds.hold = (request) => ((request.spare ?? 0) < -1_000_000_000 ? hold.call(holds, request) : refused)
    try {
      expect((await repeat('charged')).status).toBe(200)
      expect((await repeat('free')).status).toBe(403)
    } finally {
      holds.hold = hold
    }
  })
})

describe('the rate limit', () => {
  beforeEach(() => {
    const rateLimit = { enabled: true, minutes: 5, count: 2, successCount: 1000 }
    gateway.parts.settings = { ...testOptions, rateLimit }
    // A user of its own, who has made no call yet.
    gateway.tokens.set('good', { ...testToken, user: { ...testUser, id: nextUser++ } })
  })

  const collect = (isCounted: boolean) => {
    const call = { id: 'of-a-line', tokenId: testToken.tokenId, path: '/v1/chat/completions', body: Buffer.from(hi) }
    return gateway.listener.ownCalls.collect({ ...call, ip: '10.0.0.1', isCounted }, 10_000)
  }

  it('counts a call of its own once', async () => {
    expect(await collect(false)).toMatchObject({ status: 200, isCounted: true })
    expect(await collect(false)).toMatchObject({ status: 200, isCounted: true })
    expect(await collect(false)).toMatchObject({ status: 429, isCounted: false })
  })

  it('does not count one again that it has counted', async () => {
    for (let attempt = 1; attempt <= 4; attempt += 1)
      expect(await collect(true)).toMatchObject({ status: 200, isCounted: true })
  })

  it('has counted a call that its provider refuses', async () => {
    upstream.answer = json({ error: { message: 'slow down', type: 'rate_limit_error' } }, 429)
    expect(await collect(false)).toMatchObject({ status: 429, isCounted: true })
    upstream.answer = json(completion('ok'))
  })
})

describe('a call that a module answers', () => {
  const ask = (path: string, key = 'good') =>
    fetch(gateway.url + path, { method: 'POST', body: 'text', headers: { 'x-api-key': key } })

  it('has its caller, the parts of its path and its body', async () => {
    const answer = await ask('/v1/files/a%20b/parcels')
    expect(await answer.json()).toEqual({ of: 3, params: ['a b'], body: 'text' })
  })

  it('is refused in the dialect of its route', async () => {
    const wrong = await ask('/v1/files/a/parcels', 'wrong')
    expect({ status: wrong.status, body: await wrong.json() }).toMatchObject({ status: 401, body: { type: 'error' } })
    const bad = await ask('/v1/files/none/parcels')
    expect({ status: bad.status, body: await bad.json() }).toMatchObject({ status: 400, body: { type: 'error' } })
  })

  it('leaves all other paths as they are', async () => {
    expect((await ask('/v1/files')).status).toBe(501)
    expect((await ask('/v1/files/a/parcel')).status).toBe(501)
  })
})
