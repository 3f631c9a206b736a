import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTokenCounter } from '../../src/billing/counting/token-counter.ts'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/index.ts'
import { openaiChat } from '../../src/dialects/openai-chat/dialect.ts'
import type { Provider } from '../../src/providers/provider.ts'
import type { RelayChannel, RequestRecord } from '../../src/relay/ports.ts'
import { eventsIn, message, messageStream, named } from '../support/gateway/dialects.ts'
import { openTestGateway, type TestGateway } from '../support/gateway/listener.ts'
import { completion, json, openTestUpstream, stream, type TestUpstream } from '../support/gateway/upstream.ts'
import { openTestChannels, testChannel } from '../support/relay/ports.ts'
import { telegraphDialect } from './telegraph/dialect.ts'

/** A new dialect takes the folder `telegraph` and this line (docs/adding-a-dialect.md). */
const withTelegraph: readonly Dialect[] = [...dialects, telegraphDialect]

/** gpt-4o costs 1.25 units a prompt token and 5 a completion token. */
const quotaFor = (prompt: number, completion: number): number => Math.round(prompt * 1.25 + completion * 5)

const counter = openTokenCounter()
let upstream: TestUpstream
let gateway: TestGateway

/** A provider that speaks the dialect itself; what passes through is never written. */
const telegraphProvider = (): Provider => {
  const { provider } = testChannel()
  const languages = [{ name: 'telegraph', dialect: () => openaiChat(), path: '/telegraph/wire' }]
  return { ...provider, languages, languagesOf: () => languages }
}

const useChannel = (changes: Partial<RelayChannel> = {}): void => {
  gateway.parts.channels.list.splice(0, 1, testChannel({ baseUrl: upstream.url, ...changes }))
}

beforeEach(async () => {
  upstream = await openTestUpstream()
  const channels = openTestChannels(testChannel({ baseUrl: upstream.url }))
  gateway = await openTestGateway({ dialects: withTelegraph, relay: { channels, counter, keepAliveMs: 60_000 } })
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})
afterAll(() => counter.close())

const hi = { model: 'gpt-4o', words: 40, lines: [{ from: 'caller', text: 'How is the weather?' }] }

const ask = (body: object, path = '/telegraph/wire'): Promise<Response> =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json', 'accept-language': 'en' },
    body: JSON.stringify(body),
  })

const sent = (): unknown => JSON.parse(upstream.received.at(-1)?.body.toString() ?? '')
const charged = (): RequestRecord | undefined => gateway.parts.recorder.records.at(-1)

const weather = { office: 'weather', does: 'Looks out of the window.', form: { type: 'object' } }
const withTools = {
  ...hi,
  offices: [weather],
  lines: [...hi.lines, { from: 'desk', no: 'a', office: 'weather', order: '{}' }, { no: 'a', answer: 'rain' }],
}

describe('a client of a fifth dialect, at an upstream that speaks chat completions', () => {
  it('is answered, and billed as the upstream reports', async () => {
    upstream.answer = json(completion('It rains.'))
    const answer = await ask(hi)
    expect(await answer.json()).toEqual({
      telegram: 'x',
      to: 'm',
      lines: [{ text: 'It rains.' }],
      why: 'over',
      fee: { in: 10, out: 5 },
    })
    expect(upstream.received.at(-1)?.path).toBe('/v1/chat/completions')
    expect(sent()).toMatchObject({
      messages: [{ role: 'user', content: 'How is the weather?' }],
      max_completion_tokens: 40,
    })
    expect(charged()).toMatchObject({ promptTokens: 10, completionTokens: 5, quota: quotaFor(10, 5) })
  })

  it('calls tools and gives back their results', async () => {
    const call = { id: 'b', type: 'function', function: { name: 'weather', arguments: '{"at":"sea"}' } }
    const choice = { index: 0, message: { role: 'assistant', content: null, tool_calls: [call] } }
    upstream.answer = json({ ...completion(''), choices: [{ ...choice, finish_reason: 'tool_calls' }] })
    expect(await (await ask(withTools)).json()).toMatchObject({
      lines: [{ no: 'b', office: 'weather', order: '{"at":"sea"}' }],
      why: 'order',
    })
    expect(sent()).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'weather', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: 'rain' },
      ],
      tools: [{ type: 'function', function: { name: 'weather', description: 'Looks out of the window.' } }],
    })
  })

  it('reads in the log which of its fields the upstream cannot express', async () => {
    upstream.answer = json(completion('Yes.'))
    const answer = await ask({ ...hi, stamp: 'red' })
    expect(answer.headers.get('x-tollgate-lost-fields')).toBe('stamp')
    expect(charged()).toMatchObject({ other: { lost_fields: ['stamp'] } })
  })

  it('reads errors in its own format', async () => {
    upstream.answer = json({ error: { message: 'no such model', type: 'invalid_request_error' } }, 400)
    const answer = await ask(hi)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ fault: { number: 400, message: expect.stringContaining('no such') } })
  })
})

