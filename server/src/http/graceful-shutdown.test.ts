import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createGracefulShutdown } from './graceful-shutdown.ts'

const minute = 60_000

const open = async (
  listener: RequestListener,
  callsOver: () => Promise<void>,
  patienceMs = minute,
  endSessions: (how: 'soon' | 'now') => void = () => {},
) => {
  const server = createServer(listener)
  const shutdown = createGracefulShutdown({ server, callsOver, endSessions, patienceMs, recordMs: minute })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.closeAllConnections())
  return { server, shutdown, port: (server.address() as AddressInfo).port }
}

const noCalls = async (): Promise<void> => {}

it('does not wait for connections without a request', async () => {
  const { server, shutdown, port } = await open(() => {}, noCalls)
  const silent = connect(port, '127.0.0.1')
  await once(server, 'connection')
  const closed = once(silent, 'close')
  const begun = performance.now()
  await shutdown.close()
  await closed
  expect(performance.now() - begun).toBeLessThan(minute / 4)
})

/** Sends a whole request over a connection and waits until the server closes it; what it answered. */
const lastAnswer = async (socket: Socket): Promise<string> => {
  let answer = ''
  socket.on('data', (part) => {
    answer += String(part)
  })
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'close')
  return answer
}

it('answers the first call of a connection that was opened just before', async () => {
  // The connection stays young, however slow the machine is.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { server, shutdown, port } = await open((_, response) => response.end('answered'), noCalls)
  const young = connect(port, '127.0.0.1')
  young.on('error', () => {})
  await once(server, 'connection')
  const leaving = shutdown.close()
  await sleep(150)
  expect(await lastAnswer(young)).toContain('answered')
  await leaving
})

it('says with each answer that the connection ends, from when the end is announced', async () => {
  const { shutdown, port } = await open((_, response) => response.end('answered'), noCalls)
  shutdown.announce()
  expect(await lastAnswer(connect(port, '127.0.0.1'))).toContain('Connection: close')
  // It goes on to listen.
  expect(await lastAnswer(connect(port, '127.0.0.1'))).toContain('answered')
  await shutdown.close()
})

it('answers the next call of a connection that a balancer keeps, and closes it', async () => {
  const release = Promise.withResolvers<void>()
  const { server, shutdown, port } = await open((_, response) => {
    response.writeHead(200)
    void release.promise.then(() => response.end('answered'))
  }, noCalls)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const call = async (): Promise<string | undefined> => {
    const [answer] = (await once(get({ port, agent }), 'response')) as [IncomingMessage]
    answer.resume()
    await once(answer, 'end')
    return answer.headers.connection
  }
  const [first, next] = [call(), call()]
  await once(server, 'request')
  const leaving = shutdown.close()
  release.resolve()
  expect([await first, await next]).toEqual(['keep-alive', 'close'])
  await leaving
})

it('waits for a call whose client has left', async () => {
  const over = Promise.withResolvers<void>()
  const { shutdown } = await open(
    () => {},
    () => over.promise,
  )
  let gone = false
  const leaving = shutdown.close().then(() => {
    gone = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(gone).toBe(false)
  over.resolve()
  await leaving
})

it('cuts off what takes too long, and waits until that is written down', async () => {
  const written = Promise.withResolvers<void>()
  let cut = false
  const { shutdown, port } = await open(
    (_, response) => {
      response.on('close', () => {
        cut = true
        setImmediate(written.resolve)
      })
      response.write('begun')
    },
    () => written.promise,
    50,
  )
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(client, 'data')
  await shutdown.close()
  expect(cut).toBe(true)
  await written.promise
})

it('ends sessions when they can be, and those that are left in the end at once', async () => {
  const ends: string[] = []
  const written = Promise.withResolvers<void>()
  const { shutdown } = await open(
    () => {},
    () => written.promise,
    50,
    (how) => {
      ends.push(how)
      if (how === 'now') written.resolve()
    },
  )
  const leaving = shutdown.close()
  expect(ends).toEqual(['soon'])
  await leaving
  expect(ends).toEqual(['soon', 'now'])
})
