import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/index.ts'
import { openaiChat } from '../../src/dialects/openai-chat/dialect.ts'
import { createRoutes } from '../../src/gateway/routes.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { openTestGateway, type TestGateway } from '../support/gateway/listener.ts'
import { completion, json, openTestUpstream, type TestUpstream } from '../support/gateway/upstream.ts'
import { openTestChannels, testChannel } from '../support/relay/ports.ts'
import { telegraphDialect } from './telegraph/dialect.ts'

/** Choices of a fifth dialect: the place of its key, stored responses, the size of its lists, its embeddings. */

const withTelegraph: readonly Dialect[] = [...dialects, telegraphDialect]

const telegraphProvider = (): Provider => {
  const { provider } = testChannel()
  const languages = [{ name: 'telegraph', dialect: () => openaiChat(), path: '/telegraph/wire' }]
  return { ...provider, languages, languagesOf: () => languages, embedsIn: 'telegraph' }
}

let upstream: TestUpstream
let gateway: TestGateway

beforeEach(async () => {
  upstream = await openTestUpstream()
  upstream.answer = json(completion('It rains.'))
  const channels = openTestChannels(testChannel({ baseUrl: upstream.url }))
  gateway = await openTestGateway({
    dialects: withTelegraph,
    relay: { channels, keepAliveMs: 60_000 },
    gateway: { maxRequestBytes: 4 * 1024 * 1024 },
  })
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

const useChannels = (...keys: readonly string[]): void => {
  const channels = keys.map((key, at) =>
    testChannel({ id: at + 1, keys: [key], baseUrl: upstream.url, provider: telegraphProvider() }),
  )
  gateway.parts.channels.list.splice(0, 1, ...channels)
}

const hi = { model: 'gpt-4o', words: 40, lines: [{ from: 'caller', text: 'How is the weather?' }] }
const authorized = { authorization: 'Bearer sk-good' }

const ask = (body: object, path: string, headers: Readonly<Record<string, string>> = authorized): Promise<Response> =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'en', ...headers },
    body: JSON.stringify(body),
  })

describe('the key of a fifth dialect', () => {
  it('stands in its own header, which comes first at its own paths', async () => {
    expect((await ask(hi, '/telegraph/wire', { 'telegraph-key': 'sk-good' })).status).toBe(200)
    const both = { 'telegraph-key': 'sk-good', authorization: 'Bearer sk-wrong' }
    expect((await ask(hi, '/telegraph/wire', both)).status).toBe(200)
    const chat = { model: 'gpt-4o', messages: [] }
    expect((await ask(chat, '/v1/chat/completions', both)).status).toBe(401)
    expect((await ask(chat, '/v1/chat/completions', { 'telegraph-key': 'sk-good' })).status).toBe(200)
  })

  it('stands in its own query parameter, which no upstream gets', async () => {
    useChannels('channel-key')
    upstream.answer = json({ telegram: 't1', to: 'gpt-4o', lines: [], fee: { in: 1, out: 1 } })
    expect((await ask(hi, '/telegraph/wire?stamp=sk-good&by=night', {})).status).toBe(200)
    expect(upstream.received.at(-1)?.path).toBe('/telegraph/wire?by=night')
  })
})

describe('a stored response of a fifth dialect', () => {
  const keyOf = (at: number) => upstream.received.at(at)?.headers.authorization
  const file = (path: string) => fetch(gateway.url + path, { headers: authorized })

  it('is continued and read at the account that stores it', async () => {
    useChannels('key-one', 'key-two', 'key-three')
    upstream.answer = json({ telegram: 't1', to: 'gpt-4o', lines: [{ text: 'Rain.' }], fee: { in: 1, out: 1 } })
    await ask({ ...hi, file: true }, '/telegraph/wire')
    const first = keyOf(-1)
    for (let time = 0; time < 6; time += 1) {
      await ask({ ...hi, after: 't1' }, '/telegraph/wire')
      expect(keyOf(-1)).toBe(first)
    }
    expect(await (await file('/telegraph/files/t1')).json()).toMatchObject({ telegram: 't1' })
    expect([upstream.received.at(-1)?.path, keyOf(-1)]).toEqual(['/telegraph/files/t1', first])
  })

  it('that nobody stored is refused in its format', async () => {
    useChannels('key-one')
    upstream.answer = json({ telegram: 't2', to: 'gpt-4o', lines: [], fee: { in: 1, out: 1 } })
    await ask(hi, '/telegraph/wire')
    const answer = await file('/telegraph/files/t2')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ fault: { number: 404, message: expect.stringContaining('t2') } })
    expect(upstream.received).toHaveLength(1)
  })
})

