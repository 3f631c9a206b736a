import { generateKeyPairSync } from 'node:crypto'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { fromUtf8, toUtf8 } from '@smithy/util-utf8'
import { describe, expect, it } from 'vitest'
import type { RelayChannel } from '../../src/relay/ports.ts'
import {
  ask,
  channel,
  gateway,
  hiStream,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, done, json, type Received, stream } from '../support/gateway/upstream.ts'
import { testOptions } from '../support/relay/ports.ts'

useScene()

/** Claude and Gemini at hosts with envelopes, proofs and frames of their own. */

const codec = new EventStreamCodec(toUtf8, fromUtf8)

const frame = (kind: string, type: string, payload: object): Buffer =>
  Buffer.from(
    codec.encode({
      headers: {
        ':message-type': { type: 'string', value: kind },
        [`:${kind}-type`]: { type: 'string', value: type },
      },
      body: fromUtf8(JSON.stringify(payload)),
    }),
  )

const wrapped = (event: object): Buffer =>
  frame('event', 'chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') })

const frames =
  (...all: readonly Buffer[]) =>
  ({ response }: Received): void => {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
    response.end(Buffer.concat(all))
  }

const bedrock = (changes: Partial<RelayChannel> = {}) => channel({ type: 33, keys: ['AK|SK|us-east-1'], ...changes })

const model = 'claude-sonnet-4-5-20250929'
const question = { model, max_tokens: 100, messages: [{ role: 'user', content: 'hi' }], made_up: [1.0] }

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 12, cache_read_input_tokens: 30, cache_creation_input_tokens: 5, output_tokens: 3 },
}

const events = [
  { type: 'message_start', message: { ...message, content: [], usage: { ...message.usage, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hé' } },
  { type: 'made_up_event', index: 0 },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
]

const sse = (event: { type: string }): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

const id = 'us.anthropic.claude-sonnet-4-5-20250929-v1%3A0'

describe('a client of Anthropic at Bedrock', () => {
  it('sends and gets its own dialect; only the envelope changes', async () => {
    useChannels(bedrock())
    upstream.answer = json(message)
    const response = await ask(question, '/v1/messages')
    expect(await response.text()).toBe(JSON.stringify(message))
    expect(upstream.received[0]?.path).toBe(`/model/${id}/invoke`)
    expect(upstream.received[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AK\/\d{8}\/us-east-1\/bedrock\//,
    )
    expect(JSON.parse(sentBody())).toEqual({
      max_tokens: 100,
      messages: question.messages,
      made_up: [1],
      anthropic_version: 'bedrock-2023-05-31',
    })
    expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 3 })
  })

  it('gets every event of its stream, also unknown ones', async () => {
    useChannels(bedrock())
    upstream.answer = frames(...events.map(wrapped))
    const text = await (await ask({ ...question, stream: true }, '/v1/messages')).text()
    expect(text).toBe(events.map(sse).join(''))
    expect(upstream.received[0]?.path).toBe(`/model/${id}/invoke-with-response-stream`)
    expect(JSON.parse(sentBody())).not.toHaveProperty('stream')
    expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 3, isStream: true })
  })

  it('keeps the envelope also where bodies are to pass untouched', async () => {
    gateway.parts.settings = { ...testOptions, passThrough: true }
    useChannels(bedrock())
    upstream.answer = json(message)
    await ask(question, '/v1/messages')
    expect(JSON.parse(sentBody())).not.toHaveProperty('model')
  })

  it('gets an exception in the middle as an error of its dialect', async () => {
    useChannels(bedrock())
    const exception = frame('exception', 'modelStreamErrorException', { message: 'The model broke' })
    upstream.answer = frames(...events.slice(0, 3).map(wrapped), exception)
    const text = await (await ask({ ...question, stream: true }, '/v1/messages')).text()
    expect(text).toContain('"text":"Hé"')
    expect(text).toContain(
      'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"The model broke"}}',
    )
    expect(lastRecord()).toMatchObject({ kind: 'charge' })
  })
})

