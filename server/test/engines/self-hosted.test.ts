import { describe, expect, it } from 'vitest'
import { isSelfHosted } from '../../src/providers/dialects/engine-thinking.ts'
import { ask, channel, hi, lastRecord, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'

/** Engines behind types that are older than *Own server*: OpenAI's and Custom at addresses of a private network, and Xinference's. */

useScene()

const openModel = 'my-qwen-like'
const sent = (): Record<string, unknown> => JSON.parse(sentBody()) as Record<string, unknown>
const use = (type: number): void =>
  useChannels(channel({ type, modelMapping: new Map(Object.entries({ 'gpt-4o': openModel })) }))

const turns = [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'I should call f', signature: '' },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '7' }] },
]
const messages = { ...hi, max_tokens: 5000, tools: [{ name: 'f', input_schema: { type: 'object' } }], messages: turns }
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]

describe.each([
  ['OpenAI', 1],
  ['Custom', 8],
  ['Xinference', 47],
])('an engine behind type %s', (_, type) => {
  it('gets thoughts of an open tool turn, and top_k', async () => {
    upstream.answer = json(completion('done'))
    use(type)
    const response = await ask({ ...messages, top_k: 40 }, '/v1/messages')
    expect(sentBody()).toContain('"reasoning_content":"I should call f"')
    expect(sent()).toMatchObject({ top_k: 40 })
    expect(response.headers.get('x-tollgate-lost-fields') ?? '').not.toMatch(/thinking|top_k/)
  })

  it.each([
    ['chat', '/v1/chat/completions', { ...hi, reasoning_effort: 'none' }],
    ['Messages', '/v1/messages', { ...hi, max_tokens: 2000, thinking: { type: 'disabled' } }],
    [
      'Gemini',
      '/v1beta/models/gpt-4o:generateContent',
      { contents, generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
    ],
  ])('does not think where %s says so', async (_name, path, body) => {
    upstream.answer = json(completion('done'))
    use(type)
    await ask(body, path)
    expect(sent()).toMatchObject({ chat_template_kwargs: { enable_thinking: false, thinking: false } })
    expect(sent()).not.toHaveProperty('reasoning_effort')
  })

  it.each(['gpt-4o', 'claude-sonnet-4-5', 'gemini-2.5-pro'])('is none where the model is %s', async (model) => {
    upstream.answer = json(completion('done'))
    useChannels(channel({ type, modelMapping: new Map(Object.entries({ 'gpt-4o': model })) }))
    await ask({ ...messages, top_k: 40, thinking: { type: 'disabled' } }, '/v1/messages')
    expect(sentBody()).not.toMatch(/reasoning_content|chat_template_kwargs|top_k/)
  })
})

describe('a Responses stream', () => {
  const path = '/v1/responses'
  const asked = { model: 'gpt-4o', input: 'hi', stream: true }
  const events = [
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.output_item.added', item: { id: 'm', type: 'message' } },
    { type: 'response.output_text.delta', item_id: 'm', delta: 'hello' },
    {
      type: 'response.completed',
      response: { id: 'resp_1', status: 'completed', output: [], usage: { input_tokens: 4, output_tokens: 2 } },
    },
  ]
  const unplaced = stream(...events.map((event) => `data: ${JSON.stringify(event)}\n\n`))

  it.each([
    ['of an engine behind type OpenAI', 1, unplaced],
    ['made of the chat of an engine behind type Custom', 8, stream(chunk('hello'), usageChunk(4, 2), done)],
    ['made of the chat of an engine behind type Xinference', 47, stream(chunk('hello'), usageChunk(4, 2), done)],
  ])('%s has the numbers by which clients place its events', async (_, type, answer) => {
    upstream.answer = answer
    use(type)
    const text = await (await ask(asked, path)).text()
    const sentEvents = [...text.matchAll(/^data: (\{.*)$/gm)].map(
      ([, data = '']) => JSON.parse(data) as Record<string, unknown>,
    )
    expect(sentEvents.map(({ sequence_number: number }) => number)).toEqual([...sentEvents.keys()])
    expect(sentEvents.find(({ delta }) => delta === 'hello')).toMatchObject({ output_index: 0, content_index: 0 })
    expect(lastRecord()).toMatchObject({ promptTokens: 4, completionTokens: 2, other: { end: 'done' } })
  })

  it('passes as it comes where the model is its maker’s', async () => {
    upstream.answer = unplaced
    useChannels(channel())
    expect(await (await ask(asked, path)).text()).not.toContain('output_index')
  })

  it('is gone on from at its engine, which stores it', async () => {
    upstream.answer = unplaced
    const modelMapping = new Map(Object.entries({ 'gpt-4o': openModel }))
    useChannels(channel({ id: 7, modelMapping }))
    await (await ask(asked, path)).text()
    useChannels(channel({ id: 7, modelMapping }), channel({ id: 8, modelMapping, priority: 9 }))
    await (await ask({ ...asked, previous_response_id: 'resp_1' }, path)).text()
    expect(lastRecord()).toMatchObject({ channelId: 7 })
  })
})

describe('llama.cpp behind type Anthropic', () => {
  const anthropic = 14
  const off = { enable_thinking: false, thinking: false }
  const switched = { ...hi, max_tokens: 2000, thinking: { type: 'disabled' } }
  const answer = json({
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'done' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 4, output_tokens: 2 },
  })

  it.each([
    ['chat', '/v1/chat/completions', { ...hi, reasoning_effort: 'none' }],
    ['Messages', '/v1/messages', switched],
    ['Messages that are streamed', '/v1/messages', { ...switched, stream: true }],
    ['Messages that are counted', '/v1/messages/count_tokens', switched],
    ['Responses', '/v1/responses', { model: 'gpt-4o', input: 'hi', reasoning: { effort: 'none' } }],
    [
      'Gemini',
      '/v1beta/models/gpt-4o:generateContent',
      { contents, generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
    ],
  ])('does not think where %s says so', async (_, path, body) => {
    upstream.answer = answer
    use(anthropic)
    await (await ask(body, path)).text()
    expect(sent()).toMatchObject({ thinking: { type: 'disabled' }, chat_template_kwargs: off })
  })

  it('keeps what the client writes into its template', async () => {
    upstream.answer = answer
    use(anthropic)
    await ask({ ...switched, chat_template_kwargs: { thinking: true, custom: 1 } }, '/v1/messages')
    expect(sent().chat_template_kwargs).toEqual({ enable_thinking: false, thinking: true, custom: 1 })
  })

  it('is left to its template where nobody switches it off', async () => {
    upstream.answer = answer
    use(anthropic)
    for (const thinking of [undefined, { type: 'enabled', budget_tokens: 1024 }]) {
      await ask({ ...switched, thinking }, '/v1/messages')
      expect(sent()).not.toHaveProperty('chat_template_kwargs')
    }
  })

  it('is none where the model is Anthropic’s', async () => {
    upstream.answer = answer
    useChannels(channel({ type: anthropic, modelMapping: new Map([['gpt-4o', 'claude-sonnet-4-5']]) }))
    await ask(switched, '/v1/messages')
    expect(sent()).not.toHaveProperty('chat_template_kwargs')
  })
})

it('keeps what the API of the model’s maker reads, which may stand behind a gateway', async () => {
  upstream.answer = json(completion('done'))
  useChannels(channel({ type: 8, modelMapping: new Map(Object.entries({ 'gpt-4o': 'glm-4.6' })) }))
  await ask({ ...hi, max_tokens: 2000, thinking: { type: 'disabled' } }, '/v1/messages')
  expect(sent()).toMatchObject({
    thinking: { type: 'disabled' },
    chat_template_kwargs: { enable_thinking: false, thinking: false },
  })
})

describe('counts of a prompt', () => {
  const system = 'be brief'
  const asked = [
    ['/v1/messages/count_tokens', { model: 'gpt-4o', system, messages: hi.messages }, { input_tokens: 594 }],
    [
      '/v1beta/models/gpt-4o:countTokens',
      { contents, systemInstruction: { parts: [{ text: system }] } },
      { totalTokens: 594 },
    ],
  ] as const
  const chat = '/v1/chat/completions'
  const places = [
    ['OpenAI', 1, ''],
    ['Custom', 8, chat],
    ['Xinference', 47, ''],
    ['Ollama', 4, ''],
    ['Ollama', 4, '/v1'],
  ] as const
  const engines = [
    ['llama.cpp', `${chat}/input_tokens`, { input_tokens: 594 }],
    ['vLLM', '/tokenize', { count: 594 }],
  ] as const
  const useAt = (type: number, ending: string, model = openModel): void =>
    useChannels(
      channel({ type, baseUrl: upstream.url + ending, modelMapping: new Map(Object.entries({ 'gpt-4o': model })) }),
    )
  const cells = places.flatMap(([name, type, ending]) =>
    engines.flatMap(([engine, path, answer]) =>
      asked.map(([at, body, counted]) => ({ name, type, ending, engine, path, answer, at, body, counted })),
    ),
  )

  it.each(cells)('behind type $name "$ending" at $at are those of $engine', async (cell) => {
    upstream.answer = (call) => (call.path === cell.path ? json(cell.answer) : json({}, 404))(call)
    useAt(cell.type, cell.ending)
    expect(await (await ask(cell.body, cell.at)).json()).toMatchObject(cell.counted)
    expect(sent()).toMatchObject({
      model: openModel,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: 'hi' },
      ],
    })
  })

  const madeHere = async (at: string, body: Record<string, unknown>): Promise<number> => {
    const answer = (await (await ask(body, at)).json()) as { input_tokens?: number; totalTokens?: number }
    return answer.input_tokens ?? answer.totalTokens ?? 0
  }

  it.each(asked)('at %s are made here where the engine has no endpoint', async (at, body) => {
    upstream.answer = json({}, 404)
    for (const [, type, ending] of places) {
      useAt(type, ending)
      expect(await madeHere(at, body)).toBeLessThan(100)
    }
  })

  it.each(asked)(
    'at %s are made here, unasked, for models of makers and at addresses of another form',
    async (at, body) => {
      upstream.answer = json({ input_tokens: 594, count: 594 })
      for (const [, type, ending] of places) {
        useAt(type, ending, 'gpt-4o')
        expect(await madeHere(at, body)).toBeLessThan(100)
      }
      useAt(8, '/answer/{model}')
      expect(await madeHere(at, body)).toBeLessThan(100)
      expect(upstream.received).toEqual([])
    },
  )
})

describe('an address', () => {
  it.each([
    'http://localhost:8000/v1',
    'http://127.0.0.1:8000',
    'http://10.1.2.3/v1/chat/completions',
    'http://[::1]:8000',
    'http://[fd00::2]:8000',
    'http://vllm:8000',
    'http://host.docker.internal:11434',
    'http://gpu.lan',
    'http://llm.models.svc.cluster.local',
  ])('%s is of the operator’s own', (url) => expect(isSelfHosted(url)).toBe(true))

  it.each(['https://api.openai.com', 'https://api.groq.com/openai', 'http://8.8.8.8', '', 'no address'])(
    '%s is not',
    (url) => expect(isSelfHosted(url)).toBe(false),
  )
})
