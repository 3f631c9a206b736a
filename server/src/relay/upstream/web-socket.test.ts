import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createEgressGuard } from '../../lib/security/egress.ts'
import type { SocketEvents, UpstreamSocket } from './upstream.ts'
import { openUndiciUpstream } from './upstream-undici.ts'

const upstream = openUndiciUpstream()
let server: WebSocketServer
let origin = ''
let begin: (socket: WebSocket) => void = () => {}

beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true })
  server.on('connection', (socket) => begin(socket))
  await once(server, 'listening')
  origin = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  for (const client of server.clients) client.terminate()
  server.close()
  await upstream.close()
})

type RecordedEvent = readonly [string, ...unknown[]]

const open = (
  changes: { through?: typeof upstream; origin?: string; onMessage?: (message: string | Buffer) => void } = {},
): { socket: UpstreamSocket; events: RecordedEvent[]; next: (what: string) => Promise<RecordedEvent> } => {
  const events: RecordedEvent[] = []
  let look = (): void => {}
  const recording =
    (what: string) =>
    (...more: unknown[]): void => {
      events.push([what, ...more])
      look()
    }
  const handlers: SocketEvents = {
    onOpen: () => recording('open')(),
    onMessage: changes.onMessage ?? recording('message'),
    onRefused: recording('refused'),
    onClose: recording('close'),
    onError: recording('error'),
  }
  const { through = upstream } = changes
  const request = { origin, path: '/', headers: {}, proxy: '', timeouts: { connect: 60_000 }, ...changes }
  const socket = through.connect(request, handlers)
  const next = (what: string): Promise<RecordedEvent> =>
    new Promise((resolve) => {
      look = () => {
        const found = events.find(([name]) => name === what)
        if (found !== undefined) resolve(found)
      }
      look()
    })
  return { socket, events, next }
}

it('passes text messages unchanged, and binary messages as bytes', async () => {
  begin = (socket) => {
    socket.send('{"a": 1}')
    socket.send(Buffer.from([1, 2]))
    socket.close(3001, 'enough')
  }
  const { events, next } = open()
  await next('close')
  const bytes = Buffer.from([1, 2])
  expect(events).toEqual([['open'], ['message', '{"a": 1}'], ['message', bytes], ['close', 3001, 'enough']])
})

it('sends messages, and closes without a further message', async () => {
  const received: string[] = []
  const closed = Promise.withResolvers<number>()
  begin = (socket) => {
    socket.on('message', (data) => received.push(data.toString()))
    socket.on('close', closed.resolve)
  }
  const { socket, events, next } = open()
  await next('open')
  socket.send('one')
  socket.send('two')
  socket.close(1000)
  expect(await closed.promise).toBe(1000)
  expect(received).toEqual(['one', 'two'])
  expect(events).toEqual([['open']])
})

it('lets go of an upstream that does not say goodbye', async () => {
  const closed = Promise.withResolvers<number>()
  begin = (socket) => {
    socket.pause()
    socket.once('close', closed.resolve)
    setTimeout(() => socket.resume(), 5500)
  }
  const { socket, next } = open()
  await next('open')
  socket.close(1000)
  await closed.promise
})

it.each([
  ['plain', false],
  ['packed', true],
])('is held back, whatever came at once, and goes on where it was: %s', async (_, compress) => {
  const count = 4000
  const texts = Array.from({ length: 100 }, () => randomBytes(1500).toString('base64'))
  begin = (socket) => {
    for (let index = 0; index < count; index += 1) socket.send(texts[index % 100] ?? '', { compress })
    setTimeout(() => socket.close(1000), 1000)
  }
  let messages = 0
  const { socket, next } = open({
    onMessage: () => {
      messages += 1
      if (messages === 1000) socket.pause()
    },
  })
  await expect.poll(() => messages).toBeGreaterThanOrEqual(1000)
  // Messages in the chunk of the thousandth are emitted nevertheless.
  let early = 0
  while (early !== messages) {
    early = messages
    await sleep(500)
  }
  expect(early).toBeLessThan(2000)
  socket.resume()
  await next('close')
  expect(messages).toBe(count)
})

it('goes nowhere where the rules of egress forbid it', async () => {
  const guarded = openUndiciUpstream({ egress: createEgressGuard({ allow: [] }) })
  const { next } = open({ through: guarded })
  expect(String((await next('error'))[1])).toContain('127.0.0.1')
  await guarded.close()
})

it('reports that no server listens', async () => {
  const unusedPort = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(unusedPort, 'listening')
  const { port } = unusedPort.address() as AddressInfo
  await new Promise((resolve) => unusedPort.close(resolve))
  const { next } = open({ origin: `ws://127.0.0.1:${port}` })
  expect((await next('error'))[1]).toMatchObject({ code: 'ECONNREFUSED' })
})
