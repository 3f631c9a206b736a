import { gunzipSync } from 'node:zlib'
import { endpoint, idParams } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { callApi, testApi, testCaller } from '../../test/support/http/console.ts'
import { AppError } from '../lib/app-error.ts'
import { openLog } from '../lib/log.ts'
import type { Callers } from './access.ts'

const visitor = { access: 'visitor', summary: '' } as const
const list = endpoint({
  ...visitor,
  method: 'GET',
  path: '/api/thing/',
  query: z.object({ q: z.string().default('-') }),
  data: z.unknown(),
})
const search = endpoint({ ...visitor, method: 'GET', path: '/api/thing/search', data: z.string() })
const one = endpoint({ ...visitor, method: 'GET', path: '/api/thing/:id', params: idParams, data: z.number() })
const make = endpoint({
  ...visitor,
  method: 'POST',
  path: '/api/thing/',
  body: z.object({ name: z.string() }),
  data: z.string(),
})
const strict = endpoint({
  ...visitor,
  method: 'PUT',
  path: '/api/strict/',
  body: z.object({ name: z.string() }),
  unusableBodyStatus: 400,
})
const guess = endpoint({ ...visitor, method: 'POST', path: '/api/guess', critical: 'proof', body: z.object({}) })
const broken = endpoint({ ...visitor, method: 'GET', path: '/api/broken' })

const noCallers: Callers = { bySession: async () => undefined, byAccessToken: async () => undefined }

const lines: string[] = []
const log = openLog({ clock: Date.now, format: 'json', debug: true, print: (line) => lines.push(line) })

const things = (more: Partial<Parameters<typeof testApi>[0]> = {}) => {
  const api = testApi({ callers: noCallers, ...more })
  api.on(one, ({ params }) => ({ data: params.id }))
  api.on(search, () => ({ data: 'searched' }))
  api.on(list, ({ query }) => ({ data: query.q === 'null' ? null : query.q, beside: { time: 1.5 } }))
  api.on(make, ({ body }) => ({ data: body.name, message: '已创建' }))
  api.on(strict, () => ({}))
  api.on(guess, () => ({}))
  api.on(broken, () => {
    throw new Error('connection to postgres://root:hunter2@db lost')
  })
  return api
}

