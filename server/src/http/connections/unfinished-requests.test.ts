import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { limitUnfinishedRequests, type UnfinishedRequests } from './unfinished-requests.ts'

let server: Server
let unfinished: UnfinishedRequests
let now: number
let opened: Socket[]

const start = async (more: { mostPerAddress?: number; trustedProxies?: string[] } = {}): Promise<void> => {
  server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.end('ok'))
  })
  unfinished = limitUnfinishedRequests({
    server,
    clock: () => now,
    mostPerAddress: 3,
    trustedProxies: [],
    ...more,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

beforeEach(() => {
  now = 1_000_000
  opened = []
})
afterEach(async () => {
  unfinished.close()
  for (const socket of opened) socket.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n'

/** A connection that has sent this much, and that the server has received. */
const open = async (text: string): Promise<Socket> => {
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  opened.push(socket)
  socket.on('error', () => {})
  const [other] = await accepted
  await sent(socket, other, text)
  others.set(socket, other)
  return socket
}

const others = new WeakMap<Socket, Socket>()

const sent = async (socket: Socket, other: Socket, text: string): Promise<void> => {
  const wanted = other.bytesRead + text.length
  socket.write(text)
  while (other.bytesRead < wanted) await new Promise((resolve) => setTimeout(resolve, 2))
}

const more = (socket: Socket, text: string): Promise<void> => sent(socket, others.get(socket) as Socket, text)

const read = async (socket: Socket): Promise<string> => {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

it.each([
  ['heads', 'POST / HTTP/1.1\r\nHost:'],
  ['bodies', `${head}{`],
])('closes the oldest of many half-sent %s of one address', async (_, text) => {
  await start()
  const sockets = []
  for (let index = 0; index < 5; index += 1) {
    sockets.push(await open(text))
    now += 10
  }
  unfinished.sweep()
  now += 6000
  const closed = sockets.slice(0, 2).map(read)
  unfinished.sweep()
  expect((await Promise.all(closed)).map((answer) => answer.split('\r\n')[0])).toEqual(
    Array(2).fill('HTTP/1.1 408 Request Timeout'),
  )
  unfinished.sweep()
  expect(sockets.slice(2).map((socket) => (others.get(socket) as Socket).destroyed)).toEqual([false, false, false])
})

it('counts the half-sent heads behind earlier requests of their connections', async () => {
  await start()
  const sockets = []
  for (let index = 0; index < 4; index += 1) {
    const socket = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    sockets.push(socket)
  }
  unfinished.sweep()
  for (const socket of sockets) await more(socket, 'GET / HT')
  now += 6000
  const first = read(sockets[0] as Socket)
  unfinished.sweep()
  expect(await first).toContain('408')
})

it('lets any number of requests be sent at once, and idle connections stay', async () => {
  await start()
  for (let index = 0; index < 6; index += 1) {
    const socket = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
  }
  const sending = []
  for (let index = 0; index < 6; index += 1) sending.push(await open(head))
  unfinished.sweep()
  now += 1000
  unfinished.sweep()
  expect(opened.map((socket) => (others.get(socket) as Socket).destroyed)).toEqual(Array(12).fill(false))
})

it.each([
  ['a trusted proxy', { trustedProxies: ['127.0.0.0/8'] }],
  ['anybody without a limit', { mostPerAddress: 0 }],
])('does not count the connections of %s', async (_, parts) => {
  await start(parts)
  for (let index = 0; index < 6; index += 1) await open(head)
  now += 6000
  unfinished.sweep()
  expect(opened.map((socket) => (others.get(socket) as Socket).destroyed)).toEqual(Array(6).fill(false))
})

it('closes a body that stalls, and not one that moves, however long it takes', async () => {
  await start()
  const [stalled, moving] = [await open(head), await open(head)]
  const answer = read(stalled)
  for (let minutes = 0; minutes < 20; minutes += 1) {
    now += 31_000
    await more(moving, 'x'.repeat(20_000))
    if (minutes === 0) await more(stalled, 'x')
    unfinished.sweep()
  }
  expect(await answer).toContain('408')
  expect((others.get(moving) as Socket).destroyed).toBe(false)
})
