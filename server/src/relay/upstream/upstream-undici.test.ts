import { createServer, request as forward, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { networkFailure } from './network-failure.ts'
import { splitUrl, type UpstreamRequest } from './upstream.ts'
import { openUndiciUpstream } from './upstream-undici.ts'

const upstream = openUndiciUpstream()
const seen: { url: string; via: string; port: number | undefined }[] = []
const closing: (() => void)[] = []
let origin = ''

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  const target = createServer((request, response) => {
    seen.push({
      url: request.url ?? '',
      via: String(request.headers['x-via'] ?? ''),
      port: request.socket.remotePort,
    })
    request.resume()
    if (request.url === '/hang') return
    response.writeHead(200, { 'x-a': '1' }).end('body')
  })
  origin = `http://127.0.0.1:${await listening(target)}`
  closing.push(() => target.closeAllConnections())
})
afterAll(async () => {
  await upstream.close()
  for (const close of closing) close()
})

const send = (
  changes: Partial<UpstreamRequest> = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> =>
  new Promise((resolve, reject) => {
    let status = 0
    let headers: IncomingHttpHeaders = {}
    let body = ''
    upstream.send(
      {
        method: 'POST',
        origin,
        path: '/x?y=1',
        headers: { 'content-type': 'application/json' },
        body: Buffer.from('{}'),
        proxy: '',
        timeouts: { connect: 60_000, firstByte: 60_000, idle: 60_000 },
        ...changes,
      },
      {
        onHead(code, received) {
          status = code
          headers = received
        },
        onData: (chunk) => (body += chunk.toString()),
        onEnd: () => resolve({ status, headers, body }),
        onError: reject,
      },
    )
  })

it('carries head and body, and uses a connection again', async () => {
  expect(await send()).toMatchObject({ status: 200, headers: { 'x-a': '1' }, body: 'body' })
  // A connection is free again one turn after its answer's end.
  await new Promise((resolve) => setImmediate(resolve))
  await send()
  const [first, second] = seen.slice(-2)
  expect(first?.url).toBe('/x?y=1')
  expect(second?.port).toBe(first?.port)
})

it('goes through an HTTP proxy', async () => {
  const proxy = createServer((request, response) => {
    const onward = forward(
      request.url ?? '',
      { method: request.method ?? '', headers: { ...request.headers, 'x-via': 'http' } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      },
    )
    request.pipe(onward)
  })
  const port = await listening(proxy)
  expect(await send({ proxy: `http://user:secret@127.0.0.1:${port}` })).toMatchObject({ status: 200, body: 'body' })
  expect(seen.at(-1)?.via).toBe('http')
})

it('goes through a SOCKS5 proxy', async () => {
  let relayed = 0
  const proxy = createTcpServer((client) => {
    client.on('error', () => {})
    client.once('data', () => {
      client.write(Buffer.from([5, 0]))
      client.once('data', (ask: Buffer) => {
        relayed += 1
        const host = ask[3] === 1 ? [...ask.subarray(4, 8)].join('.') : ask.toString('latin1', 5, 5 + (ask[4] ?? 0))
        const target = connect(ask.readUInt16BE(ask.length - 2), host, () => {
          client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
          client.pipe(target).pipe(client)
        })
        target.on('error', () => client.destroy())
      })
    })
  })
  const port = await listening(proxy)
  expect(await send({ proxy: `socks5://127.0.0.1:${port}` })).toMatchObject({ status: 200, body: 'body' })
  expect(relayed).toBe(1)
})

it.each([
  ['a proxy that does not exist', { proxy: 'http://127.0.0.1:1' }, 'do_request_failed'],
  ['a proxy of an unknown kind', { proxy: 'ftp://127.0.0.1:1' }, 'do_request_failed'],
  ['an address without a server', { origin: 'http://127.0.0.1:1' }, 'do_request_failed'],
  ['an address that is none', { origin: 'nonsense' }, 'do_request_failed'],
  ['silence', { path: '/hang', timeouts: { connect: 100, firstByte: 100, idle: 100 } }, 'upstream_timeout'],
])('says what is wrong with %s', async (_, changes, code) => {
  const error = await send(changes).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Error)
  expect(networkFailure(error as Error, { began: false }).code).toBe(code)
})

it('reports nothing after an abort', async () => {
  const events: string[] = []
  const note = (name: string) => () => events.push(name)
  const control = upstream.send(
    {
      method: 'GET',
      origin,
      path: '/',
      headers: {},
      body: undefined,
      proxy: '',
      timeouts: { connect: 60_000, firstByte: 60_000, idle: 60_000 },
    },
    { onHead: note('head'), onData: note('data'), onEnd: note('end'), onError: note('error') },
  )
  control.abort()
  await send()
  expect(events).toEqual([])
})

it.each([
  ['https://h.example/a/b?c=1', 'https://h.example', '/a/b?c=1'],
  ['http://h.example:8080', 'http://h.example:8080', '/'],
  ['http://h.example?c=1', 'http://h.example', '/?c=1'],
  ['nonsense', 'nonsense', '/'],
])('cuts %s', (url, expectedOrigin, path) => expect(splitUrl(url)).toEqual({ origin: expectedOrigin, path }))

describe('whether a request may have reached its upstream', () => {
  const hanging = (changes: Partial<UpstreamRequest> = {}) => {
    const quiet = { onHead() {}, onData() {}, onEnd() {}, onError() {} }
    const timeouts = { connect: 60_000, firstByte: 60_000, idle: 60_000 }
    const request = {
      method: 'POST' as const,
      origin,
      path: '/hang',
      headers: {},
      body: Buffer.from('{}'),
      proxy: '',
      timeouts,
    }
    return upstream.send({ ...request, ...changes }, quiet)
  }
  const count = (path: string): number => seen.filter(({ url }) => url === path).length

  it('is denied while it waits for a connection, and nothing is sent after an abort', async () => {
    const port = await listening(createServer((request) => seen.push({ url: request.url ?? '', via: '', port: 0 })))
    const control = hanging({ origin: `http://127.0.0.1:${port}`, path: '/late' })
    control.abort()
    expect(control.sent).toBe(false)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([control.sent, count('/late')]).toEqual([false, 0])
  })

  it('is said as soon as it is written', async () => {
    const before = count('/hang')
    const control = hanging()
    while (count('/hang') === before) await new Promise((resolve) => setImmediate(resolve))
    expect(control.sent).toBe(true)
    control.abort()
    expect(control.sent).toBe(true)
  })
})
