import { hash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seedOf } from '../../src/features/channels/relay-channel.ts'
import { localBus } from '../../src/lib/redis/local-bus.ts'
import type { RelayChannel, RequestRecord } from '../../src/relay/ports.ts'
import { openAnsweredSessions } from '../../src/relay/sessions/answered-sessions.ts'
import { openSessionCounts } from '../../src/relay/sessions/session-counts.ts'
import { createSessionGuard } from '../../src/relay/sessions/session-guard.ts'
import { openSessionPlaces, type SessionPlaces } from '../../src/relay/sessions/session-places.ts'
import { openTestGateway, type TestGateway } from '../support/gateway/listener.ts'
import { json } from '../support/gateway/upstream.ts'
import { type CachingUpstream, openCachingUpstream } from '../support/relay/caching-upstream.ts'
import { openTestChannels, type TestChannels, testChannel, testOptions } from '../support/relay/ports.ts'

let upstream: CachingUpstream
let gateways: TestGateway[] = []
let channels: TestChannels

/** Ten keys: four, three and three. */
const accounts = [4, 3, 3].map((count, channel) =>
  Array.from({ length: count }, (_, index) => `sk-${channel + 1}-${index + 1}`),
)

const channelWith = (id: number, keys: readonly string[]): RelayChannel =>
  testChannel({
    id,
    name: `channel ${id}`,
    weight: id * 10,
    keys,
    baseUrl: upstream.url,
    ring: {
      rotation: 'random',
      affinity: true,
      seeds: keys.map((key) => seedOf(hash('sha256', key, 'hex'))),
      next: 0,
    },
  })

/** Without a key that was refused, as the directory does it. */
const withoutKey = (key: string): void => {
  for (const [position, { id, keys }] of channels.list.entries()) {
    if (keys.includes(key))
      channels.list[position] = channelWith(
        id,
        keys.filter((other) => other !== key),
      )
  }
}

const linkedPlaces = (nodes: number): SessionPlaces[] => {
  const log = { error: () => {} } as unknown as Parameters<typeof localBus>[0]
  const buses = Array.from({ length: nodes }, () => localBus(log))
  return buses.map((bus) =>
    openSessionPlaces({
      bus: {
        subscribe: bus.subscribe,
        publish: (topic, message = '') => {
          for (const other of buses) other.deliver(topic, { kind: 'message', message, own: other === bus })
        },
      },
    }),
  )
}

const openNodes = async (count: number): Promise<void> => {
  channels = openTestChannels(...accounts.map((keys, index) => channelWith(index + 1, keys)))
  gateways = await Promise.all(
    linkedPlaces(count).map((sessionPlaces) =>
      openTestGateway({
        relay: {
          channels,
          sessionPlaces,
          answeredSessions: openAnsweredSessions(),
          sessionGuard: createSessionGuard(openSessionCounts({ clock: Date.now }), Date.now),
          settings: { ...testOptions, retryTimes: 2 },
        },
      }),
    ),
  )
}

beforeEach(async () => {
  upstream = await openCachingUpstream()
})

afterEach(async () => {
  for (const gateway of gateways) await gateway.close()
  await upstream.close()
})

/** How the clients of coding agents name a session. */
const naming = [
  (name: string) => ({ headers: { 'x-claude-code-session-id': name }, body: {} }),
  (name: string) => ({ headers: { 'session-id': name }, body: {} }),
  (name: string) => ({ headers: { 'x-session-affinity': name }, body: {} }),
  (name: string) => ({ headers: {}, body: { prompt_cache_key: name } }),
  (name: string) => ({ headers: {}, body: { metadata: { user_id: `user_a_account__session_${name}` } } }),
  // By its beginning.
  () => ({ headers: {}, body: {} }),
] as const

/** The turn-th call of a session: its conversation so far grows with each. */
const send = async (session: number, turn: number, node = 0): Promise<RequestRecord> => {
  const name = `session-${session}`
  const { headers, body } = (naming[session % naming.length] ?? naming[0])(name)
  const gateway = gateways[node % gateways.length]
  if (gateway === undefined) throw new Error('no node')
  const turns = Array.from({ length: turn }, (_, index) => [
    { role: 'assistant', content: `step ${index}` },
    { role: 'user', content: `result ${index} of ${name} ${'y'.repeat(100)}` },
  ]).flat()
  const messages = [{ role: 'user', content: `task of ${name}: ${'x'.repeat(2500)}` }, ...turns]
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'gpt-4o', ...body, messages }),
  })
  expect(answer.status).toBe(200)
  await answer.arrayBuffer()
  const record = gateway.parts.recorder.records.at(-1)
  if (record === undefined) throw new Error('a call is recorded')
  return record
}