describe('a client of a fifth dialect, at an upstream that speaks messages', () => {
  const useClaude = (): void => useChannel({ type: 14, provider: testChannel({ type: 14 }).provider })

  it('is answered whole', async () => {
    useClaude()
    upstream.answer = json({ ...message, usage: { input_tokens: 12, output_tokens: 4 } })
    expect(await (await ask(hi)).json()).toMatchObject({ lines: [{ text: 'Hello' }], fee: { in: 12, out: 4 } })
    expect(upstream.received.at(-1)?.path).toBe('/v1/messages')
    expect(sent()).toMatchObject({ max_tokens: 40, messages: [{ role: 'user' }] })
    expect(charged()).toMatchObject({ quota: quotaFor(12, 4) })
  })

  it('is answered as a stream, tool calls included', async () => {
    useClaude()
    const [begin = ''] = messageStream
    upstream.answer = stream(
      begin,
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'I look.' } }),
      named('content_block_stop', { index: 0 }),
      named('content_block_start', {
        index: 1,
        content_block: { type: 'tool_use', id: 'c', name: 'weather', input: {} },
      }),
      named('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: '{}' } }),
      named('content_block_stop', { index: 1 }),
      named('message_delta', {
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 6 },
      }),
      named('message_stop', {}),
    )
    const answer = await ask({ ...withTools, live: true })
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(eventsIn(await answer.text())).toEqual([
      { telegram: 'msg_1', to: 'claude-sonnet-4-5' },
      { text: 'I look.' },
      { no: 'c', office: 'weather' },
      { order: '{}' },
      { why: 'order' },
      { stop: true, fee: { in: 47, out: 6 } },
    ])
    expect(charged()).toMatchObject({ promptTokens: 47, completionTokens: 6, isStream: true })
  })

  it('reads an error in the stream, where the stream breaks', async () => {
    useClaude()
    upstream.answer = stream(
      ...messageStream.slice(0, 4),
      named('error', { error: { type: 'overloaded_error', message: 'busy' } }),
    )
    const events = eventsIn(await (await ask({ ...hi, live: true })).text())
    expect(events.at(-1)).toMatchObject({ fault: { message: expect.stringContaining('busy') } })
    expect(charged()).toMatchObject({ isStream: true })
  })
})