describe('a body of a fifth dialect', () => {
  const lines = (count: number, text: string) => Array.from({ length: count }, () => ({ from: 'caller', text }))

  it.each([
    ['at once', 'a line of some length'],
    ['in another thread', 'a line '.repeat(400)],
  ])('holds as many lines as it says, and is refused in its format with one more, read %s', async (_, text) => {
    expect((await ask({ ...hi, lines: lines(500, text) }, '/telegraph/wire')).status).toBe(200)
    const refused = await ask({ ...hi, lines: lines(501, text) }, '/telegraph/wire')
    expect(refused.status).toBe(400)
    expect(await refused.json()).toEqual({ fault: { number: 400, message: expect.stringMatching(/too complex.*500/) } })
    expect(upstream.received).toHaveLength(1)
  })

  it('leaves the lists of the other dialects as they are', async () => {
    const messages = Array.from({ length: 501 }, () => ({ role: 'user', content: 'a line of some length' }))
    expect((await ask({ model: 'gpt-4o', messages }, '/v1/chat/completions')).status).toBe(200)
  })
})

describe('embeddings of a fifth dialect', () => {
  const model = 'text-embedding-3-small'

  it('are asked in OpenAI’s of a provider that speaks that, and answered in its own', async () => {
    const data = [{ object: 'embedding', index: 0, embedding: [1, 2] }]
    upstream.answer = json({ object: 'list', data, model, usage: { prompt_tokens: 3, total_tokens: 3 } })
    const answer = await ask({ lines: ['rain'], seal: 'red' }, '/telegraph/points')
    expect(await answer.json()).toEqual({ points: [[1, 2]], fee: { in: 3 } })
    expect(answer.headers.get('x-tollgate-lost-fields')).toBe('seal')
    expect(upstream.received.at(-1)?.path).toBe('/v1/embeddings')
    expect(JSON.parse(upstream.received.at(-1)?.body.toString() ?? '')).toEqual({ model, input: ['rain'] })
    expect(gateway.parts.recorder.records.at(-1)).toMatchObject({ promptTokens: 3 })
  })

  it('go as they came to a provider that takes them, and cost what it reports', async () => {
    useChannels('channel-key')
    upstream.answer = json({ points: [[1, 2]], fee: { in: 7, out: 0 } })
    const body = { lines: ['rain'], seal: 'red' }
    expect(await (await ask(body, '/telegraph/points')).json()).toEqual({ points: [[1, 2]], fee: { in: 7, out: 0 } })
    expect(upstream.received.at(-1)?.path).toBe('/telegraph/points')
    expect(JSON.parse(upstream.received.at(-1)?.body.toString() ?? '')).toEqual(body)
    expect(gateway.parts.recorder.records.at(-1)).toMatchObject({ promptTokens: 7, receipt: { estimated: false } })
  })
})

it('refuses a WebSocket where a fifth dialect says so, and an ordinary request as an unknown path', async () => {
  const statusOf = async (headers: Readonly<Record<string, string>>): Promise<number | undefined> => {
    const request = httpRequest(`${gateway.url}/telegraph/wire`, { headers }).end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  expect(await statusOf({ connection: 'Upgrade', upgrade: 'websocket' })).toBe(501)
  expect(await statusOf({})).toBe(404)
})

it('shows the calls of a fifth dialect with its own captions on the home page', () => {
  const offered = createRoutes(withTelegraph).offered.filter(({ dialect }) => dialect === 'Telegraph')
  expect(offered.map(({ method, path, caption }) => [method, path, caption?.name.en])).toEqual([
    ['POST', '/telegraph/wire', 'Telegrams'],
    ['POST', '/telegraph/count', 'Count tokens'],
  ])
})
