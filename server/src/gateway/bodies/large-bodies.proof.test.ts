import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestGateway, type TestGateway } from '../../../test/support/gateway/listener.ts'
import { completion, json, openTestUpstream, type TestUpstream } from '../../../test/support/gateway/upstream.ts'
import {
  openTestChannels,
  openTestHolds,
  type TestRelay,
  testChannel,
  testOptions,
} from '../../../test/support/relay/ports.ts'
import { dialects } from '../../dialects/index.ts'
import { largeBodyBytes } from './bodies.ts'
import { bodyBoundsOf } from './parsed-body.ts'

let upstream: TestUpstream
let gateway: TestGateway

const open = (relay: Partial<TestRelay> = {}): Promise<TestGateway> =>
  openTestGateway({
    relay: { channels: openTestChannels(testChannel({ baseUrl: upstream.url })), keepAliveMs: 60_000, ...relay },
    gateway: { maxRequestBytes: 64 * 1024 * 1024 },
  })

beforeEach(async () => {
  upstream = await openTestUpstream()
  gateway = await open()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await gateway.close()
  await upstream.close()
})

const send = (body: string | Uint8Array, path = '/v1/chat/completions', headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json', ...headers },
    body: body as NonNullable<RequestInit['body']>,
  })

/** The longest text that this thread parses until the mock is restored. */
const longestParsed = (): (() => number) => {
  const parse = vi.spyOn(JSON, 'parse')
  return () => Math.max(0, ...parse.mock.calls.map(([text]) => text.length))
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
const message = { role: 'user', content: 'hi' }
const long = 'A conversation that fills megabytes. '.repeat(1000)
const megabytes = JSON.stringify({ model: 'gpt-4o', messages: times(80, { role: 'user', content: long }), seed: 1 })

describe('a body above one megabyte', () => {
  it('is not parsed in the main thread, and goes upstream byte for byte', async () => {
    expect(megabytes.length).toBeGreaterThan(2 * largeBodyBytes)
    const longest = longestParsed()
    const response = await send(`\uFEFF${megabytes.replace('"seed":1', '"seed" : 1.0')}`)
    expect(response.status).toBe(200)
    expect(longest()).toBeLessThan(largeBodyBytes)
    expect(upstream.received[0]?.body.toString()).toBe(megabytes.replace('"seed":1', '"seed" : 1.0'))
  })

  it('is not parsed there either when it is refused', async () => {
    const longest = longestParsed()
    const parts = [
      JSON.stringify({ model: 'gpt-4o', messages: times(400_000, message) }),
      JSON.stringify(Object.fromEntries(times(300_000, 1).map((one, index) => [`k${index}`, one]))),
      megabytes.slice(0, -1),
      `[${megabytes}]`,
    ]
    const answers = await Promise.all(parts.map((part) => send(part)))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect(longest()).toBeLessThan(largeBodyBytes)
    expect(upstream.received).toEqual([])
  })

  it('arrives whole in another dialect', async () => {
    await gateway.close()
    gateway = await open({ channels: openTestChannels(testChannel({ baseUrl: upstream.url, type: 14 })) })
    upstream.answer = json({
      id: 'msg',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'ok' }],
      usage: { input_tokens: 1, output_tokens: 1 },
    })
    const messages = times(300, 0).flatMap((_, index) => [
      { role: 'user', content: `question ${index} ${'x'.repeat(9000)}` },
      { role: 'assistant', content: `answer ${index}` },
    ])
    const response = await send(JSON.stringify({ model: 'claude', max_tokens: 5, messages: [...messages, message] }))
    expect(response.status).toBe(200)
    const sent = JSON.parse(upstream.received[0]?.body.toString() ?? '') as { messages: unknown[] }
    expect(sent.messages).toHaveLength(601)
    expect(JSON.stringify(sent.messages[599])).toContain('answer 299')
  })

  it('is refused by a blocked word, and held for by the size of its texts', async () => {
    expect((await send(megabytes.replace('"seed":1', '"max_tokens":1'))).status).toBe(200)
    // The first one only asked whether anything is left.
    const byTexts = gateway.parts.holds.ends[1]?.amount ?? 0
    // 2.96 MB of text are 740,000 tokens.
    expect(byTexts).toBeGreaterThan(700_000)
    gateway.parts.settings = { ...testOptions, sensitiveWords: ['fills megabytes'] }
    const refused = await send(megabytes)
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('sensitive')])
  })

  it('is counted in the counter’s thread when its provider states no usage', async () => {
    const prompt = vi.spyOn(gateway.parts.counter, 'prompt')
    upstream.answer = json({ ...completion('hello'), usage: undefined })
    expect((await send(megabytes)).status).toBe(200)
    const large = prompt.mock.calls[0]?.[3]
    expect(large?.raw.length).toBe(Buffer.byteLength(megabytes))
    expect(large?.textBytes).toBeGreaterThan(80 * long.length)
  })

  it('is not wanted any more when its client has gone meanwhile', async () => {
    const [first, gone] = [send(megabytes), new AbortController()]
    const others = times(5, 0).map(() =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-good' },
        body: megabytes,
        signal: gone.signal,
      }).catch(() => {}),
    )
    await first
    gone.abort()
    await Promise.all(others)
    expect((await send(megabytes)).status).toBe(200)
  })
})