describe('a client of a fifth dialect, at an upstream that speaks it', () => {
  const answered = '{"telegram":"t1","to":"gpt-4o","lines":[{"text":"Rain."}],  "fee":{"in":12,"out":4}}'
  const streamed = [
    'data: {"telegram":"t1","to":"gpt-4o"}\n\n',
    'data: {"text":"Ra"}\n\n',
    'data: {"text":"in."}\n\n',
    'data: {"why":"over"}\n\n',
    'data: {"stop":true,"fee":{"in":12,"out":4}}\n\n',
  ]

  it('gets every byte as it comes, and pays what the upstream reports', async () => {
    useChannel({ provider: telegraphProvider() })
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answered)
    }
    expect(await (await ask({ ...hi, stamp: 'red' })).text()).toBe(answered)
    expect(upstream.received.at(-1)?.path).toBe('/telegraph/wire')
    expect(sent()).toEqual({ ...hi, stamp: 'red' })
    expect(charged()).toMatchObject({ promptTokens: 12, completionTokens: 4, quota: quotaFor(12, 4) })
  })

  it('gets every byte of a stream, and pays what its last event reports', async () => {
    useChannel({ provider: telegraphProvider() })
    upstream.answer = stream(...streamed)
    expect(await (await ask({ ...hi, live: true })).text()).toBe(streamed.join(''))
    expect(charged()).toMatchObject({ quota: quotaFor(12, 4), isStream: true })
  })

  it('pays for what was counted where the upstream reports nothing', async () => {
    useChannel({ provider: telegraphProvider() })
    upstream.answer = stream(...streamed.slice(0, 4), 'data: {"stop":true}\n\n')
    await (await ask({ ...hi, live: true })).text()
    const prompt = await counter.text('gpt-4o', 'How is the weather?')
    const output = await counter.text('gpt-4o', 'Rain.')
    expect(charged()).toMatchObject({ quota: quotaFor(prompt, output), receipt: { estimated: true } })
  })

  it('pays as much where the request is large, and another thread reads it', async () => {
    useChannel({ provider: telegraphProvider() })
    upstream.answer = stream(...streamed.slice(0, 4), 'data: {"stop":true}\n\n')
    await gateway.close()
    const channels = gateway.parts.channels
    gateway = await openTestGateway({
      dialects: withTelegraph,
      relay: { channels, counter },
      gateway: { maxRequestBytes: 4 * 1024 * 1024 },
    })
    const text = 'Hello, world! '.repeat(80_000)
    await (await ask({ ...hi, live: true, lines: [{ from: 'caller', text }] })).text()
    expect(charged()?.promptTokens).toBe(await counter.text('gpt-4o', text))
  })

  it('may ask another channel where an answer of status 200 is an error', async () => {
    useChannel({ provider: telegraphProvider() })
    upstream.answer = json({ fault: { number: 500, message: 'the wire is down' } })
    const answer = await ask(hi)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ fault: { number: 502 } })
    expect(gateway.parts.holds.ends.map(({ end }) => end)).toEqual(['released'])
  })

  it('gets a stream also where the upstream answers whole', async () => {
    useChannel({ provider: telegraphProvider() })
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answered)
    }
    expect(eventsIn(await (await ask({ ...hi, live: true })).text())).toEqual([
      { telegram: 't1', to: 'gpt-4o' },
      { text: 'Rain.' },
      { why: 'over' },
      { stop: true, fee: { in: 12, out: 4 } },
    ])
  })
})

describe('the paths of a fifth dialect', () => {
  it('refuses a bad request in its format, before any upstream is asked', async () => {
    const answer = await ask({ model: 'gpt-4o', lines: 'hi' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ fault: { number: 400, message: expect.stringContaining('lines') } })
    expect(upstream.received).toEqual([])
  })

  it('answers unknown paths under its prefix in its format', async () => {
    const answer = await ask({}, '/telegraph/pigeon')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toHaveProperty('fault')
  })

  it('counts the tokens of a prompt', async () => {
    const words = await counter.text('gpt-4o', 'How is the weather?')
    expect(await (await ask(hi, '/telegraph/count')).json()).toEqual({ words })
  })

  it('holds what the bound of the client may cost', async () => {
    upstream.answer = json(completion('It rains.'))
    const long = { ...hi, words: 4000 }
    await ask(long)
    const [hold] = gateway.parts.holds.ends
    // A token per byte at most, and the words.
    expect(hold?.amount).toBe(Math.ceil(JSON.stringify(long).length * 1.25 + 4000 * 5))
  })
})
