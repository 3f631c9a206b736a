import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createGracefulShutdown } from './graceful-shutdown.ts'

const minute = 60_000

const open = async (
  listener: RequestListener,
  callsOver: () => Promise<void>,
  patienceMs = minute,
  endSessions: (how: 'soon' | 'now') => void = () => {},
) => {
  const server = createServer(listener)
  const gracefulShutdown = createGracefulShutdown({ server, callsOver, endSessions, patienceMs, recordMs: minute })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.closeAllConnections())
  return { server, gracefulShutdown, port: (server.address() as AddressInfo).port }
}

const noCalls = async (): Promise<void> => {}

it('does not wait for connections without a request', async () => {
  const { server, gracefulShutdown, port } = await open(() => {}, noCalls)
  const silent = connect(port, '127.0.0.1')
  await once(server, 'connection')
  const closed = once(silent, 'close')
  await gracefulShutdown()
  await closed
})

it('waits for a call whose client has left', async () => {
  const over = Promise.withResolvers<void>()
  const { gracefulShutdown } = await open(
    () => {},
    () => over.promise,
  )
  let gone = false
  const leaving = gracefulShutdown().then(() => {
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
  const { gracefulShutdown, port } = await open(
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
  await gracefulShutdown()
  expect(cut).toBe(true)
  await written.promise
})

it('ends sessions when they can be, and those that are left in the end at once', async () => {
  const ends: string[] = []
  const written = Promise.withResolvers<void>()
  const { gracefulShutdown } = await open(
    () => {},
    () => written.promise,
    50,
    (how) => {
      ends.push(how)
      if (how === 'now') written.resolve()
    },
  )
  const leaving = gracefulShutdown()
  expect(ends).toEqual(['soon'])
  await leaving
  expect(ends).toEqual(['soon', 'now'])
})