describe('callers without quota', () => {
  beforeEach(async () => {
    await gateway.close()
    gateway = await open({ holds: openTestHolds(0) })
  })

  it.each([
    ['a large body', {}, '{'.repeat(70_000)],
    ['a compressed body', { 'content-encoding': 'gzip' }, gzipSync('{'.repeat(70_000))],
  ])('is refused before %s is parsed', async (_, headers, body) => {
    const response = await send(body, '/v1/chat/completions', headers)
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('insufficient_user_quota')])
  })
})

const deep = (depth: number): string => '{"a":'.repeat(depth) + 1 + '}'.repeat(depth)
const bodyBounds = bodyBoundsOf(dialects)
const many = bodyBounds.lists.get('messages')?.entries ?? 0
const tools = bodyBounds.lists.get('tools')?.entries ?? 0

describe('what a body may hold', () => {
  it.each([
    ['messages', { model: 'm', messages: times(many, {}) }, { model: 'm', messages: times(many + 1, {}) }],
    ['tools', { model: 'm', messages: [], tools: times(tools, {}) }, { messages: [], tools: times(tools + 1, {}) }],
  ])('is bounded by its number of %s', async (name, fits, tooMuch) => {
    // Longer than what is judged by its length alone.
    const padding = { user: 'x'.repeat(8192) }
    expect((await send(JSON.stringify({ ...padding, ...fits }))).status).toBe(200)
    const response = await send(JSON.stringify({ ...padding, ...tooMuch }))
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: {
        message: expect.stringMatching(new RegExp(`${name}.*${name === 'tools' ? tools : many}`)),
        type: 'new_api_error',
        param: '',
        code: 'body_too_complex',
      },
    })
  })

  it.each([
    ['openai', '/v1/chat/completions', { error: { code: 'body_too_complex' } }],
    ['anthropic', '/v1/messages', { type: 'error', error: { type: 'invalid_request_error' } }],
    ['gemini', '/v1beta/models/m:generateContent', { error: { code: 400, status: 'INVALID_ARGUMENT' } }],
  ])('is refused in the dialect of %s when it is nested too deeply, short or long', async (_, path, error) => {
    for (const body of [deep(bodyBounds.depth + 1), deep(20_000), deep(400_000)]) {
      const response = await send(body, path)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject(error)
    }
  })

  it('is not judged by the brackets in its texts', async () => {
    const response = await send(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: '[{'.repeat(500) }] }))
    expect(response.status).toBe(200)
  })
})
