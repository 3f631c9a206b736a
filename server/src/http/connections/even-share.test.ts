import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { spreadEvenly } from './even-share.ts'

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))))

/** A worker with so many clients that keep their connections, where each worker has `average` later. */
const openWorker = async (clients: number, average: number) => {
  let comparisons = 0
  let present = clients
  const server = createServer((_, response) => response.end('answered'))
  const stop = spreadEvenly({
    server,
    intervalMs: 10,
    averageOf: async () => {
      comparisons += 1
      return present
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agents = Array.from({ length: clients }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  onTestFinished(() => {
    stop()
    for (const agent of agents) agent.destroy()
    server.closeAllConnections()
  })
  /** One call of each client over its connection; returns how many received `connection: close`. */
  const callAll = async (): Promise<number> => {
    const ended = agents.map(async (agent) => {
      const request = get({ port, host: '127.0.0.1', agent })
      const [answer] = (await once(request, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      return answer.headers.connection === 'close'
    })
    return (await Promise.all(ended)).filter(Boolean).length
  }
  await callAll()
  present = average
  const before = comparisons
  await vi.waitFor(() => expect(comparisons).toBeGreaterThan(before + 1))
  return { server, callAll }
}

it('ends the connections that a worker has more than the average, and no others', async () => {
  const { server, callAll } = await openWorker(24, 12)
  expect(await callAll()).toBe(12)
  await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(12))
})

it('leaves a worker alone that has a few more', async () => {
  const { callAll } = await openWorker(24, 20)
  expect(await callAll()).toBe(0)
})
