import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decimal } from '../../src/billing/decimal.ts'
import type { Limiter } from '../../src/limits/limiter.ts'
import { openSourceVersion } from '../../src/relay/plan/source-version.ts'
import { generated, message, response } from '../support/gateway/dialects.ts'
import { openTestGateway, type TestGateway } from '../support/gateway/listener.ts'
import { openSession, openTestRealtime, type TestRealtime } from '../support/gateway/realtime.ts'
import { completion, json, openTestUpstream, type TestUpstream } from '../support/gateway/upstream.ts'
import { aLimit, openTestLimiter } from '../support/limits/limiter.ts'
import { openTestChannels, testChannel, testPrices } from '../support/relay/ports.ts'

/** Whatever kind of route it has: a call that is like one before it asks for no price, no channel and no limits, since its plan has them. */

const tasks = { code: 'success', message: '', data: 'song-1' }
/** Limits of which none counts a call of the tests' key. */
const limitsOfOthers = [
  aLimit({ subjects: [{ kind: 'key', value: '4242' }] }, 1),
  aLimit({ subjects: [{ kind: 'group', value: 'vip' }, { kind: 'address' }] }, 2),
  aLimit({ subjects: [{ kind: 'model', value: 'another' }] }, 3),
  aLimit({ subjects: [{ kind: 'channel' }, { kind: 'user', value: '4242' }] }, 4),
]
const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi', name: 'ann' }] }

describe('a planned call', () => {
  let upstream: TestUpstream
  let sessions: TestRealtime
  let gateway: TestGateway
  let limiter: Limiter
  const sources = openSourceVersion()
  /** Questions since they were last looked at. */
  let asked: string[] = []

  const noted = <Parts extends object>(parts: Parts, names: ReadonlySet<string>): Parts =>
    new Proxy(parts, {
      get(target, name, receiver) {
        if (names.has(String(name))) asked.push(String(name))
        return Reflect.get(target, name, receiver)
      },
    })

  beforeAll(async () => {
    upstream = await openTestUpstream()
    sessions = await openTestRealtime()
    const permission = {
      groups: new Set(['default']),
      keys: new Set<number>(),
      paths: [],
      shared: true,
      price: decimal(1),
    }
    const list = openTestChannels(
      testChannel({ id: 7, baseUrl: upstream.url, models: new Set(['gpt-4o']), passthrough: permission }),
      testChannel({ id: 10, baseUrl: upstream.url, models: new Set(['claude']), type: 14 }),
      testChannel({ id: 11, baseUrl: upstream.url, models: new Set(['gemini']), type: 24 }),
      testChannel({ id: 8, baseUrl: upstream.url, models: new Set(['suno_music']), type: 36 }),
      testChannel({ id: 9, baseUrl: sessions.url, models: new Set(['gpt-realtime']) }),
    )
    const snapshot = noted(list.snapshot(), new Set(['serving', 'canAnswer', 'virtual', 'knows', 'byId']))
    limiter = openTestLimiter([], { clock: Date.now })
    gateway = await openTestGateway({
      relay: {
        channels: { ...list, snapshot: () => snapshot },
        prices: noted(testPrices(), new Set(['of'])),
        callLimits: noted(limiter, new Set(['all', 'plannedFor', 'enter', 'addModels', 'ofChannels'])),
      },
      gateway: { sources },
    })
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
    await sessions.close()
  })

  const post = async (path: string, body: unknown, answer: unknown, type = 'application/json'): Promise<void> => {
    upstream.answer = json(answer, 200, { 'content-type': type })
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect({ path, status: response.status }).toEqual({ path, status: 200 })
    await response.arrayBuffer()
  }

  const limitBy = (...limits: Parameters<Limiter['setLimits']>[0]): void => {
    limiter.setLimits(limits)
    sources.bump()
  }

  const speech = { model: 'gpt-4o', input: 'hi', voice: 'alloy' }
  const vectors = { object: 'list', data: [{ embedding: [1], index: 0 }], usage: { prompt_tokens: 1, total_tokens: 1 } }
  const contents = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
  const messages = { model: 'claude', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }

  const calls: Readonly<Record<string, () => Promise<void>>> = {
    'of a key': () => post('/v1/chat/completions', chat, completion('hi')),
    'in Messages': () => post('/v1/messages', messages, message),
    "in Gemini's dialect": () => post('/v1beta/models/gemini:generateContent', contents, generated),
    'for a response': () => post('/v1/responses', { model: 'gpt-4o', input: 'hi' }, response),
    'for embeddings': () => post('/v1/embeddings', { model: 'gpt-4o', input: 'hi' }, vectors),
    'for pictures': () =>
      post('/v1/images/generations', { model: 'gpt-4o', prompt: 'hi' }, { data: [{ b64_json: '' }] }),
    'for speech': () => post('/v1/audio/speech', speech, 'sound', 'audio/mpeg'),
    'of the playground': () => post('/pg/chat/completions', { ...chat, group: 'default' }, completion('hi')),
    'of a service of tasks': () => post('/suno/submit/music', { gpt_description_prompt: 'rain' }, tasks),
    'to a provider, with a usage': () => post('/p/7/v1/chat/completions', chat, completion('hi')),
    'to a provider, without one': () => post('/p/7/v1/threads', { model: 'gpt-4o' }, {}),
    'that counts tokens': () => post('/v1/messages/count_tokens', chat, { input_tokens: 1 }),
    async 'that is a session'() {
      const client = await openSession(gateway.url)
      await client.next('session.created')
      client.socket.close()
      await client.closed
    },
  }

  it.each(Object.keys(calls))('%s asks for no price, no channel and no limits', async (name) => {
    limitBy(...limitsOfOthers)
    await calls[name]?.()
    asked = []
    await calls[name]?.()
    expect(asked).toEqual([])
  })

  const uncounted = new Set(['that counts tokens'])

  it.each(Object.keys(calls).filter((name) => !uncounted.has(name)))(
    '%s is counted by the limits of its plan',
    async (name) => {
      limitBy(...limitsOfOthers, aLimit({ amount: 1000, subjects: [{ kind: 'user' }], window: 'day' }, 5))
      const counts = async () => (await limiter.countersOfLimit(5)).map(({ usedByAll }) => usedByAll)
      const [before = 0] = await counts()
      await calls[name]?.()
      asked = []
      await calls[name]?.()
      expect(asked).toEqual(['enter'])
      await expect.poll(counts).toEqual([before + 2])
    },
  )
})
