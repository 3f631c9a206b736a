import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSession } from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { gateway, record, upstream, useSessions } from '../support/gateway/sessions.ts'
import { testOptions } from '../support/relay/ports.ts'

/** Blocked words in the events of a realtime client. */

useSessions()

const block = (...words: readonly string[]): void => {
  gateway.parts.settings = { ...testOptions, sensitiveWords: words }
}

beforeEach(() => block('forbidden', '秘密'))

const say = (text: string, more: object = {}) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  ...more,
})

const received = (): unknown[] => (upstream.sessions[0]?.received ?? []).map((text) => JSON.parse(text) as unknown)

/** True if all that was sent is taken; false where nothing of it is for a second. */
const drained = async (socket: { readonly bufferedAmount: number }): Promise<boolean> => {
  for (let waited = 0; socket.bufferedAmount > 0; waited += 1) {
    if (waited === 100) return false
    await sleep(10)
  }
  return true
}

describe('an event with a blocked word', () => {
  it.each([
    ['an item', say('this is ForBidden!')],
    ['a later part of an item', { ...say(''), item: { content: [{ type: 'input_text' }, { text: '一个秘密。' }] } }],
    ['the result of a tool', { ...say(''), item: { type: 'function_call_output', call_id: 'a', output: 'forbidden' } }],
    ['the arguments of a tool call', { ...say(''), item: { type: 'function_call', arguments: '{"a":"forbidden"}' } }],
    ['the instructions of a session', { type: 'session.update', session: { instructions: 'Say forbidden things.' } }],
    ['a tool of a session', { type: 'session.update', session: { tools: [{ name: 'a', description: 'forbidden' }] } }],
    ['the instructions of a response', { type: 'response.create', response: { instructions: 'forbidden' } }],
    ['the input of a response', { type: 'response.create', response: { input: [say('forbidden').item] } }],
  ])('in %s does not go upstream, and is answered with an error', async (_, event) => {
    const client = await openSession(gateway.url, { headers: { 'accept-language': 'en' } })
    client.say({ ...event, event_id: 'event_1' })
    expect(await client.next('error')).toEqual({
      event_id: expect.stringMatching(/^evt_\w{31}$/),
      type: 'error',
      error: {
        message: expect.stringMatching(/^sensitive words detected \(request id: \w{31}\)$/),
        type: 'new_api_error',
        param: '',
        code: 'sensitive_words_detected',
        event_id: 'event_1',
      },
    })
    client.say({ type: 'input_audio_buffer.clear' })
    await until(() => received().length > 0)
    expect(received()).toEqual([{ type: 'input_audio_buffer.clear' }])
    client.socket.close()
  })

  it('costs nothing, and the operator reads which word it was; the session goes on', async () => {
    const client = await openSession(gateway.url)
    client.say(say('forbidden '.repeat(100)), say('a 秘密'))
    const [first, second] = [await client.next('error'), await client.next('error')]
    expect(first.error).toMatchObject({ event_id: null })
    expect(first.event_id).not.toBe(second.event_id)
    client.say(say('hello'))
    await until(() => received().length === 1)
    client.socket.close()
    expect(await record()).toMatchObject({
      kind: 'charge',
      promptTokens: 'hello'.length,
      other: { end: 'done', admin_info: { blocked_word: 'forbidden' } },
    })
  })

  it('asks for no response: the session owes none', async () => {
    const client = await openSession(gateway.url)
    client.say({ type: 'response.create', response: { instructions: 'forbidden' } })
    await client.next('error')
    client.socket.close()
    expect(await record()).toMatchObject({ other: { end: 'done' } })
  })

  it('is refused from the moment on at which an operator blocks the word', async () => {
    block()
    const client = await openSession(gateway.url)
    client.say(say('forbidden'))
    await until(() => received().length === 1)
    block('forbidden')
    client.say(say('forbidden'))
    await client.next('error')
    expect(received()).toHaveLength(1)
    client.socket.close()
  })

  it('is read no faster than its client reads the errors, and every one is answered', async () => {
    const client = await openSession(gateway.url)
    client.socket.pause()
    const ids: string[] = []
    // In rounds of a megabyte, until one is not taken; the connection itself holds some of them.
    for (let isTaken = true; isTaken; isTaken = await drained(client.socket)) {
      expect(ids.length).toBeLessThan(6000)
      const round = Array.from({ length: 100 }, (_, at) => `${ids.length + at} ${'x'.repeat(10_000)}`)
      for (const id of round) client.say(say('forbidden', { event_id: id }))
      ids.push(...round)
    }
    client.socket.resume()
    await until(() => client.events.length > ids.length)
    expect(client.events.slice(1).map(({ error }) => (error as { event_id?: string }).event_id)).toEqual(ids)
    client.socket.close()
  })
})

it.each([
  ['sound', { type: 'input_audio_buffer.append', audio: 'forbidden' }],
  ['a text without the word', say('forbid den')],
  ['names of events', { type: 'conversation.item.delete', item_id: 'forbidden' }],
])('%s goes upstream', async (_, event) => {
  const client = await openSession(gateway.url)
  client.say(event)
  await until(() => received().length === 1)
  expect(received()).toEqual([event])
  client.socket.close()
})
