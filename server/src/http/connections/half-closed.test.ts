import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { answerHalfClosed } from './half-closed.ts'

let server: Server
let called: Promise<ServerResponse>

beforeEach(async () => {
  let onCall = (_: ServerResponse): void => {}
  called = new Promise((resolve) => {
    onCall = resolve
  })
  server = createServer((request, response) => {
    request.resume()
    onCall(response)
  })
  answerHalfClosed(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const request = (version = '1.1'): string =>
  `POST / HTTP/${version}\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`

const open = async (): Promise<Socket> => {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const read = async (socket: Socket): Promise<string> => {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

/** Resolves when the server has noticed that its client has closed its side. */
const ended = (response: ServerResponse): Promise<unknown> =>
  response.req.socket.readableEnded ? Promise.resolve() : once(response.req.socket, 'end')

it.each(['1.1', '1.0'])('answers a client of HTTP/%s that closes its side after its request', async (version) => {
  const socket = await open()
  socket.end(request(version))
  const response = await called
  await ended(response)
  response.end('the answer')
  const text = await read(socket)
  expect(text.endsWith('the answer')).toBe(true)
  expect(text.startsWith('HTTP/1.1 100 Continue\r\n\r\n')).toBe(version === '1.1')
})

it('streams to it, too', async () => {
  const socket = await open()
  socket.end(request())
  const response = await called
  await ended(response)
  response.write('one ')
  await new Promise(setImmediate)
  response.end('two')
  const text = await read(socket)
  expect([text.includes('one '), text.includes('two')]).toEqual([true, true])
})

it('notices a client that leaves before its answer', async () => {
  const socket = await open()
  socket.write(request())
  const response = await called
  const closed = once(response, 'close')
  socket.destroy()
  await closed
  expect(response.writableFinished).toBe(false)
})

it('takes a client that closes its side during its answer for gone', async () => {
  const socket = await open()
  socket.write(request())
  const response = await called
  response.write('the first part')
  await once(socket, 'data')
  const closed = once(response, 'close')
  socket.end()
  await closed
  expect(response.writableFinished).toBe(false)
})

it('closes idle connections whose client has closed its side', async () => {
  const socket = await open()
  const whole = read(socket)
  socket.write(request().replace('Connection: close\r\n', ''))
  const response = await called
  response.end('the answer')
  await once(response, 'finish')
  socket.end()
  expect(await whole).toContain('the answer')
})
