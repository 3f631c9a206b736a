import { GoogleGenAI } from '@google/genai'
import OpenAI, { AzureOpenAI } from 'openai'
import { describe, expect, it } from 'vitest'
import { claudeFrames, converseFrames } from '../../src/dialects/bedrock/frames.ts'
import { claude, eventsIn, gemini, message, messageStream, response } from '../support/gateway/dialects.ts'
import {
  channel,
  gateway,
  holdEnds,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'

useScene()

const keyed = { 'content-type': 'application/json' }

const post = (path: string, body: unknown, headers: Record<string, string> = { authorization: 'Bearer sk-good' }) =>
  fetch(gateway.url + path, { method: 'POST', headers: { ...keyed, ...headers }, body: JSON.stringify(body) })

/** Messages of a stream for AWS's client, decoded as the gateway decodes Bedrock's. */
const converseMessages = (bytes: Buffer): unknown[] =>
  converseFrames()
    .push(bytes)
    .map((text) => JSON.parse(text))
const claudeMessages = (bytes: Buffer): { type: string }[] =>
  claudeFrames()
    .push(bytes)
    .map((text) => JSON.parse(text))

const messages = [{ role: 'user' as const, content: 'hi' }]

describe('Azure’s clients', () => {
  const azure = (deployment?: string) =>
    new AzureOpenAI({
      endpoint: gateway.url,
      apiKey: 'good',
      apiVersion: '2024-10-21',
      maxRetries: 0,
      ...(deployment === undefined ? {} : { deployment }),
    })

  it('name the model as a deployment, which holds even where the body names another', async () => {
    const answered = await azure().chat.completions.create({ model: 'gpt-4o', messages })
    expect(answered.choices[0]?.message.content).toBe('hello')
    expect(upstream.received[0]?.path).toBe('/v1/chat/completions')
    expect(lastRecord()).toMatchObject({ kind: 'charge', model: 'gpt-4o', promptTokens: 10 })
    await azure('gpt-4o-mini').chat.completions.create({ model: 'gpt-4o', messages })
    expect(JSON.parse(sentBody())).toMatchObject({ model: 'gpt-4o-mini' })
    expect(lastRecord()).toMatchObject({ model: 'gpt-4o-mini' })
  })

  it('get streams and embeddings', async () => {
    upstream.answer = stream(chunk('streamed'), usageChunk(4, 2), done)
    const chunks = await azure().chat.completions.create({ model: 'gpt-4o', messages, stream: true })
    let text = ''
    for await (const { choices } of chunks) text += choices[0]?.delta.content ?? ''
    expect(text).toBe('streamed')
    upstream.answer = json({ object: 'list', data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 3 } })
    await azure().embeddings.create({ model: 'ada', input: 'x', encoding_format: 'float' })
    expect(upstream.received.at(-1)?.path).toBe('/v1/embeddings')
    expect(lastRecord()).toMatchObject({ model: 'ada', promptTokens: 3 })
  })

  it('without a deployment get responses, and the models', async () => {
    upstream.answer = json(response)
    expect((await azure().responses.create({ model: 'gpt-4o', input: 'hi' })).output_text).toBe('Hello')
    useChannels(channel({ models: new Set(['gpt-4o']) }))
    const listed = await fetch(`${gateway.url}/openai/models?api-version=2024-10-21`, {
      headers: { 'api-key': 'good' },
    })
    expect(await listed.json()).toMatchObject({ object: 'list', data: [{ id: 'gpt-4o' }] })
  })

  it('are refused in OpenAI’s shape without a key, and for paths that do not exist', async () => {
    const bare = await post('/openai/deployments/gpt-4o/chat/completions?api-version=x', { messages }, {})
    expect([bare.status, await bare.json()]).toMatchObject([401, { error: { message: expect.any(String) } }])
    const unknown = await post('/openai/deployments/gpt-4o/nothing', {})
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { type: 'invalid_request_error' } }])
  })
})

