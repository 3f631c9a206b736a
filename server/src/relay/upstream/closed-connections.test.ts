import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UpstreamRequest } from './upstream.ts'
import { openUndiciUpstream } from './upstream-undici.ts'

/** Servers that close a connection after an answer without saying so: the next request over it dies. */

type Handler = (request: IncomingMessage, response: ServerResponse, nth: number) => void

let upstream: ReturnType<typeof openUndiciUpstream>
let handler: Handler
let origin: string
/** Per request: the body, and which of its connection's requests it was, from 1. */
let seen: { body: string; nth: number }[]
let stop: () => void

beforeEach(async () => {
  upstream = openUndiciUpstream()
  seen = []
  const served = new WeakMap<object, number>()
  const server = createServer((request, response) => {
    const nth = (served.get(request.socket) ?? 0) + 1
    served.set(request.socket, nth)
    let body = ''
    request.on('data', (data: Buffer) => (body += data.toString()))
    request.on('end', () => {
      seen.push({ body, nth })
      handler(request, response, nth)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  stop = () => {
    server.closeAllConnections()
    server.close()
  }
})

afterEach(async () => {
  await upstream.close()
  stop()
})

const send = (body: string, changes: Partial<UpstreamRequest> = {}): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    upstream.send(
      {
        method: 'POST',
        origin,
        path: '/',
        headers: {},
        body: Buffer.from(body),
        proxy: '',
        timeouts: { connect: 60_000, firstByte: 60_000, idle: 60_000 },
        isRepeatable: true,
        ...changes,
      },
      {
        onHead: (status) => (text += `${status} `),
        onData: (chunk) => (text += chunk.toString()),
        onEnd: () => resolve(text),
        onError: (error) => resolve(`${text}failed: ${'code' in error ? String(error.code) : error.message}`),
      },
    )
  })

/** A connection is free again one turn after its answer's end. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The second request over each connection dies. */
const dying =
  (die: (request: IncomingMessage, response: ServerResponse) => void): Handler =>
  (request, response, nth) => {
    if (nth === 1) response.end('answer')
    else die(request, response)
  }

const deaths: readonly (readonly [string, (request: IncomingMessage) => void])[] = [
  ['is closed', ({ socket }) => socket.destroy()],
  ['is reset', ({ socket }) => socket.resetAndDestroy()],
  ['is ended', ({ socket }) => socket.end()],
]

it.each(deaths)('asks over a fresh connection where one that was used before %s', async (_, die) => {
  handler = dying(die)
  await send('first')
  await nextTurn()
  expect(await send('second')).toBe('200 answer')
  expect(seen).toEqual([
    { body: 'first', nth: 1 },
    { body: 'second', nth: 2 },
    { body: 'second', nth: 1 },
  ])
})

it('asks no third time', async () => {
  let connections = 0
  handler = ({ socket }, response, nth) => {
    if (nth === 1) connections += 1
    if (connections === 1 && nth === 1) response.end('answer')
    else socket.destroy()
  }
  await send('first')
  await nextTurn()
  expect(await send('second')).toMatch(/^failed/)
  expect(seen).toHaveLength(3)
})

it.each([
  ['a fresh connection dies', ({ socket }: IncomingMessage) => socket.destroy(), 0, {}],
  [
    'the answer has begun',
    ({ socket }: IncomingMessage) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nha', () => socket.destroy()),
    1,
    {},
  ],
  ['the request must not be made twice', ({ socket }: IncomingMessage) => socket.destroy(), 1, { isRepeatable: false }],
] as const)('does not ask again where %s', async (_, die, before, changes) => {
  handler = (request, response, nth) => {
    if (nth <= before) response.end('answer')
    else die(request)
  }
  if (before > 0) await send('first')
  await nextTurn()
  expect(await send('second', changes)).toContain('failed')
  expect(seen).toHaveLength(before + 1)
})
