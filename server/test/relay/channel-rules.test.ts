import type { IncomingMessage, Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { providerOf } from '../../src/providers/index.ts'
import type { RelayChannel, RequestRecord, RouteHealth } from '../../src/relay/ports.ts'
import { listen, openTestGateway, shut, type TestGateway, testToken, testUser } from '../support/gateway/listener.ts'
import { openSession, refusedSession } from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { completion } from '../support/gateway/upstream.ts'
import { openTestChannels, type TestRelay, testChannel, testOptions } from '../support/relay/ports.ts'

/** Every kind of call obeys the same rules when channels and keys are chosen: kind of call × rule. */

type Body = Readonly<Record<string, unknown>>

interface Kind {
  readonly name: string
  /** Type of a channel that takes it. */
  readonly type: number
  readonly path: string
  readonly body: Body
  /** The same with some thousand tokens more; absent where nothing is known of the prompt when the channel is chosen. */
  readonly long?: Body
  /** Upstream's answer. */
  readonly answer: unknown
  /** A channel that cannot express a field of `body`; absent where every channel takes the same request. */
  readonly unsupported?: { readonly type: number; readonly body: Body }
}

const words = 'word '.repeat(4_000)
const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }
const embedding = { model: 'embed-v4.0', input: 'hi' }
const picture = { model: 'gemini-2.5-flash-image', prompt: 'a toll booth' }
const drawing = { prompt: 'a toll booth', base64Array: [] }
const song = { gpt_description_prompt: 'rain on a toll booth' }

const kinds: readonly Kind[] = [
  {
    name: 'chat',
    type: 1,
    path: '/v1/chat/completions',
    body: chat,
    long: { ...chat, messages: [{ role: 'user', content: words }] },
    answer: completion('hello'),
    unsupported: { type: 14, body: { ...chat, seed: 1 } },
  },
  {
    name: 'embeddings',
    type: 1,
    path: '/v1/embeddings',
    body: embedding,
    long: { ...embedding, input: words },
    answer: { object: 'list', data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 1, total_tokens: 1 } },
    unsupported: { type: 34, body: { ...embedding, user: 'u' } },
  },
  {
    name: 'pictures',
    type: 1,
    path: '/v1/images/generations',
    body: picture,
    long: { ...picture, prompt: words },
    answer: { created: 5, data: [{ url: 'https://x/y.png' }] },
    unsupported: { type: 24, body: { ...picture, style: 'vivid' } },
  },
  {
    name: 'a session',
    type: 1,
    path: '/v1/realtime',
    body: {},
    answer: undefined,
  },
  {
    name: 'a drawing',
    type: 2,
    path: '/mj/submit/imagine',
    body: drawing,
    long: { ...drawing, prompt: words },
    answer: { code: 1, description: 'ok', result: '1730621826053455', properties: {} },
  },
  {
    name: 'a song',
    type: 36,
    path: '/suno/submit/music',
    body: song,
    long: { ...song, gpt_description_prompt: words },
    answer: { code: 'success', message: '', data: 'song-1' },
  },
]

let gateway: TestGateway
let server: Server
let url: string
let sockets: WebSocketServer
/** Keys in the order in which upstreams were asked with them. */
let usedKeys: string[]
/** Status with which a key is answered; 200 answers the call. */
let statusFor: (key: string) => number
let answer: unknown

const keyOf = ({ headers }: IncomingMessage): string =>
  String(headers['mj-api-secret'] ?? headers['x-api-key'] ?? headers.authorization ?? '').replace('Bearer ', '')

const refusal = JSON.stringify({ error: { message: 'no', type: 'e' }, description: 'no' })

