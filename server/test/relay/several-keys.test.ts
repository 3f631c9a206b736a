import { describe, expect, it } from 'vitest'
import type { RouteHealth, UpstreamFailure } from '../../src/relay/ports.ts'
import { ask, channel, hi, hiStream, reopenGateway, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { chunk, completion, done, json, type Received, stream } from '../support/gateway/upstream.ts'
import { openTestChannels, type TestChannels, testOptions } from '../support/relay/ports.ts'

useScene()

const seeds = [1, 2, 3]
const ring = (change = {}) => ({ rotation: 'round_robin', affinity: false, seeds, next: 0, ...change }) as const
const keys = ['sk-a', 'sk-b', 'sk-c']
const keyOf = ({ headers }: Received): string => headers.authorization?.replace('Bearer ', '') ?? ''
const usedKeys = (): string[] => upstream.received.map(keyOf)

const error = (status: number, headers = {}) => json({ error: { message: 'no', type: 'e' } }, status, headers)

interface Report {
  readonly key: string | undefined
  readonly model: string | undefined
  readonly durationMs: number | undefined
  readonly firstContentMs: number | undefined
  readonly failure: UpstreamFailure | undefined
}

/** Channels that also record statistics, with this health. */
const watched = (
  channels: TestChannels,
  health?: RouteHealth,
): TestChannels & { seen: Report[]; costs: unknown[][] } => {
  const seen: Report[] = []
  const costs: unknown[][] = []
  return {
    ...channels,
    seen,
    costs,
    report: (_, failure, key, model, durationMs, firstContentMs) =>
      seen.push({ failure, key, model, durationMs, firstContentMs }),
    charged: (...charge) => costs.push(charge),
    ...(health ? { health } : {}),
  }
}

describe('several keys of one channel', () => {
  it('are tried one after the other where one is refused, as often as calls may be retried', async () => {
    await reopenGateway({ settings: { ...testOptions, retryTimes: 2 } })
    useChannels(channel({ keys, ring: ring() }))
    upstream.answer = (call) => (keyOf(call) === 'sk-c' ? json(completion('hello'))(call) : error(401)(call))
    const answer = await ask(hi)
    expect(answer.status).toBe(200)
    expect(usedKeys()).toEqual(['sk-a', 'sk-b', 'sk-c'])
  })

  it('are not all tried when the fault is not theirs', async () => {
    await reopenGateway({ settings: { ...testOptions, retryTimes: 2 } })
    useChannels(channel({ keys, ring: ring() }))
    upstream.answer = error(500)
    expect((await ask(hi)).status).toBe(500)
    expect(usedKeys()).toEqual(['sk-a'])
  })

  it('keep a conversation together', async () => {
    useChannels(channel({ keys, ring: ring({ affinity: true }) }))
    upstream.answer = json(completion('hello'))
    for (const content of ['a', 'b', 'c']) {
      const messages = [...hi.messages, { role: 'assistant', content }, { role: 'user', content: `and ${content}` }]
      await ask({ ...hi, messages })
    }
    expect(new Set(usedKeys()).size).toBe(1)
  })
})

describe('channels in trouble', () => {
  it('are tried only when there are no others', async () => {
    const avoided = new Set([1])
    const chosen: number[] = []
    const health: RouteHealth = {
      calm: false,
      avoids: (id) => avoided.has(id),
      avoidsKey: () => false,
      chosen: (id) => chosen.push(id),
    }
    const [first, second] = [channel({ id: 1, priority: 9, keys: ['sk-a'] }), channel({ id: 2, keys: ['sk-b'] })]
    await reopenGateway({ channels: watched(openTestChannels(first, second), health) })
    upstream.answer = json(completion('hello'))
    await ask(hi)
    avoided.add(2)
    await ask(hi)
    expect(usedKeys()).toEqual(['sk-b', 'sk-a'])
    expect(chosen).toEqual([2, 1])
  })
})

describe('channels for short prompts', () => {
  it('get long ones only when there are no others', async () => {
    const short = channel({ id: 1, priority: 9, keys: ['sk-short'], maxInputTokens: 100 })
    const long = { ...hi, messages: [{ role: 'user', content: 'word '.repeat(2_000) }] }
    upstream.answer = json(completion('hello'))
    useChannels(short, channel({ id: 2, keys: ['sk-long'] }))
    for (const body of [hi, long]) await ask(body)
    useChannels(short)
    await ask(long)
    expect(usedKeys()).toEqual(['sk-short', 'sk-long', 'sk-short'])
  })
})

describe('the log of an attempt', () => {
  it('says which key and model were asked, how long it took and what it cost', async () => {
    const channels = watched(openTestChannels(channel({ keys, ring: ring() })))
    await reopenGateway({ channels })
    upstream.answer = json(completion('hello'))
    await ask(hi)
    upstream.answer = stream(chunk('hello'), done)
    await (await ask(hiStream)).text()
    expect(channels.seen).toMatchObject([
      { key: 'sk-a', model: 'gpt-4o', failure: undefined, firstContentMs: -1 },
      { key: 'sk-b', model: 'gpt-4o', failure: undefined },
    ])
    expect(channels.seen[1]?.firstContentMs).toBeGreaterThanOrEqual(0)
    expect(channels.seen[1]?.durationMs).toBeGreaterThanOrEqual(channels.seen[1]?.firstContentMs ?? 0)
    expect(channels.costs).toEqual([
      [1, 'gpt-4o', expect.any(Number)],
      [1, 'gpt-4o', expect.any(Number)],
    ])
  })

  it('keeps when the upstream wants to be asked again', async () => {
    const channels = watched(openTestChannels(channel()))
    await reopenGateway({ channels })
    upstream.answer = error(429, { 'retry-after': '17' })
    await ask(hi)
    expect(channels.seen[0]?.failure).toMatchObject({ status: 429, retryAfter: '17' })
  })

  it('counts a stream that broke off as a failure', async () => {
    const channels = watched(openTestChannels(channel()))
    await reopenGateway({ channels })
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('hel'), () => response.destroy())
    }
    await (await ask(hiStream)).text()
    expect(channels.seen).toMatchObject([{ failure: { code: 'upstream_broke' } }])
  })
})
