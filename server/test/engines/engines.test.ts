import { afterEach, describe, expect, it } from 'vitest'
import { openEngineProbe } from '../../src/features/channel-health/engine-probe.ts'
import { openLiveHealth } from '../../src/features/channel-health/live.ts'
import { localBus } from '../../src/lib/redis/local-bus.ts'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { openSessionPlaces } from '../../src/relay/sessions/session-places.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  reopenGateway,
  until,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import {
  chunk,
  completion,
  done,
  json,
  openTestUpstream,
  type Received,
  stream,
  type TestUpstream,
  usageChunk,
} from '../support/gateway/upstream.ts'
import { testOptions } from '../support/relay/ports.ts'

/** Particulars of engines that the operator runs. */

useScene()

const engine = (changes: Partial<RelayChannel> = {}): RelayChannel =>
  channel({ type: 1001, keys: [], other: '', ...changes })

const retrying = { settings: { ...testOptions, retryTimes: 1 } }
let others: TestUpstream[] = []
afterEach(async () => {
  for (const other of others) await other.close()
  others = []
})

const openOther = async (): Promise<TestUpstream> => {
  const other = await openTestUpstream()
  others.push(other)
  return other
}

describe('a channel’s own limit for the first content', () => {
  it('lets another channel answer', async () => {
    const other = await openOther()
    other.answer = stream(chunk('from the other'), usageChunk(7, 3), done)
    await reopenGateway({
      ...retrying,
      limits: { ...gateway.parts.limits, timeouts: { connect: 2000, firstByte: 60_000, streamIdle: 60_000 } },
    })
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': queued\n\n')
    }
    useChannels(engine({ id: 1, priority: 9, firstContentMs: 300 }), channel({ id: 2, baseUrl: other.url }))
    expect(await (await ask(hiStream)).text()).toContain('from the other')
    expect(lastRecord()).toMatchObject({ kind: 'charge', channelId: 2 })
  })

  it('does not bound a plain answer', async () => {
    upstream.answer = (call) => setTimeout(() => json(completion('late'))(call), 350)
    useChannels(engine({ firstContentMs: 100 }))
    expect((await ask(hi)).status).toBe(200)
  })
})

describe('slots', () => {
  const patient = { connect: 20_000, firstByte: 60_000, streamIdle: 60_000 }

  /** Answers late, and knows how many calls it had at a time. */
  const useSlow = (): { most: () => number } => {
    let running = 0
    let most = 0
    upstream.answer = (call) => {
      running += 1
      most = Math.max(most, running)
      void call.closed.then(() => (running -= 1))
      setTimeout(() => stream(chunk('hello'), usageChunk(20, 5), done)(call), 5)
    }
    return { most: () => most }
  }

  it('make 16 streams wait for one another, and all are answered', async () => {
    const slow = useSlow()
    await reopenGateway({ limits: { ...gateway.parts.limits, timeouts: patient } })
    useChannels(engine({ slots: 1 }))
    const texts = await Promise.all(Array.from({ length: 16 }, async () => (await ask(hiStream)).text()))
    expect(texts.filter((text) => text.includes('hello'))).toHaveLength(16)
    expect(slow.most()).toBe(1)
    expect(gateway.parts.recorder.records).toHaveLength(16)
    for (const record of gateway.parts.recorder.records)
      expect(record).toMatchObject({ kind: 'charge', promptTokens: 20, completionTokens: 5 })
  })

  it('are not taken by a client that leaves while it waits', async () => {
    const held: Received[] = []
    await reopenGateway({ limits: { ...gateway.parts.limits, timeouts: patient } })
    upstream.answer = (call) => void held.push(call)
    useChannels(engine({ slots: 1 }))
    const first = ask(hiStream)
    await until(() => held.length === 1)
    const leaving = new AbortController()
    const second = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good' },
      body: JSON.stringify(hiStream),
      signal: leaving.signal,
    }).catch(() => undefined)
    await until(() => gateway.parts.holds.ends.length === 2)
    leaving.abort()
    await second
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0, other: { end: 'client_gone' } })
    stream(chunk('hello'), done)(held[0] as Received)
    expect(await (await first).text()).toContain('hello')
    expect(held).toHaveLength(1)
  })
})

describe('conversations', () => {
  it('of few bytes stay with their engine', async () => {
    const engines = [upstream, await openOther(), await openOther()]
    for (const each of engines) each.answer = json(completion('hello'))
    const log = { error: () => {} } as unknown as Parameters<typeof localBus>[0]
    await reopenGateway({
      sessionPlaces: openSessionPlaces({ bus: { ...localBus(log), publish: () => {} } }),
    })
    useChannels(...engines.map(({ url }, index) => engine({ id: index + 1, baseUrl: url })))
    for (let conversation = 0; conversation < 12; conversation += 1) {
      const messages = [{ role: 'user', content: `conversation ${conversation}` }]
      const places = new Set<unknown>()
      for (let turn = 0; turn < 4; turn += 1) {
        await (await ask({ ...hi, messages })).text()
        places.add(lastRecord()?.channelId)
        messages.push({ role: 'assistant', content: 'hello' }, { role: 'user', content: 'more' })
      }
      expect(places.size).toBe(1)
    }
  })
})

describe('a probe', () => {
  const failing = { status: 0, type: '', code: 'upstream_timeout', message: '', cause: '' }
  const probed = (found: RelayChannel) => {
    let probing: Promise<boolean> | undefined
    const probe = openEngineProbe(gateway.parts.upstream)
    const health = openLiveHealth({
      clock: Date.now,
      bus: { publish: () => {}, subscribe: () => () => {} },
      probe: (asked) => (probing = probe(asked)),
    })
    for (let count = 0; count < 5; count += 1) health.seen(found, failing, '', 'gpt-4o', 10, -1)
    return { health, done: async () => void (await probing) }
  }

  it.each([
    ['/health says that it works', { '/health': 200 }, false],
    ['its models are listed', { '/v1/models': 200 }, false],
    ['/health says that it loads', { '/health': 503, '/v1/models': 200 }, true],
    ['it has neither', {}, true],
  ] as const)('decides before a channel is taken out: %s', async (_, statuses, avoided) => {
    upstream.answer = (call) => json({}, Object.hasOwn(statuses, call.path) ? statuses[call.path as never] : 404)(call)
    const found = engine({ models: new Set(['gpt-4o']) })
    const { health, done: asked } = probed(found)
    expect(health.avoids(found.id, 'gpt-4o', Date.now())).toBe(false)
    await asked()
    expect(health.avoids(found.id, 'gpt-4o', Date.now())).toBe(avoided)
  })

  it('finds out that nobody is there', async () => {
    const gone = engine({ baseUrl: 'http://127.0.0.1:1', models: new Set(['gpt-4o']) })
    const { health, done: asked } = probed(gone)
    await asked()
    expect(health.avoids(gone.id, 'gpt-4o', Date.now())).toBe(true)
  })

  it('is made of engines alone', () => {
    const found = channel({ models: new Set(['gpt-4o']) })
    expect(probed(found).health.avoids(found.id, 'gpt-4o', Date.now())).toBe(true)
  })
})
