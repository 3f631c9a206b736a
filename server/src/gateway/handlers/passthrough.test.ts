import { describe, expect, it } from 'vitest'
import { testToken } from '../../../test/support/gateway/listener.ts'
import {
  channel,
  gateway,
  hi,
  hiStream,
  holdEnds,
  lastRecord,
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../../../test/support/gateway/upstream.ts'
import { decimal } from '../../billing/decimal.ts'
import type { Usage } from '../../billing/usage.ts'
import { interruptedRecord } from '../../ledger/interrupted.ts'
import type { RawPermission } from '../../relay/ports.ts'

useScene()

const secret = 'sk-channel-secret-0123456789'
const forDefault: RawPermission = {
  groups: new Set(['default']),
  keys: new Set(),
  paths: [],
  // Separation of makers is tested beside the fence.
  shared: true,
  price: decimal(0.01),
}

const open = (permission: Partial<RawPermission> | undefined, changes = {}): void =>
  useChannels(
    channel({
      id: 7,
      keys: [secret],
      models: new Set(['gpt-4o']),
      ...(permission === undefined ? {} : { passthrough: { ...forDefault, ...permission } }),
      ...changes,
    }),
  )

const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${gateway.url}/p/7${path}`, {
    method: 'POST',
    ...init,
    headers: {
      authorization: 'Bearer sk-good',
      'content-type': 'application/json',
      'accept-language': 'en',
      ...init.headers,
    },
  })
const send = (path: string, body: unknown): Promise<Response> => call(path, { body: JSON.stringify(body) })
const sent = () => {
  const last = upstream.received.at(-1)
  if (last === undefined) throw new Error('nothing was sent')
  return last
}

describe('who may call a channel directly', () => {
  it.each([
    ['nobody without a permission', undefined],
    ['no other group', { groups: new Set(['vip']) }],
    ['no other path', { paths: ['/v1/files'] }],
  ])('%s', async (_, permission) => {
    open(permission)
    const refused = await send('/v1/other', {})
    expect([refused.status, upstream.received.length]).toEqual([403, 0])
    expect(await refused.text()).toContain('passthrough_denied')
    expect((await fetch(`${gateway.url}/p/99/v1/other`, { headers: { authorization: 'Bearer sk-good' } })).status).toBe(
      403,
    )
  })

  it('a key that the channel names, whatever its group', async () => {
    open({ groups: new Set(), keys: new Set([testToken.tokenId]) })
    upstream.answer = json({ ok: true })
    expect((await send('/v1/other', {})).status).toBe(200)
  })

  it('nobody without a key, and nobody through a disabled channel', async () => {
    open({}, { enabled: false })
    expect((await call('/v1/other', { headers: { authorization: '' } })).status).toBe(401)
    expect((await send('/v1/other', {})).status).toBe(403)
  })

  it('only keys that may use the model', async () => {
    open({})
    gateway.tokens.set('good', { ...testToken, modelLimits: new Set(['gpt-x']) })
    expect((await send('/v1/chat/completions', hi)).status).toBe(403)
    expect((await send('/v1/other', { model: 'gpt-4o' })).status).toBe(403)
    expect((await send('/v1/other', {})).status).toBe(403)
    expect(upstream.received).toEqual([])
  })
})

describe('a call whose usage can be read', () => {
  it('goes as it is, and is billed by its usage', async () => {
    open({ price: undefined }, { paramOverride: { temperature: 0 }, modelMapping: new Map([['gpt-4o', 'other']]) })
    upstream.answer = json(completion('hello'))
    const body = '{"model":"gpt-4o",  "messages":[{"role":"user","content":"hi"}],"own_field":1}'
    const answer = await call('/v1/chat/completions', { body })
    expect(await answer.json()).toEqual(completion('hello'))
    expect([sent().path, sent().body.toString()]).toEqual(['/v1/chat/completions', body])
    expect(sent().headers.authorization).toBe(`Bearer ${secret}`)
    expect(lastRecord()).toMatchObject({ kind: 'charge', channelId: 7, promptTokens: 10, completionTokens: 5 })
    expect(holdEnds()).toEqual([lastRecord()?.quota])
  })

  it.each([
    ['/v1/chat/completion%73'],
    ['/v1/%63hat/completions'],
    ['/v1/Chat/Completions'],
    ['/openai/v1/chat/completions'],
    ['/v1/openai/chat/completions'],
    ['/api/paas/v4/chat/completions'],
    ['/chat/completions'],
    ['/openai/deployments/gpt-4o/chat/completions'],
  ])('is billed by its usage however its path is written: %s', async (path) => {
    for (const shared of [true, false]) {
      open({ shared })
      upstream.answer = json(completion('hello'))
      const { model: _, ...body } = hi
      const answer = await send(path, path.includes('deployments') ? body : hi)
      expect(answer.status).toBe(200)
      expect(sent().path).toBe('/v1/chat/completions')
      expect(lastRecord()).toMatchObject({ kind: 'charge', model: 'gpt-4o', promptTokens: 10, completionTokens: 5 })
    }
  })

  it('is billed by its usage whatever type its body is said to have', async () => {
    open({})
    upstream.answer = json(completion('hello'))
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    await call('/v1/chat/completions', { headers, body: JSON.stringify(hi) })
    expect(lastRecord()).toMatchObject({ kind: 'charge', promptTokens: 10, completionTokens: 5 })
  })

  it('names no other model to a provider that takes the first of two', async () => {
    open({})
    upstream.answer = json(completion('hello'))
    const rest = '"messages":[{"role":"user","content":"hi"}]'
    await call('/v1/chat/completions', { body: `{"model":"gpt-5-pro",${rest},"model":"gpt-4o"}` })
    expect(sent().body.toString()).toBe(`{"model":"gpt-4o",${rest},"model":"gpt-4o"}`)
    expect(lastRecord()).toMatchObject({ kind: 'charge', model: 'gpt-4o' })
  })

  it('may be a stream', async () => {
    open({})
    upstream.answer = stream(chunk('hello'), usageChunk(10, 5), done)
    const text = await (await send('/v1/chat/completions', hiStream)).text()
    expect(text).toBe(chunk('hello') + usageChunk(10, 5) + done)
    expect(lastRecord()).toMatchObject({ kind: 'charge', isStream: true, promptTokens: 10, completionTokens: 5 })
  })

  it('is not translated: a dialect that the provider does not speak has the price per call', async () => {
    open({})
    upstream.answer = json({ type: 'message' })
    await send('/v1/messages', { model: 'claude', max_tokens: 1, messages: [] })
    expect([sent().path, lastRecord()?.quota, lastRecord()?.promptTokens]).toEqual(['/v1/messages', 5000, 0])
  })
})

describe('a call whose usage cannot be read', () => {
  it('costs the price of the channel, with method, query and body as they are', async () => {
    open({})
    upstream.answer = json({ id: 'batch' }, 201)
    const answer = await call('/v1/batches?api-version=1&y=%20', { method: 'PUT', body: '{"model":"gpt-4o","a": 1}' })
    expect([answer.status, await answer.json()]).toEqual([201, { id: 'batch' }])
    expect([sent().path, sent().body.toString()]).toEqual([
      '/v1/batches?api-version=1&y=%20',
      '{"model":"gpt-4o","a": 1}',
    ])
    expect(lastRecord()).toMatchObject({ kind: 'charge', model: 'gpt-4o', quota: 5000, channelId: 7 })
    expect(lastRecord()?.other).toMatchObject({ model_price: 0.01, path: '/p/7/v1/batches' })
    expect(holdEnds()).toEqual([5000])
  })

  it('is free where it only reads, and refused where there is no price', async () => {
    open({ price: undefined })
    upstream.answer = json({ data: [] })
    expect((await call('/v1/files', { method: 'GET' })).status).toBe(200)
    expect(lastRecord()).toMatchObject({ kind: 'charge', quota: 0, model: 'passthrough' })
    const refused = await send('/v1/files', {})
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('passthrough_unpriced')])
    expect(upstream.received).toHaveLength(1)
  })

  it('begins no task whose price is known at its end alone', async () => {
    for (const type of [50, 52, 1002, 1003]) {
      open({}, { type, models: new Set(['kling-v2-6']) })
      const answer = await send('/v1/videos/text2video', { model_name: 'kling-v2-6', prompt: 'a cat' })
      expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('passthrough_bills_later')])
    }
    expect(upstream.received).toEqual([])
  })

  it('brings files as they come', async () => {
    open({})
    const bytes = Buffer.from([0, 255, 1, 254])
    upstream.answer = ({ response }) =>
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes)
    const answer = await call('/v1/files/f/content', { method: 'GET' })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
  })

  it('costs nothing where the provider refuses it, whose words the client reads', async () => {
    open({})
    upstream.answer = json({ error: { message: `bad ${secret} at ${upstream.url}` } }, 422)
    const answer = await send('/v1/other', {})
    const text = await answer.text()
    expect([answer.status, lastRecord()?.kind, holdEnds()]).toEqual([422, 'error', ['released']])
    expect(text).toContain('bad ***')
    expect(text + JSON.stringify(gateway.parts.recorder.records)).not.toContain(secret)
    expect(text).not.toContain(new URL(upstream.url).host)
  })

  it('says nothing of the credentials that the provider refuses', async () => {
    open({})
    upstream.answer = json({ error: { message: 'Incorrect API key provided: sk-ch***789' } }, 401)
    const answer = await send('/v1/other', {})
    expect([answer.status === 401, (await answer.text()).includes('sk-ch')]).toEqual([false, false])
  })

  it('is charged where its answer breaks off, and the client sees that it did', async () => {
    open({})
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      response.write('half', () => setTimeout(() => response.destroy(), 20))
    }
    await expect(send('/v1/other', {}).then((answer) => answer.text())).rejects.toThrow()
    await expect
      .poll(() => lastRecord())
      .toMatchObject({ kind: 'charge', quota: 5000, other: { end: 'upstream_broke' } })
  })

  it('is charged from the first byte on, should the server end before the answer does', async () => {
    open({})
    let marked: Usage | undefined
    gateway.parts.recorder.progress = (_, usage) => {
      marked = usage
    }
    upstream.answer = ({ response }) => response.writeHead(200, { 'content-type': 'text/plain' }).end('all')
    expect(await (await send('/v1/other', {})).text()).toBe('all')
    const [begin, ...more] = gateway.parts.recorder.begins
    if (begin === undefined) throw new Error('nothing began')
    expect(more).toEqual([])
    const { kind, quota, channelId } = interruptedRecord({ begin, usage: marked }, Date.now())
    expect([begin.id, kind, quota, channelId]).toEqual([lastRecord()?.id, 'charge', lastRecord()?.quota, 7])
    // Free calls write no begin record, nor do answers that are sent in one piece.
    await call('/v1/files/f/content', { method: 'GET' })
    upstream.answer = json({})
    await send('/v1/other', {})
    expect(gateway.parts.recorder.begins).toHaveLength(1)
  })

  it('shows the provider nothing of the client, and the client nothing of the key', async () => {
    open(
      {},
      {
        headerOverride: new Map([
          ['x-own', 'id {api_key}'],
          ['accept', ''],
        ]),
      },
    )
    upstream.answer = json({ echoed: secret })
    const answer = await call('/v1/other?key=sk-good', {
      body: '{}',
      headers: { cookie: 'a=b', 'x-api-key': 'k', 'x-forwarded-for': '1.2.3.4', 'anthropic-beta': 'b1' },
    })
    const { headers, path } = sent()
    expect(path).toBe('/v1/other')
    for (const name of ['cookie', 'x-api-key', 'x-forwarded-for']) expect(headers).not.toHaveProperty(name)
    expect(headers).toMatchObject({
      authorization: `Bearer ${secret}`,
      'anthropic-beta': 'b1',
      'x-own': `id ${secret}`,
    })
    expect(await answer.text()).not.toContain(secret)
  })

  it('stays below the address of the channel', async () => {
    open({})
    for (const path of ['/v1/%2e%2e/%2e%2e/x', '/v1//x', '/v1/%5c%5cevil'])
      expect((await send(path, {})).status).toBe(404)
    expect(upstream.received).toEqual([])
  })
})

it('headers of a channel go with ordinary calls, too', async () => {
  useChannels(
    channel({
      headerOverride: new Map([
        ['x-tenant', 'one'],
        ['authorization', 'Key {api_key}'],
      ]),
    }),
  )
  upstream.answer = json(completion('hello'))
  await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good' },
    body: JSON.stringify(hi),
  })
  expect(sent().headers).toMatchObject({ 'x-tenant': 'one', authorization: 'Key channel-key' })
})