const lastKey = (): string => upstream.received.at(-1)?.headers.authorization?.replace('Bearer ', '') ?? ''
const stateOf = ({ other }: RequestRecord): unknown => other.session

describe.each([1, 2])('sessions on %i nodes', (nodes) => {
  beforeEach(() => openNodes(nodes))

  it('stay with their channel and key, and when a key dies, only its own move, within one call', async () => {
    const sessions = Array.from({ length: 80 }, (_, index) => index)
    const keys = new Map<number, string>()
    for (const session of sessions) {
      await send(session, 0)
      keys.set(session, lastKey())
    }
    expect(new Set(keys.values()).size).toBe(10)

    for (let turn = 1; turn < 4; turn += 1) {
      for (const session of sessions) {
        await send(session, turn, turn + session)
        expect(lastKey()).toBe(keys.get(session))
      }
    }
    expect(upstream.counted.cached).toBe(upstream.counted.cacheable)

    const died = keys.get(0) ?? ''
    upstream.dead.add(died)
    let moved = 0
    for (const session of sessions) {
      const before = upstream.received.length
      const record = await send(session, 4, session)
      if (upstream.received.length > before + 1) withoutKey(died)
      if (keys.get(session) === died) {
        expect(stateOf(record)).toMatchObject({ state: 'moved' })
        keys.set(session, lastKey())
        moved += 1
      } else {
        expect(lastKey()).toBe(keys.get(session))
      }
    }
    expect(moved).toBeGreaterThan(0)
    for (const session of sessions) {
      expect(stateOf(await send(session, 5, session + 1))).toMatchObject({ state: 'hit' })
      expect(lastKey()).toBe(keys.get(session))
    }
    expect(upstream.counted.cached / upstream.counted.cacheable).toBeGreaterThan(0.95)
    const recorded = gateways.flatMap(({ parts }) => parts.recorder.records)
    expect(recorded.reduce((sum, { measures }) => sum + (measures?.cached ?? 0), 0)).toBe(upstream.counted.cached)
  })
})

describe('a session', () => {
  beforeEach(() => openNodes(1))

  it('is recorded with what became of it', async () => {
    expect(stateOf(await send(1, 0))).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      state: 'cold',
      why: 'new',
    })
    expect(stateOf(await send(1, 1))).toMatchObject({ state: 'hit' })
  })

  it('is not seen in short calls that name none', async () => {
    await fetch(`${gateways[0]?.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
    })
    expect(gateways[0]?.parts.recorder.records.at(-1)?.other).not.toHaveProperty('session')
  })

  it.each([
    ['/v1/chat/completions', { code: 'session_limit_reached' }],
    ['/v1/messages', { type: 'invalid_request_error' }],
  ])('is stopped at its limit with an error that clients of %s do not try again', async (path, error) => {
    const [gateway] = gateways
    if (gateway === undefined) throw new Error('no node')
    gateway.parts.settings = { ...gateway.parts.settings, sessionLimits: new Map([['default', { calls: 1 }]]) }
    const ask = () =>
      fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json', 'session-id': 'one' },
        body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
      })
    expect((await ask()).status).toBe(200)
    const before = upstream.received.length
    const stopped = await ask()
    expect(stopped.status).toBe(400)
    expect(await stopped.json()).toMatchObject({ error })
    expect(upstream.received).toHaveLength(before)
    expect(gateway.parts.recorder.records.at(-1)).toMatchObject({
      kind: 'error',
      session: expect.stringMatching(/^[0-9a-f]{16}$/),
      quota: 0,
      other: { session: { state: 'stopped' } },
    })
  })

  it('goes on with a response that it stored', async () => {
    let count = 0
    upstream.answer = (call) => {
      count += 1
      const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
      const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] }]
      json({ id: `resp_${count}`, object: 'response', status: 'completed', model: 'gpt-4o', output, usage })(call)
    }
    const respond = async (more: Record<string, unknown>): Promise<unknown> => {
      const answer = await fetch(`${gateways[0]?.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4o', ...more }),
      })
      expect(answer.status).toBe(200)
      await answer.arrayBuffer()
      return gateways[0]?.parts.recorder.records.at(-1)?.other.session
    }
    const first = await respond({ input: 'begin', prompt_cache_key: 'mine' })
    const { id } = first as { id: string }
    expect(await respond({ input: 'go on', previous_response_id: 'resp_1' })).toEqual({ id, state: 'hit' })
    expect(await respond({ input: 'and on', previous_response_id: 'resp_2' })).toEqual({ id, state: 'hit' })
  })
})