it('answers OpenAI’s clients at Google’s path for them, and at Azure’s undated one', async () => {
  for (const base of ['/v1beta/openai/', '/openai/v1/']) {
    const client = new OpenAI({ baseURL: gateway.url + base, apiKey: 'good', maxRetries: 0 })
    const answered = await client.chat.completions.create({ model: 'gpt-4o', messages })
    expect(answered.choices[0]?.message.content).toBe('hello')
  }
  expect(upstream.received.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/chat/completions'])
})

describe('Google’s clients in the form of its cloud', () => {
  const google = (more: object) =>
    new GoogleGenAI({ vertexai: true, apiKey: 'good', httpOptions: { baseUrl: gateway.url, ...more } })

  it('draw and talk', async () => {
    upstream.answer = json({ created: 1, data: [{ b64_json: 'AAAA' }] })
    const drawn = await google({}).models.generateImages({ model: 'gpt-image-1', prompt: 'a cat' })
    expect(drawn.generatedImages?.[0]?.image?.imageBytes).toBe('AAAA')
    upstream.answer = json(completion('hello'))
    for (const apiVersion of ['v1beta1', 'v1'])
      expect((await google({ apiVersion }).models.generateContent({ model: 'gpt-4o', contents: 'hi' })).text).toBe(
        'hello',
      )
    expect(upstream.received.map(({ path }) => path)).toEqual([
      '/v1/images/generations',
      ...['/v1/chat/completions', '/v1/chat/completions'],
    ])
    expect(lastRecord()).toMatchObject({ kind: 'charge', model: 'gpt-4o' })
  })

  it('may name a project, and are refused in Google’s shape', async () => {
    upstream.answer = json(completion('hello'))
    const path = '/v1beta1/projects/p/locations/global/publishers/google/models/gpt-4o:generateContent'
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    expect((await post(path, { contents }, { 'x-goog-api-key': 'good' })).status).toBe(200)
    const refused = await post(path, { contents }, { 'x-goog-api-key': 'bad' })
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: 401 } }])
  })
})

it('answers Anthropic’s clients below /anthropic', async () => {
  useChannels(claude())
  upstream.answer = json(message)
  const question = { model: 'claude-sonnet-4-5', max_tokens: 9, messages }
  const answered = await post('/anthropic/v1/messages', question, {
    'x-api-key': 'good',
    'anthropic-version': '2023-06-01',
  })
  expect(await answered.json()).toEqual(message)
  const refused = await post('/anthropic/v1/messages', question, { 'x-api-key': 'bad' })
  expect([refused.status, await refused.json()]).toMatchObject([401, { type: 'error' }])
})

it('reranks for Cohere’s clients, at any channel', async () => {
  upstream.answer = json({
    results: [{ index: 1, relevance_score: 0.9, document: { text: 'b' } }],
    usage: { total_tokens: 7 },
  })
  const answered = await post('/v2/rerank', { model: 'rerank-v3.5', query: 'q', documents: ['a', 'b'] })
  expect(await answered.json()).toEqual({
    id: expect.any(String),
    results: [{ index: 1, relevance_score: 0.9 }],
    meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  })
  expect(upstream.received[0]?.path).toBe('/v1/rerank')
  expect(lastRecord()).toMatchObject({ kind: 'charge', model: 'rerank-v3.5' })
  const refused = await post('/v2/rerank', { model: 'rerank-v3.5', documents: ['a'] })
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: { message: expect.any(String) } }])
})

it('varies a picture, at OpenAI’s own channels only', async () => {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'good', maxRetries: 0 })
  upstream.answer = json({ created: 1, data: [{ b64_json: 'AAAA' }, { b64_json: 'BBBB' }] })
  const image = new File([Buffer.from('png')], 'cat.png', { type: 'image/png' })
  const answered = await client.images.createVariation({ image, model: 'dall-e-2', n: 2, size: '512x512' })
  expect(answered.data).toHaveLength(2)
  expect(upstream.received[0]?.path).toBe('/v1/images/variations')
  expect(upstream.received[0]?.body.toString()).toContain('name="image"; filename="cat.png"')
  expect(lastRecord()).toMatchObject({ kind: 'charge', model: 'dall-e-2' })
  useChannels(gemini())
  await expect(client.images.createVariation({ image, model: 'imagen-4.0-generate-001' })).rejects.toMatchObject({
    status: 501,
  })
  expect(upstream.received).toHaveLength(1)
  expect(holdEnds()).not.toContain('held')
})

it('draws for Imagen’s clients, also at channels of other providers', async () => {
  useChannels(gemini())
  upstream.answer = json({ predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'AAAA' }] })
  const path = '/v1beta/models/imagen-4.0-generate-001:predict'
  const request = { instances: [{ prompt: 'a cat' }], parameters: { sampleCount: 1, aspectRatio: '16:9', seed: 3 } }
  const answered = await post(path, request, { 'x-goog-api-key': 'good' })
  expect(await answered.json()).toEqual({ predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'AAAA' }] })
  expect(upstream.received[0]?.path).toBe(path)
  expect(JSON.parse(sentBody())).toMatchObject({
    instances: [{ prompt: 'a cat' }],
    parameters: { sampleCount: 1, aspectRatio: '16:9', seed: 3 },
  })
  expect(lastRecord()).toMatchObject({ kind: 'charge', model: 'imagen-4.0-generate-001' })
  useChannels(channel())
  upstream.answer = json({ created: 1, data: [{ b64_json: 'BBBB' }] })
  const other = await post('/v1beta/models/gpt-image-1:predict', { instances: [{ prompt: 'a cat' }] })
  expect(await other.json()).toEqual({ predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'BBBB' }] })
  const refused = await post(path, { instances: [{ content: 'a text' }] })
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }])
})