describe('an OpenAI client at Bedrock', () => {
  const nova = { ...hiStream, model: 'amazon.nova-lite-v1:0', stream_options: { include_usage: true } }

  it('uses Converse for all models but Claude', async () => {
    useChannels(bedrock())
    upstream.answer = frames(
      frame('event', 'messageStart', { role: 'assistant' }),
      frame('event', 'contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hello' } }),
      frame('event', 'messageStop', { stopReason: 'max_tokens' }),
      frame('event', 'metadata', { usage: { inputTokens: 4, outputTokens: 2, cacheReadInputTokens: 6 } }),
    )
    const text = await (await ask(nova)).text()
    expect(upstream.received[0]?.path).toBe('/model/amazon.nova-lite-v1%3A0/converse-stream')
    expect(text).toContain('"content":"Hello"')
    expect(text).toContain('"finish_reason":"length"')
    const [first = ''] = text.split('\n\n')
    expect(JSON.parse(first.slice(6))).toMatchObject({ id: lastRecord()?.id, model: nova.model })
    expect(JSON.parse(first.slice(6)).created).toBeGreaterThan(1_700_000_000)
    expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 2, other: { cache_tokens: 6 } })
  })

  it('is sent elsewhere when a stream begins with an exception', async () => {
    gateway.parts.settings = { ...testOptions, retryTimes: 1 }
    useChannels(bedrock({ priority: 1 }), channel({ id: 2 }))
    const exception = frames(frame('exception', 'throttlingException', { message: 'Too many requests' }))
    upstream.answer = (call) => (call.path.includes('/model/') ? exception(call) : stream(chunk('saved'), done)(call))
    expect(await (await ask(nova)).text()).toContain('saved')
    useChannels(bedrock())
    const refused = await ask(nova)
    expect(refused.status).toBe(429)
  })

  it.each([
    [403, 502, 'The security token included in the request is invalid.', '上游凭证无效'],
    [400, 400, 'The provided model identifier is invalid.', 'The provided model identifier is invalid.'],
  ])('reads why a call was refused, unless the channel’s key is: %i', async (status, expectedStatus, text, words) => {
    useChannels(bedrock())
    upstream.answer = json({ message: text }, status)
    const response = await ask({ ...nova, stream: false })
    expect(response.status).toBe(expectedStatus)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(words) } })
  })

  it('reads that the key is malformed, without the key', async () => {
    useChannels(bedrock({ keys: ['sk-some-other-key'] }))
    const response = await ask({ ...nova, stream: false })
    expect(response.status).toBe(502)
    expect(JSON.stringify([await response.json(), lastRecord()])).not.toContain('sk-some-other-key')
    expect(upstream.received).toHaveLength(0)
  })
})

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const vertex = (email: string) =>
  channel({
    type: 41,
    other: 'us-east5',
    keys: [
      JSON.stringify({
        project_id: 'p1',
        private_key_id: 'k',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        client_email: email,
        token_uri: `${upstream.url}/token`,
      }),
    ],
  })

const answerBehindToken =
  (answer: (call: Received) => void) =>
  (call: Received): void =>
    call.path === '/token' ? json({ access_token: 'ya29.x', expires_in: 3600 })(call) : answer(call)

describe('a client of Google at Vertex', () => {
  const path = '/v1beta/models/gemini-2.5-flash:generateContent'
  const contents = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
  const generated = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 2, thoughtsTokenCount: 5, totalTokenCount: 15 },
  }

  it('gets what its own provider answered, byte for byte, with a token that is fetched once', async () => {
    useChannels(vertex('native@x'))
    upstream.answer = answerBehindToken(json(generated))
    for (const _ of [1, 2]) expect(await (await ask(contents, path)).text()).toBe(JSON.stringify(generated))
    const place = '/v1beta1/projects/p1/locations/us-east5/publishers/google/models'
    expect(upstream.received.map((call) => call.path)).toEqual([
      '/token',
      `${place}/gemini-2.5-flash:generateContent`,
      `${place}/gemini-2.5-flash:generateContent`,
    ])
    expect(upstream.received[1]?.headers.authorization).toBe('Bearer ya29.x')
    expect(sentBody()).toBe(JSON.stringify(contents))
    expect(lastRecord()).toMatchObject({ promptTokens: 8, completionTokens: 7 })
  })

  it('reads that no access token could be fetched', async () => {
    useChannels(vertex('refused@x'))
    upstream.answer = json({ error: 'invalid_grant' }, 400)
    const response = await ask(contents, path)
    expect(response.status).toBe(502)
    expect(lastRecord()?.other).toMatchObject({ admin_info: { cause: expect.stringContaining('invalid_grant') } })
  })
})

it('passes Claude’s dialect through at Vertex, streams and betas included', async () => {
  useChannels(vertex('claude@x'))
  upstream.answer = answerBehindToken(stream(...events.map(sse)))
  const response = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'sk-good', 'anthropic-version': '2023-06-01', 'anthropic-beta': 'context-1m-2025-08-07' },
    body: JSON.stringify({ ...question, stream: true }),
  })
  expect(await response.text()).toBe(events.map(sse).join(''))
  const [, call] = upstream.received
  expect(call?.path).toBe(
    '/v1/projects/p1/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict',
  )
  expect(call?.headers['anthropic-beta']).toBe('context-1m-2025-08-07')
  expect(call?.headers['x-api-key']).toBeUndefined()
  expect(JSON.parse(sentBody())).toEqual({
    max_tokens: 100,
    messages: question.messages,
    made_up: [1],
    stream: true,
    anthropic_version: 'vertex-2023-10-16',
  })
})
