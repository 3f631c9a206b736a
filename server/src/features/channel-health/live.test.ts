import { beforeEach, describe, expect, it } from 'vitest'
import { testChannel } from '../../../test/support/relay/ports.ts'
import type { BusListener } from '../../lib/redis/local-bus.ts'
import type { RelayChannel, UpstreamFailure } from '../../relay/ports.ts'
import { type LiveHealth, openLiveHealth } from './live.ts'
import { restAfter } from './outcome.ts'

let now: number
let listeners: { node: number; listener: BusListener }[]
let messages: string[]

beforeEach(() => {
  now = 1_900_000_000_000
  listeners = []
  messages = []
})

/** Nodes on one bus. */
const openNode = (node = 0): LiveHealth =>
  openLiveHealth({
    clock: () => now,
    bus: {
      publish: (_, message = '') => {
        messages.push(message)
        for (const { node: other, listener } of listeners) listener({ kind: 'message', message, own: other === node })
      },
      subscribe: (_, listener) => {
        listeners.push({ node, listener })
        return () => {
          listeners = listeners.filter((entry) => entry.listener !== listener)
        }
      },
    },
  })

const failure = (change: Partial<UpstreamFailure> = {}): UpstreamFailure => ({
  status: 500,
  type: 'upstream_error',
  code: '',
  message: 'overloaded',
  cause: '',
  ...change,
})
const limited = failure({ status: 429, message: 'slow down', retryAfter: '30' })

const channel = (more: Partial<RelayChannel> = {}) => testChannel({ models: new Set(['gpt-4o', 'o3']), ...more })
const several = channel({
  keys: ['a', 'b'],
  ring: { rotation: 'random', affinity: true, seeds: [11, 22], next: 0 },
})

const see = (
  health: LiveHealth,
  more: { failure?: UpstreamFailure; channel?: RelayChannel; key?: string; model?: string } = {},
) => health.seen(more.channel ?? channel(), more.failure, more.key ?? 'channel-key', more.model ?? 'gpt-4o', 100, -1)
const times = (count: number, act: () => void): void => {
  for (let index = 0; index < count; index += 1) act()
}

describe('how an attempt ended', () => {
  it.each([
    [undefined, -1, 'ok'],
    [undefined, 10_000, 'ok'],
    [undefined, 10_001, 'slow'],
    [failure(), -1, 'server_error'],
    [failure({ status: 0, code: 'do_request_failed' }), -1, 'server_error'],
    [failure({ status: 200, code: 'bad_response_body' }), -1, 'server_error'],
    [failure({ status: 0, code: 'upstream_timeout' }), -1, 'timeout'],
    [failure({ status: 504 }), -1, 'timeout'],
    [failure({ status: 429 }), -1, 'rate_limited'],
    [failure({ status: 429, type: 'insufficient_quota' }), -1, 'quota'],
    [failure({ status: 402 }), -1, 'quota'],
    [failure({ status: 401 }), -1, 'auth'],
    [failure({ status: 403 }), -1, 'auth'],
    [failure({ status: 400, code: 'account_deactivated' }), -1, 'auth'],
    [failure({ status: 400 }), -1, 'other'],
    [failure({ status: 404 }), -1, 'other'],
  ] as const)('%j after %i ms is %s', (outcome, first, kind) => {
    const health = openNode()
    health.seen(channel(), outcome, 'channel-key', 'gpt-4o', 100, first)
    const [harvest] = health.take()
    expect(Object.entries(harvest?.counts.kinds ?? {}).filter(([, count]) => count > 0)).toEqual([[kind, 1]])
  })

  it.each([
    ['30', 30_000],
    ['0.5', 500],
    ['3600', 300_000],
    ['Sun, 17 Mar 2030 17:46:50 GMT', 10_000],
    ['Sun, 17 Mar 2030 17:00:00 GMT', 0],
    ['-5', 0],
    ['soon', 10_000],
    [undefined, 10_000],
  ])('Retry-After %s keeps calls away for %i ms', (text, ms) =>
    expect(restAfter(text, Date.parse('Sun, 17 Mar 2030 17:46:40 GMT'))).toBe(ms),
  )
})