beforeEach(async () => {
  usedKeys = []
  statusFor = () => 200
  const opened = await listen((request, response) => {
    usedKeys.push(keyOf(request))
    const status = statusFor(keyOf(request))
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(status === 200 ? JSON.stringify(answer) : refusal)
    })
  })
  server = opened.server
  url = opened.url
  sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    // A client that is refused may cut the connection, and nothing else listens for it here.
    socket.on('error', () => {})
    usedKeys.push(keyOf(request))
    const status = statusFor(keyOf(request))
    if (status === 200) sockets.handleUpgrade(request, socket, head, (session: WebSocket) => session.send(greeting))
    else socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: ${refusal.length}\r\n\r\n${refusal}`)
  })
})

const greeting = '{"type":"session.created","session":{}}'

afterEach(async () => {
  for (const session of sockets.clients) session.terminate()
  await gateway.close()
  await shut(server)
})

const open = async (
  channels: readonly RelayChannel[],
  { retryTimes = 5, ...changes }: Partial<TestRelay> & { retryTimes?: number } = {},
): Promise<void> => {
  const settings = { ...testOptions, retryTimes, strictGroups: new Set(['strict']) }
  gateway = await openTestGateway({ relay: { channels: openTestChannels(...channels), settings, ...changes } })
}

const channelOf = (kind: Kind, changes: Partial<RelayChannel> = {}): RelayChannel => {
  const { type } = kind
  return testChannel({ type, baseUrl: url, groups: new Set(['default', 'strict']), ...changes })
}

const ring = { rotation: 'round_robin', affinity: false, seeds: [1, 2, 3], next: 0 } as const

/** Makes the call; true where it was answered. */
const make = async (kind: Kind, body: Body = kind.body, key = 'sk-good'): Promise<boolean> => {
  answer = kind.answer
  if (kind.path === '/v1/realtime') {
    const client = await openSession(gateway.url, { key }).catch(() => undefined)
    if (client === undefined) return false
    await client.next('session.created')
    client.socket.close()
    await client.closed
    return true
  }
  const response = await fetch(gateway.url + kind.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.text()
  return response.ok
}

const record = async (): Promise<RequestRecord | undefined> => {
  await until(() => gateway.parts.recorder.records.length > 0)
  return gateway.parts.recorder.records[0]
}

const attempts = async (): Promise<unknown> => {
  const { admin_info: info } = ((await record())?.other ?? {}) as { admin_info?: { attempts: unknown } }
  return info?.attempts
}

describe.each(kinds)('$name', (kind) => {
  it('tries the keys of a channel one after the other where one is refused', async () => {
    await open([channelOf(kind, { keys: ['a', 'b', 'c'], ring: { ...ring } })])
    statusFor = (key) => (key === 'c' ? 200 : 401)
    expect(await make(kind)).toBe(true)
    expect(usedKeys).toEqual(['a', 'b', 'c'])
  })

  it('leaves a channel whose fault is not the key’s, and never comes back to it', async () => {
    const both = { keys: ['a', 'b'], ring: { ...ring, seeds: [1, 2] } }
    await open([channelOf(kind, { ...both, priority: 9 }), channelOf(kind, { id: 2, keys: ['c'] })])
    statusFor = () => 503
    expect(await make(kind)).toBe(false)
    expect(usedKeys).toEqual(['a', 'c'])
  })

  it('tries no more channels than it may', async () => {
    const three = [1, 2, 3].map((id) => channelOf(kind, { id, keys: [`${id}`], priority: -id }))
    await open(three, { retryTimes: 1 })
    statusFor = () => 429
    expect(await make(kind)).toBe(false)
    expect(usedKeys).toEqual(['1', '2'])
  })

  it('tries no other channel where the retry table says that none can help', async () => {
    await open([channelOf(kind, { keys: ['a'], priority: 9 }), channelOf(kind, { id: 2, keys: ['b'] })])
    statusFor = () => 400
    expect(await make(kind)).toBe(false)
    expect(usedKeys).toEqual(['a'])
  })

  it('tries a channel in trouble only when there is no other', async () => {
    const chosen: number[] = []
    const health: RouteHealth = {
      calm: false,
      avoids: (id) => id === 1,
      avoidsKey: () => false,
      chosen: (id) => chosen.push(id),
    }
    const channels = openTestChannels(
      channelOf(kind, { keys: ['a'], priority: 9 }),
      channelOf(kind, { id: 2, keys: ['b'] }),
    )
    await open([], { channels: { ...channels, health } })
    statusFor = (key) => (key === 'a' ? 200 : 503)
    expect(await make(kind)).toBe(true)
    expect(usedKeys).toEqual(['b', 'a'])
    expect(chosen).toEqual([2, 1])
  })

  it.runIf(kind.long !== undefined)('sends a long prompt to a channel that takes it', async () => {
    const short = channelOf(kind, { keys: ['short'], priority: 9, maxInputTokens: 1_000 })
    await open([short, channelOf(kind, { id: 2, keys: ['long'] })])
    await make(kind)
    await make(kind, kind.long)
    expect(usedKeys).toEqual(['short', 'long'])
  })

  it.runIf(kind.unsupported !== undefined)('asks no channel that drops a field of a strict group', async () => {
    const { type = 1, body = {} } = kind.unsupported ?? {}
    const lossy = channelOf(kind, { type, keys: ['lossy'], priority: 9, provider: providerOf(type) ?? never() })
    await open([lossy, channelOf(kind, { id: 2, keys: ['whole'] })], { retryTimes: 0 })
    gateway.tokens.set('good', { ...testToken, user: { ...testUser, group: 'strict', role: 10 } })
    expect(await make(kind, body)).toBe(true)
    expect(usedKeys).toEqual(['whole'])
    expect(await make(kind, body, 'sk-good-1')).toBe(false)
    expect(usedKeys).toEqual(['whole'])
  })

  it('reports how each attempt went to its channel', async () => {
    const channels = openTestChannels(
      channelOf(kind, { keys: ['a'], priority: 9 }),
      channelOf(kind, { id: 2, keys: ['b'] }),
    )
    const reports: unknown[] = []
    const report: TestRelay['channels']['report'] = (channel, failure, key, model, durationMs) =>
      reports.push([channel.id, failure?.status, key, model, typeof durationMs])
    await open([], { channels: { ...channels, report } })
    statusFor = (key) => (key === 'a' ? 503 : 200)
    await make(kind)
    const model = (await record())?.model
    expect(reports).toEqual([
      [1, 503, 'a', model, 'number'],
      [2, undefined, 'b', model, 'number'],
    ])
  })

  it('keeps every attempt in its log', async () => {
    await open([channelOf(kind, { keys: ['a'], priority: 9 }), channelOf(kind, { id: 2, name: 'two', keys: ['b'] })])
    statusFor = (key) => (key === 'a' ? 503 : 200)
    await make(kind)
    expect(await attempts()).toEqual([
      expect.objectContaining({ channel: 1, channel_name: 'one', status: 503, error: expect.stringContaining('503') }),
      expect.objectContaining({
        channel: 2,
        channel_name: 'two',
        status: kind.answer === undefined ? 101 : 200,
        error: '',
      }),
    ])
    expect((await record())?.channelId).toBe(2)
  })
})

const never = (): never => {
  throw new Error('no such provider')
}

it('realtime sessions that no channel accepts give their client the reason', async () => {
  await open([channelOf(kinds[3] ?? never())])
  statusFor = () => 503
  expect((await refusedSession(gateway.url)).status).toBe(503)
})
