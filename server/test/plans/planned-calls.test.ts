import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decimal } from '../../src/billing/decimal.ts'
import { openSourceVersion } from '../../src/relay/plan/source-version.ts'
import { openTestGateway, type TestGateway } from '../support/gateway/listener.ts'
import { openSession, openTestRealtime, type TestRealtime } from '../support/gateway/realtime.ts'
import { completion, json, openTestUpstream, type TestUpstream } from '../support/gateway/upstream.ts'
import { openTestChannels, testChannel, testPrices } from '../support/relay/ports.ts'

/** Whatever kind of route it has: a call that is like one before it asks for no price and no channel, since its plan has both. */

const tasks = { code: 'success', message: '', data: 'song-1' }
const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi', name: 'ann' }] }

describe('a planned call', () => {
  let upstream: TestUpstream
  let sessions: TestRealtime
  let gateway: TestGateway
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
      testChannel({ id: 8, baseUrl: upstream.url, models: new Set(['suno_music']), type: 36 }),
      testChannel({ id: 9, baseUrl: sessions.url, models: new Set(['gpt-realtime']) }),
    )
    const snapshot = noted(list.snapshot(), new Set(['serving', 'canAnswer', 'virtual', 'knows', 'byId']))
    gateway = await openTestGateway({
      relay: { channels: { ...list, snapshot: () => snapshot }, prices: noted(testPrices(), new Set(['of'])) },
      gateway: { sources: openSourceVersion() },
    })
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
    await sessions.close()
  })

  const post = async (path: string, body: unknown, answer: unknown): Promise<void> => {
    upstream.answer = json(answer)
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect({ path, status: response.status }).toEqual({ path, status: 200 })
    await response.arrayBuffer()
  }

  const calls: Readonly<Record<string, () => Promise<void>>> = {
    'of a key': () => post('/v1/chat/completions', chat, completion('hi')),
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

  it.each(Object.keys(calls))('%s asks for no price and no channel', async (name) => {
    await calls[name]?.()
    asked = []
    await calls[name]?.()
    expect(asked).toEqual([])
  })
})