describe('a 429', () => {
  it('keeps calls of that model away for as long as it says, and never longer than five minutes', () => {
    const health = openNode()
    expect(health.calm).toBe(true)
    see(health, { failure: limited })
    expect(health.calm).toBe(false)
    expect(health.avoids(1, 'gpt-4o', now)).toBe(true)
    expect(health.avoids(1, 'o3', now)).toBe(false)
    expect(health.stateOf(1, 'gpt-4o')).toEqual({ state: 'resting', until: now / 1000 + 30 })
    now += 30_000
    expect(health.avoids(1, 'gpt-4o', now)).toBe(false)
    health.take()
    expect(health.calm).toBe(true)
  })

  it('is about the key where a channel has several, and about the channel when all of them rest', () => {
    const health = openNode()
    see(health, { failure: limited, channel: several, key: 'a' })
    expect(health.avoidsKey(1, 11, now)).toBe(true)
    expect(health.avoidsKey(1, 22, now)).toBe(false)
    expect(health.avoids(1, 'gpt-4o', now)).toBe(false)
    expect(health.keyRestsUntil(1, 11)).toBe(now / 1000 + 30)
    see(health, { failure: limited, channel: several, key: 'b' })
    expect(health.avoids(1, 'gpt-4o', now)).toBe(true)
    now += 30_000
    health.take()
    expect(health.calm).toBe(true)
  })

  it('is published to the other nodes once, for any number of calls', () => {
    const [one, two] = [openNode(1), openNode(2)]
    times(50, () => see(one, { failure: limited }))
    expect(messages).toHaveLength(1)
    expect(two.avoids(1, 'gpt-4o', now)).toBe(true)
    see(one, { failure: limited, channel: several, key: 'a' })
    expect(two.avoidsKey(1, 11, now)).toBe(true)
  })
})

describe('repeated failures', () => {
  it('make all nodes skip the model of that channel, until one has tried it with success', () => {
    const [one, two] = [openNode(1), openNode(2)]
    times(5, () => see(one, { failure: failure() }))
    expect([one, two].map((node) => node.avoids(1, 'gpt-4o', now))).toEqual([true, true])
    expect([one, two].map((node) => node.avoids(1, 'o3', now))).toEqual([false, false])
    expect(two.stateOf(1, 'gpt-4o')).toEqual({ state: 'open', until: now / 1000 + 30 })
    now += 30_000
    expect(two.stateOf(1, 'gpt-4o').state).toBe('trial')
    expect(two.avoids(1, 'gpt-4o', now)).toBe(false)
    two.chosen(1, 'gpt-4o', now)
    expect(two.avoids(1, 'gpt-4o', now)).toBe(true)
    now += 200
    see(two)
    expect(two.calm).toBe(true)
    expect(two.avoidedModels(1)).toEqual([])
  })

  it('are not what a request does wrong', () => {
    const health = openNode()
    times(50, () => see(health, { failure: failure({ status: 400 }) }))
    expect(health.calm).toBe(true)
  })

  it('are forgotten everywhere when the channel was changed or a test has worked', () => {
    const [one, two] = [openNode(1), openNode(2)]
    times(5, () => see(one, { failure: failure() }))
    times(5, () => see(one, { failure: failure(), model: 'o3' }))
    two.forgive(1, 'gpt-4o')
    expect([one, two].map((node) => node.avoidedModels(1))).toEqual([['o3'], ['o3']])
    two.forgive(1)
    expect([one.calm, two.calm]).toEqual([true, true])
  })
})

describe('what is counted', () => {
  it('is taken once, by five minutes, and can be given back', () => {
    const health = openNode()
    now = 1_900_000_200_000
    see(health)
    see(health, { failure: failure({ message: 'x'.repeat(900) }) })
    health.charged(1, 'gpt-4o', 275)
    now += 300_000
    see(health, { model: 'o3' })
    see(health)
    const taken = health.take()
    expect(
      taken.map(({ model, counts }) => [
        model,
        counts.bucket,
        counts.kinds.ok,
        counts.kinds.server_error,
        counts.quota,
      ]),
    ).toEqual([
      ['gpt-4o', 1_900_000_200, 1, 1, 275],
      ['gpt-4o', 1_900_000_500, 1, 0, 0],
      ['o3', 1_900_000_500, 1, 0, 0],
    ])
    expect(taken[0]?.counts.lastError).toHaveLength(500)
    expect(health.take()).toEqual([])
    health.putBack(taken)
    expect(health.take()).toEqual(taken)
  })

  it('knows no models but those of the channel', () => {
    const health = openNode()
    see(health, { model: 'made-up' })
    health.charged(1, 'made-up', 5)
    expect(health.take()).toEqual([])
  })

  it('drops channels without calls for a long time', () => {
    const health = openNode()
    see(health)
    health.take()
    now += 3_600_001
    health.take()
    health.charged(1, 'gpt-4o', 5)
    expect(health.take()).toEqual([])
  })
})
