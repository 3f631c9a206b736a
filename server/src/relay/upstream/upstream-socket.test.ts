import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEgressGuard } from '../../lib/security/egress.ts'
import { networkFailure } from './network-failure.ts'
import { openUndiciUpstream } from './upstream-undici.ts'

const guarded = openUndiciUpstream({ egress: createEgressGuard({ allow: [] }) })
const upstream = openUndiciUpstream()
const servers: Server[] = []
let origin = ''
let proxy = ''
const tunnels: string[] = []

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  servers.push(server)
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const accept = (key: string): string =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

/** Greets with two lines and closes normally. */
const greet = (socket: Duplex, key: string): void => {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept(key)}\r\n\r\n`,
  )
  const text = Buffer.from('{"a":1,\n"b":2}')
  socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]))
  socket.end(Buffer.from([0x88, 2, 3, 232]))
  socket.on('error', () => {})
}

beforeAll(async () => {
  const target = createServer()
  target.on('upgrade', (request, socket) => greet(socket, request.headers['sec-websocket-key'] ?? ''))
  origin = `ws://${await listening(target)}`
  const between = createServer()
  between.on('connect', ({ url = '' }, socket, head) => {
    tunnels.push(url)
    const [host = '', port] = url.split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  proxy = `http://${await listening(between)}`
})
afterAll(async () => {
  await Promise.all([upstream.close(), guarded.close()])
  for (const server of servers) server.close()
})

const send = (through: typeof upstream, changes: { origin?: string; proxy?: string } = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ''
    through.send(
      {
        method: 'POST',
        origin,
        path: '/x',
        headers: {},
        body: Buffer.from('{}'),
        proxy: '',
        timeouts: { connect: 60_000, firstByte: 60_000, idle: 60_000 },
        ...changes,
      },
      {
        onHead: (status) => (received += `${status} `),
        onData: (chunk) => (received += chunk.toString()),
        onEnd: () => resolve(received),
        onError: reject,
      },
    )
  })

it('emits every message as one event, whatever its line breaks', async () => {
  expect(await send(upstream)).toBe('200 data: {"a":1,\ndata: "b":2}\n\n')
})

it('goes through the channel’s proxy', async () => {
  expect(await send(upstream, { proxy })).toMatch(/^200 data/)
  expect(tunnels).toEqual([origin.slice('ws://'.length)])
})

it('goes nowhere where the rules of egress forbid it', async () => {
  await expect(send(guarded)).rejects.toThrow(/127\.0\.0\.1/)
})

it('fails like every other connection when no server listens', async () => {
  const error = await send(upstream, { origin: 'ws://127.0.0.1:1' }).catch((reason: Error) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(networkFailure(error as Error, { began: false }).code).toBe('do_request_failed')
})
