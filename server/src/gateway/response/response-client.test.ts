import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ResponseClient } from './response-client.ts'

const server = createServer()
let socket: Socket
let client: ResponseClient
let gone = 0
let drained = 0

/** Bytes; more than the connection takes while the other end does not read. */
const fill = (): void => {
  while (client.write(Buffer.alloc(1_000_000)));
}

beforeEach(async () => {
  ;[gone, drained] = [0, 0]
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [, response] = await once(server, 'request')
  client = new ResponseClient(response, 'one')
  client.listen({
    gone: () => {
      gone += 1
    },
    drained: () => {
      drained += 1
    },
  })
  client.head(200, [])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  socket.destroy()
  server.close()
})

it('lets go of a client that takes nothing for five minutes', async () => {
  fill()
  vi.advanceTimersByTime(299_000)
  expect(gone).toBe(0)
  vi.advanceTimersByTime(1_000)
  await vi.waitUntil(() => client.gone)
  expect(gone).toBe(1)
})

it('waits as long as it takes for one that reads now and then', async () => {
  for (let pause = 0; pause < 3; pause += 1) {
    fill()
    vi.advanceTimersByTime(200_000)
    const before = drained
    socket.resume()
    await vi.waitUntil(() => drained > before)
    socket.pause()
  }
  expect(client.gone).toBe(false)
})

it.each([256, 12 * 1024, 12 * 1024 + 1])('sends %d bytes of any value as they are', async (length) => {
  const bytes = Buffer.from(Array.from({ length }, (_, index) => index % 256))
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part)).resume()
  client.end(bytes)
  await vi.waitUntil(() => Buffer.concat(parts).includes('0\r\n\r\n'))
  expect(Buffer.concat(parts).includes(bytes)).toBe(true)
})