describe('Bedrock’s clients', () => {
  const path = (action: string) => `/model/${encodeURIComponent('claude-sonnet-4-5')}/${action}`
  const converse = {
    system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }],
    messages: [
      { role: 'user', content: [{ text: 'hi' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'look', input: { at: 1 } } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ json: { sun: true } }] } }] },
    ],
    inferenceConfig: { maxTokens: 9, temperature: 0.5 },
    toolConfig: { tools: [{ toolSpec: { name: 'look', inputSchema: { json: { type: 'object' } } } }] },
  }

  it('converse with any channel', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    const answered = await post(path('converse'), converse)
    expect(await answered.json()).toEqual({
      output: { message: { role: 'assistant', content: [{ text: 'Hello' }] } },
      stopReason: 'end_turn',
      usage: {
        inputTokens: 12,
        outputTokens: 3,
        cacheReadInputTokens: 30,
        cacheWriteInputTokens: 5,
        totalTokens: 50,
      },
      metrics: { latencyMs: 0 },
    })
    expect(JSON.parse(sentBody())).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      temperature: 0.5,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: { at: 1 } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: '{"sun":true}' }] }],
        },
      ],
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
    })
    expect(lastRecord()).toMatchObject({ kind: 'charge', promptTokens: 47, completionTokens: 3 })
    useChannels(channel())
    upstream.answer = json(completion('from OpenAI'))
    expect(await (await post('/model/gpt-4o/converse', converse)).json()).toMatchObject({
      output: { message: { content: [{ text: 'from OpenAI' }] } },
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    })
  })

  it('read streams as AWS frames them', async () => {
    useChannels(claude())
    upstream.answer = stream(...messageStream)
    const answered = await post(path('converse-stream'), converse)
    expect(answered.headers.get('content-type')).toBe('application/vnd.amazon.eventstream')
    const messages = converseMessages(Buffer.from(await answered.arrayBuffer()))
    expect(messages).toEqual([
      { messageStart: { role: 'assistant' } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Say "message_stop"' } } },
      { contentBlockStop: { contentBlockIndex: 0 } },
      { messageStop: { stopReason: 'end_turn' } },
      {
        metadata: { usage: expect.objectContaining({ inputTokens: 12, outputTokens: 3 }), metrics: expect.anything() },
      },
    ])
    expect(lastRecord()).toMatchObject({ kind: 'charge', promptTokens: 47, completionTokens: 3, isStream: true })
    upstream.answer = stream(...messageStream)
    const body = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages }
    const invoked = await post(path('invoke-with-response-stream'), body)
    const events = claudeMessages(Buffer.from(await invoked.arrayBuffer()))
    expect(events.map(({ type }) => type)).toEqual(eventsIn(messageStream.join('')).map(({ type }) => type))
    expect(JSON.parse(sentBody())).toEqual({ max_tokens: 9, messages, model: 'claude-sonnet-4-5', stream: true })
  })

  it('get the exception of a stream that breaks off', async () => {
    useChannels(claude())
    const broken = { error: { type: 'overloaded_error', message: 'Overloaded' } }
    upstream.answer = stream(
      ...messageStream.slice(0, 4),
      `event: error\ndata: ${JSON.stringify({ type: 'error', ...broken })}\n\n`,
    )
    const answered = await post(path('converse-stream'), converse)
    const messages = converseMessages(Buffer.from(await answered.arrayBuffer()))
    expect(messages.at(-1)).toMatchObject({ exception: { message: expect.stringContaining('Overloaded') } })
  })

  it('are refused in AWS’s shape: without a key, and for formats of other models', async () => {
    const bare = await post(path('converse'), converse, {})
    expect([bare.status, await bare.json()]).toMatchObject([401, { __type: 'AccessDeniedException' }])
    const llama = await post(path('invoke'), { prompt: 'hi' })
    expect([llama.status, await llama.json()]).toMatchObject([
      400,
      { __type: 'ValidationException', message: expect.stringContaining('converse') },
    ])
    expect(upstream.received).toHaveLength(0)
  })
})
