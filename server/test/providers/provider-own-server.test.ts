import { describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'

/** An inference engine of the operator's own, in every dialect of clients. */

useScene()

const ownServer = 1001

const useEngine = (changes: Parameters<typeof channel>[0] = {}): void =>
  useChannels(channel({ type: ownServer, keys: [], other: '', ...changes }))

const sent = (): Record<string, unknown> => JSON.parse(sentBody()) as Record<string, unknown>
const path = (): string | undefined => upstream.received.at(-1)?.path

describe('the address', () => {
  it.each(['', '/v1', '/v1/', '/v1/chat/completions'])('may end in "%s"', async (ending) => {
    upstream.answer = json(completion('hello'))
    useEngine({ baseUrl: upstream.url + ending.replace(/\/$/, '') })
    expect((await ask(hi)).status).toBe(200)
    expect(path()).toBe('/v1/chat/completions')
  })

  it('is called without a key where there is none, and with it where there is one', async () => {
    upstream.answer = json(completion('hello'))
    useEngine()
    await ask(hi)
    expect(upstream.received.at(-1)?.headers.authorization).toBeUndefined()
    useEngine({ keys: ['k'] })
    await ask(hi)
    expect(upstream.received.at(-1)?.headers.authorization).toBe('Bearer k')
  })
})

describe('usage of a stream', () => {
  it.each([
    ['chat', '/v1/chat/completions', hiStream],
    ['Messages', '/v1/messages', { ...hiStream, max_tokens: 9 }],
    ['Responses', '/v1/responses', { model: 'gpt-4o', input: 'hi', stream: true }],
    [
      'Gemini',
      '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse',
      { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    ],
  ])('is the engine’s own in %s', async (_, at, body) => {
    upstream.answer = stream(chunk('hello'), usageChunk(544, 17), done)
    useEngine()
    await (await ask(body, at)).text()
    expect(sent()).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(lastRecord()).toMatchObject({ promptTokens: 544, completionTokens: 17, receipt: { estimated: false } })
  })
})

describe('thoughts', () => {
  it('of an open tool turn go back to the engine', async () => {
    upstream.answer = json(completion('done'))
    useEngine()
    const response = await ask(
      {
        model: 'gpt-4o',
        max_tokens: 50,
        tools: [{ name: 'f', input_schema: { type: 'object' } }],
        messages: [
          { role: 'user', content: 'go' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'I should call f', signature: '' },
              { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '7' }] },
        ],
      },
      '/v1/messages',
    )
    expect(response.headers.get('x-tollgate-lost-fields') ?? '').not.toContain('thinking')
    expect(sentBody()).toContain('"reasoning_content":"I should call f"')
  })

  it('of an answer reach clients of Messages', async () => {
    upstream.answer = stream(
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { reasoning_content: 'because' } }] })}\n\n`,
      chunk('hello'),
      done,
    )
    useEngine()
    const text = await (await ask({ ...hiStream, max_tokens: 9 }, '/v1/messages')).text()
    expect(text).toContain('"thinking":"because"')
  })

  const messages = { ...hi, max_tokens: 2000 }
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
  it.each([
    ['chat', '/v1/chat/completions', { ...hi, reasoning_effort: 'none' }],
    ['Messages', '/v1/messages', { ...messages, thinking: { type: 'disabled' } }],
    ['Responses', '/v1/responses', { model: 'gpt-4o', input: 'hi', reasoning: { effort: 'none' } }],
    [
      'Gemini',
      '/v1beta/models/gpt-4o:generateContent',
      { contents, generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
    ],
  ])('are switched off in the chat template from %s', async (_, at, body) => {
    upstream.answer = json(completion('hello'))
    useEngine()
    await ask(body, at)
    expect(sent().chat_template_kwargs).toEqual({ enable_thinking: false, thinking: false })
    expect(sent()).not.toHaveProperty('reasoning_effort')
  })

  it('are switched off in the chat template where Messages pass as they are', async () => {
    upstream.answer = json({ id: 'm', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 4 } })
    useEngine({ other: 'messages' })
    await ask({ ...messages, thinking: { type: 'disabled' } }, '/v1/messages')
    expect(path()).toBe('/v1/messages')
    expect(sent().chat_template_kwargs).toEqual({ enable_thinking: false, thinking: false })
    await ask({ ...messages, thinking: { type: 'enabled', budget_tokens: 1024 } }, '/v1/messages')
    expect(sent()).not.toHaveProperty('chat_template_kwargs')
  })

  it('are left to the template where nobody says anything', async () => {
    upstream.answer = json(completion('hello'))
    useEngine()
    await ask(messages, '/v1/messages')
    expect(sent()).not.toHaveProperty('chat_template_kwargs')
    expect(sent()).not.toHaveProperty('reasoning_effort')
  })

  it.each([
    ['minimal', 'low'],
    ['medium', 'medium'],
    ['xhigh', 'high'],
  ])('of effort %s are asked for as %s', async (asked, written) => {
    upstream.answer = json(completion('hello'))
    useEngine()
    await ask({ ...hi, reasoning_effort: asked })
    expect(sent().reasoning_effort).toBe(written)
  })

  it.each(['Qwen/Qwen3-8B', 'zai-org/GLM-4.6', 'deepseek-ai/DeepSeek-V3.1', 'moonshotai/Kimi-K2.5'])(
    'are switched off in the chat template of %s',
    async (model) => {
      upstream.answer = json(completion('hello'))
      useEngine({ modelMapping: new Map(Object.entries({ 'gpt-4o': model })) })
      await ask({ ...messages, thinking: { type: 'disabled' } }, '/v1/messages')
      expect(sent().chat_template_kwargs).toEqual({ enable_thinking: false, thinking: false })
      expect(sent()).not.toHaveProperty('thinking')
      expect(sent()).not.toHaveProperty('enable_thinking')
    },
  )

  it('are switched on in the chat template of a model that thinks only where it is asked to', async () => {
    upstream.answer = json(completion('hello'))
    useEngine({ modelMapping: new Map(Object.entries({ 'gpt-4o': 'deepseek-ai/DeepSeek-V3.1' })) })
    await ask({ ...messages, thinking: { type: 'enabled', budget_tokens: 1024 } }, '/v1/messages')
    expect(sent()).toMatchObject({ chat_template_kwargs: { enable_thinking: true, thinking: true } })
  })

  it('keep what the client writes into its template', async () => {
    upstream.answer = json(completion('hello'))
    useEngine()
    await ask({ ...hi, reasoning_effort: 'none', chat_template_kwargs: { thinking: true, custom: 1 } })
    expect(sent().chat_template_kwargs).toEqual({ enable_thinking: false, thinking: true, custom: 1 })
  })
})

describe('members that engines have', () => {
  it.each([
    ['Messages', '/v1/messages', { ...hi, max_tokens: 9 }],
    ['Responses', '/v1/responses', { model: 'gpt-4o', input: 'hi' }],
  ])('pass from %s', async (_, at, body) => {
    upstream.answer = json(completion('hello'))
    useEngine()
    const response = await ask({ ...body, chat_template_kwargs: { enable_thinking: true }, min_p: 0.1 }, at)
    expect(sent()).toMatchObject({ chat_template_kwargs: { enable_thinking: true }, min_p: 0.1 })
    expect(response.headers.get('x-tollgate-lost-fields') ?? '').not.toContain('min_p')
  })

  it.each([
    ['Messages', '/v1/messages', { ...hi, max_tokens: 9, top_k: 40 }],
    ['Responses', '/v1/responses', { model: 'gpt-4o', input: 'hi', top_k: 40 }],
    [
      'Gemini',
      '/v1beta/models/gpt-4o:generateContent',
      { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], generationConfig: { topK: 40 } },
    ],
  ])('such as top_k pass from %s', async (_, at, body) => {
    upstream.answer = json(completion('hello'))
    useEngine()
    const response = await ask(body, at)
    expect(sent().top_k).toBe(40)
    expect(response.headers.get('x-tollgate-lost-fields') ?? '').not.toContain('top_k')
  })
})

describe('further APIs', () => {
  it('pass as they are where the channel names them', async () => {
    upstream.answer = json({ id: 'resp', object: 'response', output: [], usage: { input_tokens: 4, output_tokens: 2 } })
    useEngine({ other: 'responses, messages' })
    await ask({ model: 'gpt-4o', input: 'hi' }, '/v1/responses')
    expect(path()).toBe('/v1/responses')
    expect(lastRecord()).toMatchObject({ promptTokens: 4, completionTokens: 2 })
  })

  it('have the numbers by which clients place their events', async () => {
    const events = [
      { type: 'response.output_item.added', item: { id: 'm', type: 'message' } },
      { type: 'response.output_text.delta', item_id: 'm', delta: 'hello' },
      { type: 'response.completed', response: { id: 'r', output: [], usage: { input_tokens: 4, output_tokens: 2 } } },
    ]
    upstream.answer = stream(...events.map((event) => `data: ${JSON.stringify(event)}\n\n`))
    useEngine({ other: 'responses' })
    const text = await (await ask({ model: 'gpt-4o', input: 'hi', stream: true }, '/v1/responses')).text()
    expect(text).toContain('event: response.output_text.delta\ndata: ')
    expect(text).toContain('"delta":"hello","sequence_number":1,"output_index":0,"content_index":0')
    expect(lastRecord()).toMatchObject({ promptTokens: 4, completionTokens: 2, other: { end: 'done' } })
  })

  it('are translated where it names none', async () => {
    upstream.answer = json(completion('hello'))
    useEngine()
    await ask({ model: 'gpt-4o', input: 'hi' }, '/v1/responses')
    expect(path()).toBe('/v1/chat/completions')
  })
})

it('takes embeddings and reranking as they are', async () => {
  upstream.answer = json({
    object: 'list',
    data: [{ embedding: [0.1], index: 0 }],
    usage: { prompt_tokens: 3, total_tokens: 3 },
  })
  useEngine()
  expect((await ask({ model: 'gpt-4o', input: 'hi' }, '/v1/embeddings')).status).toBe(200)
  expect(path()).toBe('/v1/embeddings')
  expect(gateway.parts.recorder.records.at(-1)).toMatchObject({ promptTokens: 3 })
})

describe('counts of a prompt', () => {
  const system = 'be brief'
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
  const asked = [
    ['/v1/messages/count_tokens', { model: 'gpt-4o', system, messages: hi.messages }, { input_tokens: 594 }],
    ['/v1/responses/input_tokens', { model: 'gpt-4o', instructions: system, input: 'hi' }, { input_tokens: 594 }],
    [
      '/v1beta/models/gpt-4o:countTokens',
      { contents, systemInstruction: { parts: [{ text: system }] } },
      { totalTokens: 594 },
    ],
  ] as const
  const notFound = json({ error: { message: 'File Not Found' } }, 404)

  it.each(asked)('at %s are those of llama.cpp', async (at, body, counted) => {
    upstream.answer = (call) =>
      call.path === '/v1/chat/completions/input_tokens' ? json({ input_tokens: 594 })(call) : notFound(call)
    useEngine()
    expect(await (await ask(body, at)).json()).toMatchObject(counted)
    expect(sent().messages).toEqual([
      { role: 'system', content: system },
      { role: 'user', content: 'hi' },
    ])
  })

  it.each(asked)('at %s are those of vLLM', async (at, body, counted) => {
    upstream.answer = (call) =>
      call.path === '/tokenize' ? json({ count: 594, max_model_len: 4096, tokens: [] })(call) : notFound(call)
    useEngine()
    expect(await (await ask(body, at)).json()).toMatchObject(counted)
    expect(sent()).toMatchObject({ add_generation_prompt: true })
  })

  it.each([
    ['has no such endpoint', notFound],
    ['answers with nothing', json({ tokens: [] })],
    [
      'answers with no JSON',
      ({ response }: { response: import('node:http').ServerResponse }) => void response.end('<html>'),
    ],
  ])('are made here where the engine %s', async (_, answer) => {
    upstream.answer = answer
    useEngine()
    const counted = (await (await ask(asked[0][1], asked[0][0])).json()) as { input_tokens: number }
    expect(counted.input_tokens).toBeGreaterThan(0)
    expect(counted.input_tokens).toBeLessThan(100)
  })
})

describe('a prompt that is too long', () => {
  const error = { code: 400, message: 'request (10 tokens) exceeds the available context size (4 tokens)' }
  const refusal = { error: { ...error, type: 'exceed_context_size_error', n_prompt_tokens: 10, n_ctx: 4 } }
  it.each([
    ['chat', '/v1/chat/completions', hi],
    ['Responses', '/v1/responses', { model: 'gpt-4o', input: 'hi' }],
  ])('is told with its sizes in %s', async (_, at, body) => {
    upstream.answer = json(refusal, 400)
    useEngine()
    expect(await (await ask(body, at)).json()).toMatchObject({
      error: { code: 'context_length_exceeded', n_prompt_tokens: 10, n_ctx: 4 },
    })
  })
})