describe('routing', () => {
  it.each([
    ['GET', '/api/thing', '-'],
    ['GET', '/api/thing/', '-'],
    ['GET', '/api/thing?q=x', 'x'],
    ['GET', '/api/thing/search', 'searched'],
    ['GET', '/api/thing/search/', 'searched'],
    ['GET', '/api/thing/5', 5],
    ['GET', '/api/thing/5/', 5],
  ])('answers %s %s with %s', async (method, path, data) => {
    const answer = await callApi(things(), method, path)
    expect([answer.status, answer.json.data]).toEqual([200, data])
  })

  it.each([
    ['GET', '/api/nothing'],
    ['DELETE', '/api/thing/5'],
    ['GET', '/api'],
    ['GET', '/api/thing/5/more'],
  ])('says of %s %s that the URL is invalid', async (method, path) => {
    const answer = await callApi(things(), method, path)
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual({
      error: { message: `Invalid URL (${method} ${path})`, type: 'invalid_request_error', param: '', code: '' },
    })
  })

  it('answers HEAD like GET without a body, and OPTIONS without permission for other sites', async () => {
    const head = await callApi(things(), 'HEAD', '/api/thing')
    expect([head.status, head.text]).toEqual([200, ''])
    const options = await callApi(things(), 'OPTIONS', '/api/thing', { headers: { origin: 'https://evil.test' } })
    expect(options.status).toBe(204)
    expect(options.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('refuses to join an endpoint twice', () => {
    expect(() => things().on(search, () => ({ data: '' }))).toThrow('joined twice')
  })
})

describe('the envelope', () => {
  it('holds data, message and what stands beside', async () => {
    expect((await callApi(things(), 'GET', '/api/thing')).json).toEqual({
      success: true,
      message: '',
      data: '-',
      time: 1.5,
    })
    expect((await callApi(things(), 'GET', '/api/thing?q=null')).json.data).toBeNull()
    const made = await callApi(things(), 'POST', '/api/thing/', { body: { name: 'x' } })
    expect(made.json).toEqual({ success: true, message: '已创建', data: 'x' })
    expect((await callApi(things(), 'POST', '/api/guess', { body: {} })).json).toEqual({ success: true, message: '' })
  })

  it('carries the request id in the header of every answer and in refusals', async () => {
    const answer = await callApi(things(), 'GET', '/api/thing/x')
    const id = answer.headers.get('x-oneapi-request-id')
    expect(id).toMatch(/^\d{23}[A-Za-z0-9]{8}$/)
    expect(answer.json).toEqual({ success: false, message: '无效的参数', code: 'invalid_parameter', request_id: id })
    expect((await callApi(things(), 'GET', '/api/nothing')).headers.get('x-oneapi-request-id')).not.toBe(id)
  })

  it.each([
    ['POST', '/api/thing/', '{"name":', 200],
    ['POST', '/api/thing/', undefined, 200],
    ['POST', '/api/thing/', '{"name":1}', 200],
    ['POST', '/api/thing/', 'null', 200],
    ['GET', '/api/thing/x', undefined, 200],
    ['GET', '/api/thing/-1', undefined, 200],
    ['GET', '/api/thing/?q=a%00b', undefined, 200],
    ['POST', '/api/thing/', '{"name":"a\\u0000b"}', 200],
    ['PUT', '/api/strict/', '{"name":', 400],
    ['PUT', '/api/strict/', '{}', 400],
  ])('refuses malformed %s %s %s with status %s', async (method, path, body, status) => {
    const answer = await callApi(things(), method, path, { body })
    expect([answer.status, answer.json.message]).toEqual([status, '无效的参数'])
  })

  it.each([
    ['en-US,en;q=0.9', 'Invalid parameter'],
    ['EN', 'Invalid parameter'],
    ['zh-CN', '无效的参数'],
    ['fr, en', '无效的参数'],
    ['', '无效的参数'],
  ])('speaks the language of "%s"', async (language, message) => {
    const answer = await callApi(things(), 'GET', '/api/thing/x', { headers: { 'accept-language': language } })
    expect(answer.json.message).toBe(message)
  })

  it('compresses long answers for clients that accept it', async () => {
    const api = testApi({ callers: noCallers })
    api.on(search, () => ({ data: 'x'.repeat(5000) }))
    const answer = await api.fetch(
      new Request('http://console.test/api/thing/search', { headers: { 'accept-encoding': 'gzip, br' } }),
      { address: '127.0.0.1' },
    )
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    const packed = Buffer.from(await answer.arrayBuffer())
    expect(packed.length).toBeLessThan(500)
    expect(JSON.parse(gunzipSync(packed).toString()).data).toHaveLength(5000)
  })

  it('shows an unknown error as a plain one and keeps its cause for the log', async () => {
    const answer = await callApi(things({ log }), 'GET', '/api/broken')
    expect(answer.status).toBe(500)
    expect(answer.json.message).toBe('服务器内部错误，请联系管理员')
    expect(answer.text).not.toContain('hunter2')
    const line = lines.find((text) => text.includes('connection to postgres'))
    expect(line).toContain(String(answer.json.request_id))
  })

  it('uses the status of the table only where the table names one for the console', async () => {
    const api = testApi({ callers: noCallers })
    api.on(search, () => {
      throw new AppError('username_taken')
    })
    api.on(broken, () => {
      throw new AppError('login_throttled', { params: { seconds: 9 } })
    })
    expect((await callApi(api, 'GET', search.path)).status).toBe(200)
    const throttled = await callApi(api, 'GET', broken.path)
    expect([throttled.status, throttled.json.message]).toEqual([429, '登录尝试过于频繁，请 9 秒后再试'])
  })
})

describe('the parameters of a refusal', () => {
  const refusedWith = async (error: AppError) => {
    const api = testApi({ callers: noCallers })
    api.on(search, () => {
      throw error
    })
    return (await callApi(api, 'GET', search.path, { headers: { 'accept-language': 'en' } })).json
  }

  it('are those that its texts name, and nothing else that the error knows', async () => {
    const error = new AppError('option_invalid', {
      params: { key: 'RetryTimes', reason: '必须是整数', reason_en: 'Must be a whole number', value: 'hunter2' },
      details: { password: 'hunter2' },
      cause: new Error('hunter2'),
    })
    const answer = await refusedWith(error)
    expect(answer.params).toEqual({ key: 'RetryTimes', reason: '必须是整数', reason_en: 'Must be a whole number' })
    expect(JSON.stringify(answer)).not.toContain('hunter2')
  })

  it('are bounded as in the text', async () => {
    const answer = await refusedWith(new AppError('group_unknown', { params: { group: 'g'.repeat(100_000) } }))
    const { group } = answer.params as { group: string }
    expect(group.length).toBeLessThanOrEqual(501)
    expect(answer.message).toContain(group)
  })

  it('are absent where the text names none', async () => {
    expect(await refusedWith(new AppError('username_taken', { params: { name: 'hunter2' } }))).not.toHaveProperty(
      'params',
    )
  })
})

describe('bodies', () => {
  it('refuses more than a megabyte, announced or not', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
    const announced = await callApi(things(), 'POST', '/api/thing/', {
      body: large,
      headers: { 'content-length': String(large.length) },
    })
    const streamed = await callApi(things(), 'POST', '/api/thing/', { body: large })
    expect([announced.json.code, streamed.json.code]).toEqual(['body_too_large', 'body_too_large'])
    const signedIn = { ...noCallers, bySession: async () => ({ caller: testCaller() }) }
    const fits = await callApi(things({ callers: signedIn }), 'POST', '/api/thing/', {
      body: { name: 'x'.repeat(1_000_000) },
      headers: { cookie: 'session=one', 'new-api-user': '7' },
    })
    expect(fits.json.success).toBe(true)
  })

  it('refuses more than 64 kB from callers without a session', async () => {
    const answers = await Promise.all(
      [60_000, 66_000].map((length) =>
        callApi(things(), 'POST', '/api/thing/', { body: { name: 'x'.repeat(length) } }),
      ),
    )
    expect(answers.map(({ json }) => json.code)).toEqual([undefined, 'body_too_large'])
  })

  it.each([
    ['nested lists', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['lists that never end', '['.repeat(60_000)],
    ['nested objects', `{"name":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`],
  ])('refuses %s, and is not at fault', async (_, body) => {
    lines.splice(0)
    const answer = await callApi(things({ log }), 'POST', '/api/thing/', { body })
    expect([answer.status, answer.json.code]).toEqual([400, 'body_too_complex'])
    expect(lines.join('')).not.toContain('"level":"error"')
  })
})

describe('limits', () => {
  it('answers 429 with nothing in it past the limit of an address', async () => {
    const api = things({ apiLimit: { enabled: true, count: 2, seconds: 60 }, clock: () => 0 })
    const from = (address: string) => callApi(api, 'GET', '/api/nothing', { from: address })
    expect([(await from('1.1.1.1')).status, (await from('1.1.1.1')).status]).toEqual([404, 404])
    const refused = await from('1.1.1.1')
    expect([refused.status, refused.text]).toEqual([429, ''])
    expect((await from('2.2.2.2')).status).toBe(404)
  })

  it('counts what fails to prove something, which no forged header escapes', async () => {
    let now = 0
    const api = things({ clock: () => now })
    const again = (header: string, body: unknown = 'no JSON') =>
      callApi(api, 'POST', '/api/guess', { body, headers: { 'x-forwarded-for': header } })
    for (let call = 0; call < 250; call += 1) expect((await again('7.7.7.7', {})).json.success).toBe(true)
    for (let call = 0; call < 200; call += 1) expect((await again(`9.9.9.${call}`)).status).toBe(200)
    const refused = await again('8.8.8.8', {})
    expect([refused.status, refused.text]).toEqual([429, ''])
    // A window of 20 minutes moves on in pieces of ten seconds.
    now = 1210_000
    expect((await again('8.8.8.8')).status).toBe(200)
  })
})

describe('calls that ask for fresh proof', () => {
  const api = () => {
    const confirmations: unknown[] = []
    const api = testApi({
      callers: { bySession: async () => ({ caller: testCaller() }), byAccessToken: async () => undefined },
      assertConfirmed: async (caller, need) => {
        confirmations.push([caller.id, need])
        if (need === 'always') throw new AppError('confirmation_required')
      },
    })
    const handled: string[] = []
    const entry = (name: string, confirm?: true | 'always') =>
      endpoint({
        method: 'POST',
        path: `/api/${name}`,
        access: 'user',
        summary: '',
        critical: 'begin',
        ...(confirm ? { confirm } : {}),
      })
    for (const each of [entry('plain'), entry('secret', true), entry('change', 'always')]) {
      api.on(each, () => {
        handled.push(each.path)
        return {}
      })
    }
    const headers = { cookie: 'session=x', 'new-api-user': '7' }
    return { confirmations, handled, call: (name: string) => callApi(api, 'POST', `/api/${name}`, { headers }) }
  }

  it('ask as the endpoint says, and not at all where it says nothing', async () => {
    const { confirmations, call } = api()
    expect((await call('plain')).json.success).toBe(true)
    expect(confirmations).toEqual([])
    expect((await call('secret')).json.success).toBe(true)
    expect(confirmations).toEqual([[7, true]])
  })

  it('are refused before anything happens, and before they count as sensitive calls', async () => {
    const { handled, call } = api()
    for (let count = 0; count < 205; count += 1) {
      const refused = await call('change')
      expect([refused.status, refused.json.code]).toEqual([200, 'confirmation_required'])
    }
    expect(handled).toEqual([])
    expect((await call('plain')).status).toBe(200)
  })
})

describe('cookies', () => {
  const withCookie = () => {
    const api = testApi({ callers: noCallers })
    api.on(search, () => ({ data: '', cookies: [{ name: 'session', value: 'abc', maxAgeSeconds: 60 }] }))
    api.on(broken, () => ({ cookies: [{ name: 'session', value: undefined, maxAgeSeconds: 60 }] }))
    return api
  }
  it('are for our own pages only and Secure when the call was', async () => {
    const plain = await callApi(withCookie(), 'GET', search.path)
    expect(plain.headers.get('set-cookie')).toBe('session=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax')
    const secure = await callApi(withCookie(), 'GET', search.path, { headers: { 'x-forwarded-proto': 'https' } })
    expect(secure.headers.get('set-cookie')).toContain('; Secure')
  })
  it('are cleared', async () => {
    expect((await callApi(withCookie(), 'GET', broken.path)).headers.get('set-cookie')).toMatch(/^session=; Max-Age=0;/)
  })
  it('renew a session that its keeper wants renewed', async () => {
    const renewal = { name: 'session', value: 'same', maxAgeSeconds: 100 }
    const api = testApi({
      callers: { bySession: async () => ({ caller: testCaller(), renewal }), byAccessToken: async () => undefined },
    })
    api.on(list, () => ({ data: 1 }))
    const answer = await callApi(api, 'GET', '/api/thing', { headers: { cookie: 'session=same' } })
    expect(answer.headers.get('set-cookie')).toContain('session=same; Max-Age=100')
  })
})

it('writes one line per call into the access log, without secrets', async () => {
  lines.length = 0
  const answer = await callApi(things({ log }), 'GET', '/api/thing?token=sk-secretsecret&q=1', {
    from: '::ffff:9.8.7.6',
  })
  const line = JSON.parse(lines.find((text) => text.includes('"request"')) ?? '{}')
  expect(line).toMatchObject({ status: 200, ip: '9.8.7.6', method: 'GET', path: '/api/thing?token=***&q=1' })
  expect(line.request_id).toBe(answer.headers.get('x-oneapi-request-id'))
})

it('lets scripts of other sites read an answer only where the endpoint says so', async () => {
  const open = endpoint({ ...visitor, method: 'GET', path: '/api/open', cors: true, data: z.string() })
  const api = testApi({ callers: noCallers })
  api.on(open, () => ({ data: 'for everybody' }))
  api.on(search, () => ({ data: 'for us' }))
  const headers = { origin: 'https://elsewhere.test' }
  const allowed = async (method: string, path: string) =>
    (await callApi(api, method, path, { headers })).headers.get('access-control-allow-origin')
  expect(await allowed('GET', '/api/open')).toBe('*')
  expect(await allowed('OPTIONS', '/api/open')).toBe('*')
  expect(await allowed('GET', '/api/thing/search')).toBeNull()
  expect(await allowed('OPTIONS', '/api/thing/search')).toBeNull()
  expect((await callApi(api, 'OPTIONS', '/api/nothing')).status).toBe(204)
})
