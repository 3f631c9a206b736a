import { describe, expect, it } from 'vitest'
import { testOptions } from '../relay/testing-ports.ts'
import {
  ask,
  channel,
  door,
  hi,
  hiStream,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from './testing-scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from './testing-upstream.ts'

useScene()

/** A client of one dialect in front of a channel that speaks another, or the same. */

const claude = () => channel({ type: 14 })

const question = {
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'hi' }],
}

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 12, cache_read_input_tokens: 30, cache_creation_input_tokens: 5, output_tokens: 3 },
}

const named = (type: string, its: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...its })}\n\n`

const messageStream = [
  named('message_start', {
    message: { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } },
  }),
  named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  named('ping', {}),
  named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Say "message_stop"' } }),
  named('content_block_stop', { index: 0 }),
  named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } }),
  named('message_stop', {}),
]

const eventsIn = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)))

describe('an Anthropic client', () => {
  it('gets what its own provider answered, byte for byte, and pays for each kind of token', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    const response = await ask(question, '/v1/messages')
    expect(await response.text()).toBe(JSON.stringify(message))
    expect(sentBody()).toBe(JSON.stringify(question))
    expect(upstream.received[0]?.headers).toMatchObject({
      'x-api-key': 'channel-key',
      'anthropic-version': '2023-06-01',
    })
    expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 3 })
    expect(lastRecord()?.receipt?.lines.map(({ item, quantity }) => [item, quantity])).toEqual([
      ['input', 12],
      ['cache_read', 30],
      ['cache_write', 5],
      ['output', 3],
    ])
  })

  it('hears its own provider’s stream byte for byte, whatever its texts say', async () => {
    useChannels(claude())
    upstream.answer = stream(...messageStream)
    const response = await ask({ ...question, stream: true }, '/v1/messages')
    expect(await response.text()).toBe(messageStream.join(''))
    expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 3, isStream: true })
  })

  it('is told when its provider’s stream was cut off', async () => {
    useChannels(claude())
    upstream.answer = stream(...messageStream.slice(0, 4))
    const text = await (await ask({ ...question, stream: true }, '/v1/messages')).text()
    expect(text).not.toContain('event: message_stop')
    expect(eventsIn(text).at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } })
  })

  it.each(['/v1/messages', '/v1/chat/completions'])(
    'pays for what was said in a stream that was cut off: %s',
    async (path) => {
      useChannels(claude())
      upstream.answer = ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const event of messageStream.slice(0, 4)) response.write(event)
        setImmediate(() => response.destroy())
      }
      await (await ask({ ...question, stream: true }, path)).text()
      // The input as reported, and the 18 letters that the test's counter counts; the upstream had reported 1.
      expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 18, receipt: { estimated: true } })
    },
  )

  it('may speak to any provider of chat completions', async () => {
    upstream.answer = json(completion('Hello'))
    const response = await ask({ ...question, model: 'gpt-4o', top_k: 5 }, '/v1/messages')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'gpt-4o',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hi' },
      ],
      max_completion_tokens: 100,
    })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('top_k')
    expect(await response.json()).toEqual({
      id: 'x',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hello', citations: null }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: 5,
      },
    })
    expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 5, other: { lost_fields: ['top_k'] } })
  })

  it('hears a chat completion as the events of a message', async () => {
    const finish = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}\n\n'
    upstream.answer = stream(chunk('one '), chunk('two'), finish, usageChunk(3, 4), done)
    const text = await (await ask({ ...question, model: 'gpt-4o', stream: true }, '/v1/messages')).text()
    expect(eventsIn(text)).toMatchObject([
      { type: 'message_start', message: { id: 'c', role: 'assistant', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
      { type: 'content_block_delta', delta: { text: 'one ' } },
      { type: 'content_block_delta', delta: { text: 'two' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'max_tokens' },
        usage: { input_tokens: 3, output_tokens: 4 },
      },
      { type: 'message_stop' },
    ])
    expect(lastRecord()).toMatchObject({ promptTokens: 3, completionTokens: 4 })
  })

  it('hears a whole answer as a stream where the upstream gave none', async () => {
    upstream.answer = json(completion('Hello'))
    const text = await (await ask({ ...question, model: 'gpt-4o', stream: true }, '/v1/messages')).text()
    expect(eventsIn(text).map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
  })

  it('is told of an estimated usage too', async () => {
    const finish = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    upstream.answer = stream(chunk('counted'), finish, done)
    const text = await (await ask({ ...question, model: 'gpt-4o', stream: true }, '/v1/messages')).text()
    const told = eventsIn(text).find(({ type }) => type === 'message_delta')
    expect(told).toMatchObject({ usage: { output_tokens: lastRecord()?.completionTokens } })
    expect(lastRecord()?.completionTokens).toBeGreaterThan(0)
  })

  it('reads errors in its own words', async () => {
    upstream.answer = json({ error: { message: 'slow down', type: 'rate_limited', code: null } }, 400)
    const response = await ask({ ...question, model: 'gpt-4o' }, '/v1/messages')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining('slow down') },
    })
  })
})

describe('an OpenAI client', () => {
  it('may speak to Anthropic', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    const response = await ask({ ...hi, model: 'claude-sonnet-4-5', max_tokens: 9, seed: 1 })
    expect(upstream.received[0]?.path).toBe('/v1/messages')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('seed')
    expect(await response.json()).toMatchObject({
      id: 'msg_1',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 47, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 30 } },
    })
    expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 3 })
  })

  it.each([true, false])('hears Anthropic’s stream as chunks, usage asked for: %s', async (include_usage) => {
    useChannels(claude())
    upstream.answer = stream(...messageStream)
    const asked = { ...hiStream, model: 'claude-sonnet-4-5', stream_options: { include_usage } }
    const text = await (await ask(asked)).text()
    const events = eventsIn(text)
    expect(events.slice(0, 2)).toMatchObject([
      {
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Say "message_stop"' } }],
      },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ])
    expect(events.length).toBe(include_usage ? 3 : 2)
    if (include_usage)
      expect(events[2]).toMatchObject({ choices: [], usage: { prompt_tokens: 47, completion_tokens: 3 } })
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(lastRecord()).toMatchObject({ promptTokens: 47, completionTokens: 3 })
  })

  it('is sent to another channel when Anthropic begins with an error, and told of one in the middle', async () => {
    const failing = named('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })
    door.parts.settings = { ...testOptions, retryTimes: 1 }
    useChannels({ ...claude(), priority: 1 }, channel({ id: 2 }))
    const answers = [stream(messageStream[0] ?? '', failing), stream(chunk('saved'), done)]
    upstream.answer = (call) => answers[call.path === '/v1/messages' ? 0 : 1]?.(call)
    const text = await (await ask(hiStream)).text()
    expect(text).toContain('saved')
    expect(text).not.toContain('Overloaded')
    useChannels(claude())
    upstream.answer = stream(...messageStream.slice(0, 4), failing)
    const broken = eventsIn(await (await ask(hiStream)).text())
    expect(broken.at(-1)).toMatchObject({ error: { message: expect.stringContaining('Overloaded') } })
  })

  it('is told when no channel of a model takes such a call', async () => {
    useChannels(claude())
    const response = await ask({ model: 'claude-sonnet-4-5', input: 'x' }, '/v1/embeddings')
    expect(response.status).toBe(501)
    expect(upstream.received).toHaveLength(0)
  })
})

const gemini = () => channel({ type: 24 })

const contents = {
  contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  generationConfig: { maxOutputTokens: 50, topK: 3 },
}

const generated = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 2, thoughtsTokenCount: 5, totalTokenCount: 15 },
  modelVersion: 'gemini-2.5-flash',
  responseId: 'r1',
}

const dataOf = (value: unknown): string => `data: ${JSON.stringify(value)}\r\n\r\n`
const generatedStream = [
  dataOf({ ...generated, candidates: [{ content: { role: 'model', parts: [{ text: 'Hel' }] }, index: 0 }] }),
  dataOf({
    ...generated,
    candidates: [{ content: { role: 'model', parts: [{ text: 'lo' }] }, finishReason: 'STOP', index: 0 }],
  }),
]

describe('a Gemini client', () => {
  it('gets what its own provider answered, byte for byte', async () => {
    useChannels(gemini())
    upstream.answer = json(generated)
    const response = await ask(contents, '/v1beta/models/gemini-2.5-flash:generateContent')
    expect(await response.text()).toBe(JSON.stringify(generated))
    expect(upstream.received[0]?.path).toBe('/v1beta/models/gemini-2.5-flash:generateContent')
    expect(sentBody()).toBe(JSON.stringify(contents))
    expect(lastRecord()).toMatchObject({ model: 'gemini-2.5-flash', promptTokens: 8, completionTokens: 7 })
  })

  it('hears its own provider’s stream, as events or as one list', async () => {
    useChannels(gemini())
    upstream.answer = stream(...generatedStream)
    const path = '/v1beta/models/gemini-2.5-flash:streamGenerateContent'
    expect(await (await ask(contents, `${path}?alt=sse`)).text()).toBe(generatedStream.join(''))
    expect(upstream.received[0]?.path).toBe(`${path}?alt=sse`)
    const listed = await ask(contents, path)
    expect(listed.headers.get('content-type')).toContain('application/json')
    expect(await listed.json()).toMatchObject([{ responseId: 'r1' }, { candidates: [{ finishReason: 'STOP' }] }])
    expect(lastRecord()).toMatchObject({ promptTokens: 8, completionTokens: 7, isStream: true })
  })

  it('may speak to any provider of chat completions, and to Anthropic', async () => {
    upstream.answer = json(completion('Hello'))
    const path = '/v1beta/models/gpt-4o:generateContent'
    const response = await ask(contents, path)
    expect(JSON.parse(sentBody())).toEqual({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'hi' }],
      max_completion_tokens: 50,
    })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('top_k')
    expect(await response.json()).toMatchObject({
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    })
    useChannels(claude())
    upstream.answer = stream(...messageStream)
    const events = eventsIn(
      await (await ask(contents, '/v1beta/models/claude-sonnet-4-5:streamGenerateContent?alt=sse')).text(),
    )
    expect(events).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'Say "message_stop"' }] } }] },
      { candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 47, cachedContentTokenCount: 30 } },
    ])
  })

  it('reads errors in its own words', async () => {
    upstream.answer = json({ error: { message: 'no', type: 'x', code: null } }, 400)
    const response = await ask(contents, '/v1beta/models/gpt-4o:generateContent')
    expect(await response.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
  })
})

it('lets an OpenAI client speak to Gemini', async () => {
  useChannels(gemini())
  upstream.answer = json(generated)
  const response = await ask({ ...hi, model: 'gemini-2.5-flash' })
  expect(JSON.parse(sentBody())).toMatchObject({
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    safetySettings: expect.arrayContaining([{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }]),
  })
  expect(await response.json()).toMatchObject({
    choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 8, completion_tokens: 7, completion_tokens_details: { reasoning_tokens: 5 } },
  })
  upstream.answer = stream(...generatedStream)
  const events = eventsIn(await (await ask({ ...hiStream, model: 'gemini-2.5-flash' })).text())
  expect(events).toMatchObject([
    { choices: [{ delta: { content: 'Hel' } }] },
    { choices: [{ delta: { content: 'lo' } }] },
    { choices: [{ finish_reason: 'stop' }] },
  ])
})

const respond = { model: 'gpt-4o', input: 'hi', instructions: 'Be brief.', max_output_tokens: 40 }

const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 7,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'gpt-4o',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
    },
  ],
  usage: {
    input_tokens: 11,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 13,
  },
}

const responseStream = [
  named('response.created', { response: { ...response, output: [], usage: null } }),
  named('response.output_text.delta', { output_index: 0, delta: '"type":"response.completed"' }),
  named('response.completed', { response }),
]

describe('a client of the responses', () => {
  it('gets what its own provider answered, byte for byte', async () => {
    upstream.answer = json(response)
    const answered = await ask(respond, '/v1/responses')
    expect(await answered.text()).toBe(JSON.stringify(response))
    expect(sentBody()).toBe(JSON.stringify(respond))
    expect(lastRecord()).toMatchObject({ promptTokens: 11, completionTokens: 2 })
    upstream.answer = stream(...responseStream)
    const streamed = await ask({ ...respond, stream: true }, '/v1/responses')
    expect(await streamed.text()).toBe(responseStream.join(''))
    expect(lastRecord()).toMatchObject({ promptTokens: 11, completionTokens: 2, isStream: true })
  })

  it('may speak to Anthropic', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    const answered = await ask({ ...respond, model: 'claude-sonnet-4-5' }, '/v1/responses')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 40,
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(await answered.json()).toMatchObject({
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }],
      usage: { input_tokens: 47, input_tokens_details: { cached_tokens: 30 }, output_tokens: 3 },
    })
    upstream.answer = stream(...messageStream)
    const text = await (await ask({ ...respond, stream: true, model: 'claude-sonnet-4-5' }, '/v1/responses')).text()
    expect(eventsIn(text).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
  })

  it('is told that only its own provider can continue what it keeps', async () => {
    useChannels(claude())
    const answered = await ask({ ...respond, previous_response_id: 'resp_0' }, '/v1/responses')
    expect(answered.status).toBe(400)
    expect(await answered.json()).toMatchObject({
      error: { message: expect.stringContaining('previous_response_id') },
    })
    expect(upstream.received).toHaveLength(0)
  })
})

describe('a Claude model whose name ends in -thinking', () => {
  it('thinks with the operator’s share of the bound, whoever asks', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    const model = 'claude-3-7-sonnet-20250219-thinking'
    await ask({ ...hi, model, max_tokens: 10_000, temperature: 0.2 })
    expect(JSON.parse(sentBody())).toMatchObject({
      model: 'claude-3-7-sonnet-20250219',
      max_tokens: 10_000,
      temperature: 1,
      thinking: { type: 'enabled', budget_tokens: 8000 },
    })
    await ask({ ...question, model, max_tokens: undefined, top_p: 0.5 }, '/v1/messages')
    const sent = JSON.parse(sentBody())
    expect(sent).toMatchObject({
      model: 'claude-3-7-sonnet-20250219',
      max_tokens: 8192,
      thinking: { type: 'enabled', budget_tokens: 6553 },
    })
    expect(sent).not.toHaveProperty('top_p')
  })
})

describe('tokens of a prompt', () => {
  it('are counted by a provider that speaks the client’s dialect, free of charge', async () => {
    useChannels(claude())
    upstream.answer = json({ input_tokens: 14 })
    const counted = { model: 'claude-sonnet-4-5', messages: question.messages }
    const answer = await ask(counted, '/v1/messages/count_tokens')
    expect(await answer.json()).toEqual({ input_tokens: 14 })
    expect(sentBody()).toBe(JSON.stringify(counted))
    useChannels(gemini())
    upstream.answer = json({ totalTokens: 3 })
    const path = '/v1beta/models/gemini-2.5-flash:countTokens'
    expect(await (await ask({ contents: contents.contents }, path)).json()).toEqual({ totalTokens: 3 })
    expect(upstream.received.map((call) => call.path)).toEqual(['/v1/messages/count_tokens', path])
    expect(door.parts.recorder.records).toHaveLength(0)
  })

  it('are counted here where nobody else can', async () => {
    const counted = { model: 'gpt-4o', messages: [{ role: 'user', content: 'one two three' }] }
    const { input_tokens } = (await (await ask(counted, '/v1/messages/count_tokens')).json()) as {
      input_tokens: number
    }
    expect(input_tokens).toBeGreaterThan(2)
    const path = '/v1beta/models/gpt-4o:countTokens'
    const asked = { contents: [{ parts: [{ text: 'one two three' }] }] }
    const { totalTokens } = (await (await ask(asked, path)).json()) as { totalTokens: number }
    expect(totalTokens).toBeGreaterThan(2)
    expect(upstream.received).toHaveLength(0)
  })
})

describe('the list of models', () => {
  const list = (path: string, headers: Record<string, string>) => fetch(door.url + path, { headers })

  it('comes in the shape of the asking dialect', async () => {
    useChannels(channel({ models: new Set(['claude-x', 'gpt-4o']) }))
    const key = { authorization: 'Bearer sk-good' }
    expect(await (await list('/v1/models', key)).json()).toMatchObject({
      object: 'list',
      data: [{ id: 'claude-x' }, { id: 'gpt-4o' }],
    })
    const asAnthropic = { 'x-api-key': 'sk-good', 'anthropic-version': '2023-06-01' }
    expect(await (await list('/v1/models', asAnthropic)).json()).toMatchObject({
      data: [{ type: 'model', id: 'claude-x', display_name: 'claude-x' }, { id: 'gpt-4o' }],
      has_more: false,
      first_id: 'claude-x',
      last_id: 'gpt-4o',
    })
    expect(await (await list('/v1/models/gpt-4o', asAnthropic)).json()).toMatchObject({ type: 'model', id: 'gpt-4o' })
    expect(await (await list('/v1beta/models?key=sk-good', {})).json()).toMatchObject({
      models: [{ name: 'models/claude-x' }, { name: 'models/gpt-4o', supportedGenerationMethods: expect.anything() }],
    })
    expect(await (await list('/v1beta/models/gpt-4o', { 'x-goog-api-key': 'sk-good' })).json()).toMatchObject({
      name: 'models/gpt-4o',
    })
    const missing = await list('/v1beta/models/none', { 'x-goog-api-key': 'sk-good' })
    expect(missing.status).toBe(404)
    expect(await missing.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } })
  })
})

it('refuses what would be lost for groups that want nothing lost, unless another channel can say it', async () => {
  door.parts.settings = { ...testOptions, strictGroups: new Set(['default']) }
  useChannels(claude())
  const asked = { ...hi, model: 'claude-sonnet-4-5', seed: 1 }
  const refused = await ask(asked)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('seed') } })
  expect(upstream.received).toHaveLength(0)
  useChannels({ ...claude(), priority: 5 }, channel({ id: 2 }))
  upstream.answer = json(completion('Hello'))
  expect((await ask(asked)).status).toBe(200)
  expect(upstream.received[0]?.path).toBe('/v1/chat/completions')
})

describe('a response that its provider keeps', () => {
  const two = () => [
    channel({ id: 1, keys: ['key-one'], models: new Set(['gpt-4o']) }),
    channel({ id: 2, keys: ['key-two', 'key-three'], models: new Set(['gpt-4o']) }),
  ]
  const keyOf = (at: number) => upstream.received.at(at)?.headers.authorization
  const about = (method: string, path: string) =>
    fetch(door.url + path, { method, headers: { authorization: 'Bearer sk-good' } })

  it('is continued by the channel and the key that keep it, streamed or not', async () => {
    useChannels(...two())
    upstream.answer = json(response)
    await ask(respond, '/v1/responses')
    for (let time = 0; time < 6; time += 1) await ask({ ...respond, previous_response_id: 'resp_1' }, '/v1/responses')
    expect(new Set(upstream.received.map(({ headers }) => headers.authorization)).size).toBe(1)
    upstream.answer = stream(...responseStream.map((event) => event.replaceAll('resp_1', 'resp_2')))
    await (await ask({ ...respond, stream: true }, '/v1/responses')).text()
    const keeper = keyOf(-1)
    upstream.answer = json(response)
    for (let time = 0; time < 6; time += 1) {
      await ask({ ...respond, previous_response_id: 'resp_2' }, '/v1/responses')
      expect(keyOf(-1)).toBe(keeper)
    }
  })

  it('can be read, listed, cancelled and deleted there, for nothing, by its owner', async () => {
    useChannels(...two())
    upstream.answer = json(response)
    await ask(respond, '/v1/responses')
    const keeper = keyOf(-1)
    const recorded = door.parts.recorder.records.length
    upstream.answer = json({ id: 'resp_1', deleted: true })
    for (const [method, path] of [
      ['GET', '/v1/responses/resp_1?include[]=x'],
      ['GET', '/v1/responses/resp_1/input_items'],
      ['POST', '/v1/responses/resp_1/cancel'],
      ['DELETE', '/v1/responses/resp_1'],
    ] as const) {
      expect(await (await about(method, path)).json()).toEqual({ id: 'resp_1', deleted: true })
      expect([upstream.received.at(-1)?.path, keyOf(-1)]).toEqual([path, keeper])
    }
    expect(door.parts.recorder.records).toHaveLength(recorded)
    const seen = upstream.received.length
    const unknown = await about('GET', '/v1/responses/resp_9')
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({ error: { message: expect.stringContaining('resp_9') } })
    expect(upstream.received).toHaveLength(seen)
  })

  it('is not remembered when the client asks for that', async () => {
    useChannels(...two())
    upstream.answer = json(response)
    await ask({ ...respond, store: false }, '/v1/responses')
    expect((await about('GET', '/v1/responses/resp_1')).status).toBe(404)
  })
})
