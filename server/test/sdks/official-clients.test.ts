import { describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  hi,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'

/** Calls of official SDKs of other providers, at a channel of OpenAI's form. */

useScene()

const call = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sk-good',
      'content-type': 'application/json',
      'accept-language': 'en',
      ...headers,
    },
    body: JSON.stringify(body),
  })
const sent = (): Record<string, unknown> => JSON.parse(sentBody()) as Record<string, unknown>
const dataOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)

const toolCalls = [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }]
const calling = {
  ...completion(''),
  choices: [
    { index: 0, message: { role: 'assistant', content: null, tool_calls: toolCalls }, finish_reason: 'tool_calls' },
  ],
}
const toolDelta = (delta: Record<string, unknown>): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...delta }] } }] })}\n\n`

describe('Cohere’s chat, version 2', () => {
  const asked = {
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'hi' },
    ],
  }

  it('is answered in its form', async () => {
    upstream.answer = json(completion('hello'))
    const response = await call('/v2/chat', { ...asked, p: 0.5, k: 3, stop_sequences: ['.'], max_tokens: 7 })
    expect(await response.json()).toEqual({
      id: 'x',
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text: 'hello' }] },
      usage: { billed_units: { input_tokens: 10, output_tokens: 5 }, tokens: { input_tokens: 10, output_tokens: 5 } },
    })
    expect(sent()).toMatchObject({ ...asked, top_p: 0.5, stop: ['.'], max_tokens: 7 })
    expect(lastRecord()).toMatchObject({ kind: 'charge', promptTokens: 10, completionTokens: 5 })
  })

  it('calls tools and takes their results', async () => {
    upstream.answer = json(calling)
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }]
    const answer = (await (await call('/v2/chat', { ...asked, tools, tool_choice: 'REQUIRED' })).json()) as {
      message: Record<string, unknown>
    }
    expect(answer).toMatchObject({ finish_reason: 'TOOL_CALL', message: { tool_calls: toolCalls } })
    expect(sent()).toMatchObject({ tools, tool_choice: 'required' })
    upstream.answer = json(completion('cold'))
    const result = { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'document', document: { data: '-5' } }] }
    await call('/v2/chat', { ...asked, tools, messages: [...asked.messages, answer.message, result] })
    expect(sent().messages).toMatchObject([
      {},
      {},
      { role: 'assistant', tool_calls: toolCalls },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: '"-5"' }] },
    ])
  })

  it('streams its events', async () => {
    upstream.answer = stream(chunk('hel'), chunk('lo'), usageChunk(10, 5), done)
    const response = await call('/v2/chat', { ...asked, stream: true })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const events = dataOf(await response.text())
    expect(events.map(({ type }) => type)).toEqual([
      'message-start',
      'content-start',
      'content-delta',
      'content-delta',
      'content-end',
      'message-end',
    ])
    expect(events[2]).toMatchObject({ index: 0, delta: { message: { content: { text: 'hel' } } } })
    expect(events.at(-1)).toMatchObject({
      delta: { finish_reason: 'COMPLETE', usage: { tokens: { input_tokens: 10, output_tokens: 5 } } },
    })
    expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 5 })
  })

  it('streams calls of tools', async () => {
    upstream.answer = stream(
      toolDelta({ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }),
      toolDelta({ function: { arguments: '{"city":"Oslo"}' } }),
      usageChunk(10, 5),
      done,
    )
    const events = dataOf(await (await call('/v2/chat', { ...asked, stream: true })).text())
    expect(events.map(({ type }) => type)).toEqual([
      'message-start',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'message-end',
    ])
    expect(events.at(-1)).toMatchObject({ delta: { finish_reason: 'TOOL_CALL' } })
  })

  it.each([
    [{ type: 'enabled' }, 'high'],
    [{ type: 'enabled', token_budget: 1_000 }, 'low'],
    [{ type: 'enabled', token_budget: 8_000 }, 'medium'],
    [{ type: 'disabled' }, 'none'],
  ])('asks for thoughts by an effort, which OpenAI takes: %o', async (thinking, effort) => {
    upstream.answer = json(completion('hello'))
    useChannels(channel({ type: 8 }))
    await call('/v2/chat', { ...asked, thinking })
    expect(sent()).toMatchObject({ reasoning_effort: effort })
    expect(sent()).not.toHaveProperty('thinking')
  })

  it('ends a stream that breaks off with an event that its clients know', async () => {
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('hel'), () => response.socket?.resetAndDestroy())
    }
    const events = dataOf(await (await call('/v2/chat', { ...asked, stream: true })).text())
    expect(events.map(({ type }) => type)).toEqual([
      'message-start',
      'content-start',
      'content-delta',
      'content-end',
      'message-end',
    ])
    expect(events.at(-1)).toMatchObject({ delta: { finish_reason: 'ERROR', error: expect.any(String) } })
  })

  it('refuses in its own words', async () => {
    const response = await call('/v2/chat', { ...asked, documents: ['a'] })
    expect(response.status).toBe(400)
    expect(Object.keys((await response.json()) as object)).toEqual(['message'])
  })
})

describe('Cohere’s chat, version 1', () => {
  const asked = {
    model: 'gpt-4o',
    preamble: 'be brief',
    chat_history: [
      { role: 'USER', message: 'hi' },
      { role: 'CHATBOT', message: 'hello' },
    ],
    message: 'and now?',
  }

  it('is answered in its form', async () => {
    upstream.answer = json(completion('good bye'))
    const answer = (await (await call('/v1/chat', asked)).json()) as object
    expect(answer).toMatchObject({
      text: 'good bye',
      finish_reason: 'COMPLETE',
      meta: { tokens: { input_tokens: 10, output_tokens: 5 } },
    })
    expect(sent().messages).toEqual([
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
      { role: 'user', content: 'and now?' },
    ])
  })

  it('streams lines', async () => {
    upstream.answer = stream(chunk('hel'), chunk('lo'), usageChunk(10, 5), done)
    const text = await (await call('/v1/chat', { ...asked, stream: true })).text()
    const events = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(events.map(({ event_type: type }) => type)).toEqual([
      'stream-start',
      'text-generation',
      'text-generation',
      'stream-end',
    ])
    expect(events.at(-1)).toMatchObject({ is_finished: true, response: { text: 'hello' } })
  })
})

describe('embeddings', () => {
  const vectors = {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2] }],
    usage: { prompt_tokens: 3, total_tokens: 3 },
  }

  it.each([
    ['/v2/embed', { float: [[0.1, 0.2]] }, 'embeddings_by_type'],
    ['/v1/embed', [[0.1, 0.2]], 'embeddings_floats'],
  ])('of Cohere at %s', async (path, embeddings, type) => {
    upstream.answer = json(vectors)
    const answer = await (await call(path, { model: 'gpt-4o', texts: ['hi'], input_type: 'search_query' })).json()
    expect(answer).toMatchObject({ embeddings, response_type: type, meta: { billed_units: { input_tokens: 3 } } })
    expect(sent()).toEqual({ model: 'gpt-4o', input: ['hi'] })
    expect(lastRecord()).toMatchObject({ promptTokens: 3 })
  })

  it('have the id that Mistral’s clients want', async () => {
    upstream.answer = json(vectors)
    const agent = { 'user-agent': 'mistral-client-python/3.7.0' }
    const answer = (await (await call('/v1/embeddings', { model: 'gpt-4o', input: ['hi'] }, agent)).json()) as object
    expect(answer).toMatchObject({ ...vectors, id: expect.any(String) })
  })

  it('have the usage of each that GigaChat’s clients want', async () => {
    upstream.answer = json(vectors)
    const agent = { 'user-agent': 'GigaChat-python-lib' }
    const answer = await (await call('/v1/embeddings', { model: 'gpt-4o', input: ['hi'] }, agent)).json()
    expect(answer).toMatchObject({ data: [{ usage: { prompt_tokens: 3 } }] })
  })

  it('keep their bytes for everybody else', async () => {
    const bytes = '{"object":"list", "data":[], "usage":{"prompt_tokens":3}}'
    upstream.answer = ({ response }) => void response.writeHead(200, { 'content-type': 'application/json' }).end(bytes)
    expect(await (await ask({ model: 'gpt-4o', input: 'hi' }, '/v1/embeddings')).text()).toBe(bytes)
  })
})

describe('Voyage’s reranking', () => {
  const agent = { 'user-agent': 'voyageai/v1 PythonBindings/0.5.0' }
  const asked = { model: 'gpt-4o', query: 'q', documents: ['a', 'b'], top_k: 1, truncation: true }

  it('is answered in its form', async () => {
    upstream.answer = json({
      model: 'gpt-4o',
      results: [{ index: 1, relevance_score: 0.9, document: { text: 'b' } }],
      usage: { total_tokens: 8 },
    })
    const answer = await (await call('/v1/rerank', asked, agent)).json()
    expect(answer).toEqual({
      object: 'list',
      data: [{ index: 1, relevance_score: 0.9, document: 'b' }],
      model: 'gpt-4o',
      usage: { total_tokens: 8 },
    })
    expect(sent()).toEqual({ model: 'gpt-4o', query: 'q', documents: ['a', 'b'], top_n: 1 })
  })

  it('reads errors from detail', async () => {
    upstream.answer = json({ error: { message: 'out of memory' } }, 500)
    const response = await call('/v1/rerank', asked, agent)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(await response.json()).toEqual({ detail: expect.any(String) })
  })
})

describe('Voyage’s client that names nothing but its library', () => {
  const agent = { 'user-agent': 'python-requests/2.34.2' }
  const ranked = { model: 'gpt-4o', results: [{ index: 1, relevance_score: 0.9 }], usage: { total_tokens: 8 } }

  it('is known by what it sends, and answered in its form', async () => {
    upstream.answer = json(ranked)
    const body = { model: 'gpt-4o', query: 'q', documents: ['a', 'b'], top_k: null, truncation: true }
    expect(await (await call('/v1/rerank', body, agent)).json()).toEqual({
      object: 'list',
      data: ranked.results,
      model: 'gpt-4o',
      usage: { total_tokens: 8 },
    })
    expect(sent()).toEqual({ model: 'gpt-4o', query: 'q', documents: ['a', 'b'] })
  })

  it.each([{ top_n: 1 }, {}, { top_n: 1, top_k: 1, truncation: true }])('is not anybody who sends %o', async (more) => {
    const bytes = JSON.stringify(ranked, undefined, 1)
    upstream.answer = ({ response }) => void response.writeHead(200, { 'content-type': 'application/json' }).end(bytes)
    const body = { model: 'gpt-4o', query: 'q', documents: ['a', 'b'], ...more }
    expect(await (await call('/v1/rerank', body, agent)).text()).toBe(bytes)
  })

  it.each(['/v1/rerank', '/v1/embeddings'])(
    'finds the error of %s in detail, and others where they look',
    async (path) => {
      const headers = { ...agent, authorization: 'Bearer sk-bad' }
      const response = await call(path, { model: 'gpt-4o', input: ['a'] }, headers)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({
        detail: expect.any(String),
        error: { message: expect.any(String) },
      })
    },
  )
})

describe('Mistral’s clients', () => {
  const asked = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], stream: true }
  const agents = ['mistral-client-python/3.7.0', 'mistral-client-typescript/2.7.0']
  const piece = (delta: Record<string, unknown>, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const part = (index: number, more: object) => piece({ tool_calls: [{ index, ...more }] })

  it.each(agents)('get each call of a tool whole: %s', async (agent) => {
    upstream.answer = stream(
      piece({ role: 'assistant', content: '' }),
      piece({ content: 'Look.' }),
      part(0, { id: 'call_1', type: 'function', function: { name: 'a', arguments: '' } }),
      part(0, { function: { arguments: '{"x":' } }),
      part(0, { function: { arguments: '1}' } }),
      part(1, { id: 'call_2', type: 'function', function: { name: 'b', arguments: '' } }),
      piece({}, 'tool_calls'),
      usageChunk(10, 5),
      done,
    )
    const text = await (await call('/v1/chat/completions', asked, { 'user-agent': agent })).text()
    const deltas = dataOf(text).flatMap(({ choices }) => (choices as { delta: { tool_calls?: unknown } }[]) ?? [])
    expect(deltas.flatMap(({ delta }) => delta.tool_calls ?? [])).toEqual([
      { id: 'call_1', type: 'function', index: 0, function: { name: 'a', arguments: '{"x":1}' } },
      { id: 'call_2', type: 'function', index: 1, function: { name: 'b', arguments: '{}' } },
    ])
    expect(deltas.filter(({ delta }) => delta.tool_calls !== undefined)).toHaveLength(1)
    expect(text).toContain('"content":"Look."')
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 5 })
  })

  it('say of an answer that it is no prefix, and OpenAI is not told', async () => {
    upstream.answer = json(completion('hello'))
    const [user] = asked.messages
    const messages = (given: object) => [user, { role: 'assistant', content: 'hello', ...given }, user]
    const send = (given: object) =>
      call(
        '/v1/chat/completions',
        { ...asked, stream: false, messages: messages(given) },
        { 'user-agent': agents[0] ?? '' },
      )
    await send({ prefix: false })
    expect(sent().messages).toEqual(messages({}))
    await send({ prefix: true })
    expect(sent().messages).toEqual(messages({ prefix: true }))
  })

  it('are the only ones', async () => {
    const events = [
      part(0, { id: 'call_1', type: 'function', function: { name: 'a', arguments: '' } }),
      piece({}, 'stop'),
    ]
    upstream.answer = stream(...events, usageChunk(10, 5), done)
    const text = await (await call('/v1/chat/completions', asked, { 'user-agent': 'OpenAI/Python 3.57.0' })).text()
    expect(text).toContain(events.join(''))
  })

  it('get whole answers as they came', async () => {
    const bytes = JSON.stringify(completion('hello'), undefined, 1)
    upstream.answer = ({ response }) => void response.writeHead(200, { 'content-type': 'application/json' }).end(bytes)
    const agent = { 'user-agent': agents[0] ?? '' }
    expect(await (await call('/v1/chat/completions', { ...asked, stream: false }, agent)).text()).toBe(bytes)
  })
})

describe('paths', () => {
  it('of Ark lead to the same calls', async () => {
    upstream.answer = json(completion('hello'))
    const response = await call('/api/v3/chat/completions', hi)
    expect(await response.json()).toEqual(completion('hello'))
    expect(upstream.received.at(-1)?.path).toBe('/v1/chat/completions')
  })

  it('of Mistral’s FIM pass', async () => {
    upstream.answer = json(completion('return 1'))
    useChannels(channel({ type: 42 }))
    const body = { model: 'gpt-4o', prompt: 'def f():', suffix: 'end' }
    expect(await (await call('/v1/fim/completions', body)).json()).toEqual(completion('return 1'))
    expect(upstream.received.at(-1)?.path).toBe('/v1/fim/completions')
    expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 5 })
  })

  it.each([
    ['/v1beta/tunedModels/mine-7:generateContent', 'tunedModels/mine-7', '/v1beta/tunedModels/mine-7:generateContent'],
    ['/v1beta/publishers/google/models/gpt-4o:generateContent', 'gpt-4o', '/v1beta/models/gpt-4o:generateContent'],
  ])('of Google such as %s are called', async (path, model, at) => {
    upstream.answer = json({
      candidates: [{ content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 2 },
    })
    useChannels(channel({ type: 24, models: new Set([model]) }))
    const response = await call(path, { contents: [{ parts: [{ text: 'hi' }] }] })
    expect(response.status).toBe(200)
    expect(upstream.received.at(-1)?.path).toBe(at)
    expect(lastRecord()).toMatchObject({ model, promptTokens: 4, completionTokens: 2 })
  })

  it('of Google’s uploads are refused in Google’s words', async () => {
    const response = await call('/upload/v1beta/files', {})
    expect(await response.json()).toMatchObject({ error: { status: expect.any(String) } })
  })
})

describe('AWS’s signatures', () => {
  it('name the key in their credential', async () => {
    upstream.answer = json(completion('hello'))
    const authorization =
      'AWS4-HMAC-SHA256 Credential=sk-good/20261129/us-east-1/bedrock/aws4_request, SignedHeaders=host;x-amz-date, Signature=00ff'
    const body = { messages: [{ role: 'user', content: [{ text: 'hi' }] }] }
    const response = await call('/model/gpt-4o/converse', body, { authorization })
    expect(response.status).toBe(200)
    const wrong = authorization.replace('sk-good', 'sk-bad')
    expect((await call('/model/gpt-4o/converse', body, { authorization: wrong })).status).toBeGreaterThanOrEqual(401)
  })
})

describe('the list of models', () => {
  const list = async (headers: Record<string, string>, query = ''): Promise<Record<string, unknown>> =>
    (await (
      await fetch(`${gateway.url}/v1/models${query}`, { headers: { authorization: 'Bearer sk-good', ...headers } })
    ).json()) as Record<string, unknown>

  it('has the type that Mistral’s clients want', async () => {
    const { data } = await list({ 'user-agent': 'speakeasy-sdk/python 3.7.0 mistralai' })
    expect((data as object[])[0]).toMatchObject({
      object: 'model',
      type: 'base',
      capabilities: { completion_chat: true },
    })
    const { data: plain } = await list({ 'user-agent': 'curl' })
    expect((plain as object[])[0]).not.toHaveProperty('type')
  })

  it.each(['cohere/7.3.1', 'cohere-ai/8.1.0'])('has the models that Cohere’s clients want: %s', async (agent) => {
    const { data, models } = await list({ 'user-agent': agent })
    expect(models).toEqual(
      (data as { id: string }[]).map(({ id }) => expect.objectContaining({ name: id, is_deprecated: false })),
    )
    expect((models as object[]).length).toBeGreaterThan(0)
    expect(await list({ 'user-agent': 'curl' })).not.toHaveProperty('models')
  })

  it('has pages and sizes for Anthropic’s clients', async () => {
    useChannels(channel({ models: new Set(['claude-3-haiku', 'gpt-4o', 'my-model']) }))
    const headers = { 'anthropic-version': '2023-06-01' }
    const first = await list(headers, '?limit=2')
    expect(first).toMatchObject({ has_more: true, first_id: 'claude-3-haiku', last_id: 'gpt-4o' })
    expect((first.data as object[])[0]).toMatchObject({ max_input_tokens: 200_000, max_tokens: 128_000 })
    const second = await list(headers, '?limit=2&after_id=gpt-4o')
    expect(second).toMatchObject({ has_more: false, first_id: 'my-model' })
    expect((second.data as object[])[0]).toMatchObject({ max_input_tokens: null, max_tokens: null })
    const before = await list(headers, '?limit=1&before_id=my-model')
    expect(before).toMatchObject({ has_more: true, first_id: 'gpt-4o', last_id: 'gpt-4o' })
    expect((await list(headers)).data).toHaveLength(3)
  })
})
