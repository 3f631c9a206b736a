import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openReservedMemory, type ReservedMemory } from '../../src/lib/memory/reserved-memory.ts'
import { openTestGateway, type TestGateway, testToken } from '../support/gateway/listener.ts'
import { openTestRealtime, type TestRealtime } from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { openTestChannels, openTestHolds, type TestRelay, testChannel } from '../support/relay/ports.ts'

/** Memory of WebSockets in each dialect: it is counted, bounded and freed. */

const mebibyte = 1024 * 1024
/** Room for 2 MB of one user. */
const memoryBytes = (2 * mebibyte * 5) / 0.15 / 0.75
const live = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'

let upstream: TestRealtime
let gateway: TestGateway
let memory: ReservedMemory

const open = async (relay: Partial<TestRelay> = {}, messageMs?: number): Promise<void> => {
  memory = openReservedMemory(memoryBytes)
  gateway = await openTestGateway({
    relay: { channels: openTestChannels(testChannel({ baseUrl: upstream.url })), ...relay },
    gateway: { maxRequestBytes: 64 * mebibyte, messageMs },
    keptMemory: memory,
  })
}

beforeEach(async () => {
  upstream = await openTestRealtime()
  await open()
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

const dial = (path: string, key = 'sk-good'): WebSocket =>
  new WebSocket(gateway.url.replace('http', 'ws') + path, { headers: { authorization: `Bearer ${key}` } })

const openSocket = async (path: string) => {
  const socket = dial(path)
  const events: { type?: string; status?: number; error?: { code?: string } }[] = []
  socket.on('error', () => {})
  socket.on('message', (data) => events.push(JSON.parse(data.toString())))
  const closed = once(socket, 'close').then(([code, reason]) => [code, String(reason)] as const)
  await once(socket, 'open')
  return { socket, events, closed }
}

const refusedStatus = async (path: string): Promise<number> => {
  const socket = dial(path)
  socket.on('error', () => {})
  const [, answer] = await once(socket, 'unexpected-response')
  socket.terminate()
  return answer.statusCode
}

const half = Buffer.alloc(mebibyte / 2, 'x')
const addresses = ['/v1/responses', '/v1/realtime?model=gpt-4o', live]
const withEvents = new Set(addresses.slice(0, 2))

describe.each(addresses)('%s', (path) => {
  it('ends sockets whose messages fill the memory of their user, with the reason, and gives everything back', async () => {
    const [first, second] = [await openSocket(path), await openSocket(path)]
    for (let sent = 0; sent < 3; sent += 1) first.socket.send(half, { fin: false, binary: false })
    await until(() => memory.share(testToken.user?.id).mostBytes < 0.6 * mebibyte)
    for (let sent = 0; sent < 3; sent += 1) second.socket.send(half, { fin: false, binary: false })
    const [code, reason] = await second.closed
    expect(code).toBe(1013)
    if (withEvents.has(path)) {
      expect(reason).toBe('bodies_full')
      expect(second.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'bodies_full' } })
    }
    expect(first.socket.readyState).toBe(WebSocket.OPEN)
    first.socket.terminate()
    await until(() => memory.share(testToken.user?.id).mostBytes === memory.largest)
  })

  it('refuses a message that is too large for anybody before it has come', async () => {
    const { socket, events, closed } = await openSocket(path)
    for (let sent = 0; sent < 5; sent += 1) socket.send(half, { fin: false, binary: false })
    expect((await closed)[0]).toBe(1009)
    if (withEvents.has(path)) expect(events.at(-1)).toMatchObject({ error: { code: 'body_too_large' } })
  })

  it('ends a message that is not whole in time', async () => {
    await gateway.close()
    await open({}, 50)
    const { socket, events, closed } = await openSocket(path)
    socket.send('{"type":', { fin: false })
    const [code] = await closed
    if (withEvents.has(path)) {
      expect(code).toBe(1008)
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'message_unfinished' } })
    } else expect(code).toBe(1007)
  })

  it('has no socket for who cannot pay', async () => {
    await gateway.close()
    await open({ holds: openTestHolds(0) })
    expect(await refusedStatus(path)).toBe(403)
    expect(memory.share(testToken.user?.id).mostBytes).toBe(memory.largest)
  })

  it('has no socket while the memory of the user is full', async () => {
    const share = memory.share(testToken.user?.id)
    share.hold(memory.largest)
    expect(await refusedStatus(path)).toBe(503)
    share.end()
    const { socket } = await openSocket(path)
    socket.terminate()
  })
})

describe('turns over a socket', () => {
  it('count while they wait, and are given back when they are over', async () => {
    const { socket, events } = await openSocket('/v1/responses')
    for (let sent = 0; sent < 3; sent += 1) socket.send(half, { binary: false })
    await until(() => events.length === 3)
    expect(events.map(({ status }) => status)).toEqual([400, 400, 400])
    await until(() => memory.share(testToken.user?.id).mostBytes > memory.largest - 100 * 1024)
    socket.close()
  })
})
