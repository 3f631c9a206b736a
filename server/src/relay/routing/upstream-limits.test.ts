import { beforeEach, describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  hi,
  lastRecord,
  reopenGateway,
  upstream,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { completion, json } from '../../../test/support/gateway/upstream.ts'
import { openTestChannels, testOptions } from '../../../test/support/relay/ports.ts'
import { localBus } from '../../lib/redis/local-bus.ts'
import { openUpstreamLimits } from './upstream-limits.ts'

const log = { warn: () => {}, error: () => {}, info: () => {} }
const usedUp = {
  'x-ratelimit-limit-requests': '50',
  'x-ratelimit-remaining-requests': '0',
  'x-ratelimit-reset-requests': '30s',
}
const left = { ...usedUp, 'x-ratelimit-remaining-requests': '7' }
const asked = { channelId: 1, seed: 11, model: 'gpt-4o' }

let now = 1_900_000_000_000

const openPair = () => {
  const buses = [localBus(log as never), localBus(log as never)]
  return buses.map((own, index) =>
    openUpstreamLimits({
      clock: () => now,
      bus: {
        subscribe: own.subscribe,
        publish: (topic, message = '') => buses[1 - index]?.deliver(topic, { kind: 'message', message, own: false }),
      },
    }),
  )
}

describe('what providers say of their limits', () => {
  it('is known to other nodes: at once where nothing is left, and else by the clock', () => {
    const [one, other] = openPair()
    one?.answered({ ...asked, model: 'o3' }, left)
    expect(other?.of(1, 11)).toEqual([])
    one?.answered(asked, usedUp)
    expect([other?.calm, other?.isUsedUp(asked, now)]).toEqual([false, true])
    one?.flush()
    expect(other?.of(1, 11).map(({ model, limits }) => [model, limits[0]?.left])).toEqual([
      ['gpt-4o', 0],
      ['o3', 7],
    ])
    expect(other?.isUsedUp({ ...asked, seed: 12 }, now)).toBe(false)
  })

  it('ends with its time, with an answer after a refusal, and with other keys', () => {
    const [limits] = openPair()
    limits?.answered(asked, usedUp)
    expect(limits?.isUsedUp(asked, now + 30_001)).toBe(false)
    limits?.refused(asked, '40')
    expect(limits?.of(1, 11)[0]?.usedUpUntil).toBe(now + 40_000)
    limits?.worked(asked)
    // The answer of before said so, and is still valid.
    expect(limits?.isUsedUp(asked, now)).toBe(true)
    now += 31_000
    limits?.worked(asked)
    expect(limits?.calm).toBe(true)
    limits?.refused(asked, '3600')
    limits?.forget(1)
    expect([limits?.calm, limits?.of(1, 11)]).toEqual([true, []])
  })

  it('is not believed from a message that another version wrote', () => {
    const bus = localBus(log as never)
    const limits = openUpstreamLimits({ clock: () => now, bus: { subscribe: bus.subscribe, publish: () => {} } })
    for (const message of ['[[1,11,"gpt-4o",-5,[]]]', '{}', '[[1,11]]'])
      bus.deliver('upstream-limits', { kind: 'message', message, own: false })
    expect(limits.of(1, 11)).toEqual([])
  })
})

describe('calls', () => {
  useScene()

  const ring = { rotation: 'round_robin' as const, affinity: false, seeds: [11, 12], next: 0 }
  const sent = () => upstream.received.map(({ headers }) => headers.authorization?.slice('Bearer '.length))
  /** Each key's answer has these headers. */
  const answerWith = (headers: Readonly<Record<string, Record<string, string>>>) => {
    upstream.answer = (received) => {
      const key = received.headers.authorization?.slice('Bearer '.length) ?? ''
      json(completion('hello'), 200, headers[key])(received)
    }
  }

  beforeEach(async () => {
    const several = channel({ id: 1, priority: 1, keys: ['a', 'b'], ring: { ...ring, next: 0 } })
    const spare = channel({ id: 2, keys: ['c'] })
    const bus = { subscribe: () => () => {}, publish: () => {} }
    await reopenGateway({
      channels: openTestChannels(several, spare),
      settings: { ...testOptions, retryTimes: 1 },
      upstreamLimits: openUpstreamLimits({ clock: Date.now, bus }),
    })
  })

  it('avoid a key that has nothing left, then its channel, and go on where there is no other', async () => {
    answerWith({ a: usedUp, b: left, c: left })
    for (let call = 0; call < 3; call += 1) await ask(hi)
    expect(sent()).toEqual(['a', 'b', 'b'])
    answerWith({ b: usedUp, c: usedUp })
    for (let call = 0; call < 2; call += 1) await ask(hi)
    expect(sent().slice(3)).toEqual(['b', 'c'])
    const info = lastRecord()?.other.admin_info as { route?: { candidates?: { id: number; why: string }[] } }
    expect(info.route?.candidates).toMatchObject([
      { id: 1, why: 'nothing_left' },
      { id: 2, why: 'chosen' },
    ])
    expect((await ask(hi)).status).toBe(200)
    expect(gateway.parts.recorder.records.at(-1)?.channelId).toBe(1)
  })

  it('avoid a key that Gemini has told to wait in its body', async () => {
    upstream.answer = (received) => {
      const isFirst = received.headers.authorization === 'Bearer a'
      const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '48s' }]
      const refusal = json({ error: { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED', details } }, 429)
      ;(isFirst ? refusal : json(completion('hello')))(received)
    }
    for (let call = 0; call < 3; call += 1) expect((await ask(hi)).status).toBe(200)
    // A retry goes to the next priority.
    expect(sent()).toEqual(['a', 'c', 'b', 'b'])
  })
})
