import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { claude, gemini, generated, message, messageStream } from '../support/gateway/dialects.ts'
import {
  ask,
  channel,
  gateway,
  holdEnds,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { completion, json, stream } from '../support/gateway/upstream.ts'

useScene()

/** Items, tools and turns that agents send and another provider's dialect lacks, through the gateway. */

const sent = (): Record<string, unknown> => JSON.parse(sentBody()) as Record<string, unknown>

const tool = (name: string, more: object = {}) => ({ name, input_schema: { type: 'object', properties: {} }, ...more })

const toolSearch = (...names: readonly string[]) => ({
  model: 'gpt-4o',
  max_tokens: 50,
  tools: [tool('ToolSearch'), tool('WebFetch', { defer_loading: true }), tool('DeferredToolPlaceholder')],
  messages: [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'ToolSearch', input: {} }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 't1',
          content: names.map((tool_name) => ({ type: 'tool_reference', tool_name })),
        },
      ],
    },
  ],
})

it.each([
  [['WebFetch'], 'Loaded: WebFetch'],
  [['WebFetch', 'Task'], 'Loaded: WebFetch, Task'],
  [[], ''],
])('the tools that a search of Claude Code found are named to other models: %j', async (names, text) => {
  upstream.answer = json(completion('Hello'))
  const answer = await ask(toolSearch(...names), '/v1/messages')
  expect(answer.status).toBe(200)
  expect(sent().messages).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'tool', content: text }])
  expect((sent().messages as unknown[]).length).toBe(3)
  expect((sent().tools as { function: { name: string } }[]).map(({ function: { name } }) => name)).toEqual([
    'ToolSearch',
    'WebFetch',
  ])
  expect(answer.headers.get('x-tollgate-lost-fields') ?? '').not.toContain('tool_reference')
})

it('pictures of a result follow it with a pointer to them, and what cannot follow leaves none', async () => {
  const withResult = (content: object) => ({
    ...toolSearch(),
    messages: [
      ...toolSearch().messages.slice(0, 2),
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [content] }] },
    ],
  })
  upstream.answer = json(completion('Hello'))
  const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
  await ask(withResult({ type: 'image', source }), '/v1/messages')
  expect(sent().messages).toMatchObject([
    {},
    {},
    { role: 'tool', content: 'See the next message.' },
    { role: 'user', content: [{ text: 'Result of tool call t1:' }, { type: 'image_url' }] },
  ])
  await ask(withResult({ type: 'image', source: { type: 'file', file_id: 'file_1' } }), '/v1/messages')
  expect(sent().messages).toMatchObject([{}, {}, { role: 'tool', content: '' }])
  expect((sent().messages as unknown[]).length).toBe(3)
})

const agentMessage = (text: string) => ({
  model: 'gpt-4o',
  store: false,
  input: [
    { role: 'user', content: 'x' },
    {
      type: 'agent_message',
      author: '/root',
      recipient: '/root/a',
      content: [
        { type: 'input_text', text: 'Payload:\n' },
        { type: 'encrypted_content', encrypted_content: text },
      ],
    },
  ],
})

it('the task of a sub-agent of Codex is a message of the user for other models', async () => {
  useChannels(claude())
  upstream.answer = json(message)
  expect((await ask(agentMessage('COUNT'), '/v1/responses')).status).toBe(200)
  const text = 'Message from /root to /root/a:\nPayload:\nCOUNT'
  expect(sent().messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'x' },
        { type: 'text', text },
      ],
    },
  ])
  useChannels(gemini())
  upstream.answer = json(generated)
  expect((await ask(agentMessage('COUNT'), '/v1/responses')).status).toBe(200)
  expect(sent().contents).toEqual([{ role: 'user', parts: [{ text: 'x' }, { text }] }])
  await ask(agentMessage('gAAAAABsealed'), '/v1/responses')
  expect(sentBody()).toContain('Payload:\\n[encrypted: only the provider that wrote this can read it]')
  expect(sentBody()).not.toContain('gAAAA')
})

it('an item that nobody knows is left out, and the turns around it join', async () => {
  useChannels(claude())
  upstream.answer = json(message)
  const input = [
    { role: 'user', content: 'a' },
    { type: 'made_up', text: 'b' },
    { role: 'user', content: 'c' },
  ]
  const answer = await ask({ model: 'gpt-4o', input }, '/v1/responses')
  expect(answer.headers.get('x-tollgate-lost-fields')).toContain('messages.made_up')
  expect(sent().messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'c' },
      ],
    },
  ])
})

const trigger = {
  model: 'gpt-4o',
  store: false,
  input: [
    { role: 'user' as const, content: 'Build a boat.' },
    { type: 'function_call' as const, call_id: 'c1', name: 'saw', arguments: '{}' },
    { type: 'function_call_output' as const, call_id: 'c1', output: 'sawn' },
    { type: 'compaction_trigger' as const },
  ],
  tools: [{ type: 'function' as const, name: 'saw', parameters: {}, strict: null }],
}

it.each([false, true])(
  'a compaction within a turn is answered with a sealed summary, streamed: %s',
  async (streamed) => {
    useChannels(claude())
    upstream.answer = streamed ? stream(...messageStream) : json(message)
    const client = new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const read = async (): Promise<OpenAI.Responses.Response> => {
      if (!streamed) return client.responses.create(trigger)
      const done: string[] = []
      let last: OpenAI.Responses.Response | undefined
      for await (const event of await client.responses.create({ ...trigger, stream: true })) {
        if (event.type === 'response.output_item.done') done.push(event.item.type)
        if (event.type === 'response.completed') last = event.response
        expect(event.type).not.toMatch(/output_text|reasoning/)
      }
      expect(done).toEqual(['compaction'])
      if (last === undefined) throw new Error('no end')
      return last
    }
    const { output } = await read()
    expect(output).toMatchObject([{ type: 'compaction', encrypted_content: expect.any(String) }])
    expect(sentBody()).toMatch(/Build a boat\..*\[Called saw: .*sawn.*Summarise/s)
    expect(sent().tools).toBeUndefined()
    expect(lastRecord()).toMatchObject({ kind: 'charge' })

    useChannels(gemini())
    upstream.answer = json(generated)
    const input = [...output, { role: 'user', content: 'Go on.' }] as OpenAI.Responses.ResponseInputItem[]
    await client.responses.create({ model: 'gpt-4o', input })
    expect(sent().contents).toEqual([
      {
        role: 'user',
        parts: [
          { text: expect.stringMatching(/^Summary of the conversation before this point:\n\n(Hello|Say)/) },
          { text: 'Go on.' },
        ],
      },
    ])
  },
)

it('a provider that compacts gets the trigger as it came', async () => {
  upstream.answer = json({ id: 'resp_1', object: 'response', status: 'completed', output: [] })
  await ask(trigger, '/v1/responses')
  expect(sent().input).toEqual(trigger.input)
})

const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 }
const searchCall = {
  model: 'gpt-4o',
  max_tokens: 50,
  messages: [{ role: 'user', content: 'Search.' }],
  tools: [search],
}
const ollama = () => channel({ type: 4 })
const kimi = () => channel({ type: 25 })

it.each([
  ['alone', searchCall, '/v1/messages'],
  [
    'demanded',
    { ...searchCall, tools: [search, tool('a')], tool_choice: { type: 'tool', name: 'web_search' } },
    '/v1/messages',
  ],
  [
    'demanded by its type',
    {
      model: 'gpt-4o',
      input: 'x',
      tools: [{ type: 'web_search' }, { type: 'function', name: 'a' }],
      tool_choice: { type: 'web_search' },
    },
    '/v1/responses',
  ],
  [
    'of Google',
    { contents: [{ role: 'user', parts: [{ text: 'x' }] }], tools: [{ googleSearch: {} }] },
    '/v1beta/models/gpt-4o:generateContent',
  ],
])('a search that the model cannot do is refused where it is %s', async (_, body, path) => {
  for (const unable of [ollama(), kimi()]) {
    useChannels(unable)
    upstream.answer = json(completion('From memory'))
    const answer = await ask(body, path)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toMatch(/web_search|googleSearch/)
  }
  expect(upstream.received).toEqual([])
  expect(lastRecord()?.kind).not.toBe('charge')
  expect(holdEnds()).not.toContain('settle')
})

it('goes to the channel that can search, and is left out beside other tools where none can', async () => {
  useChannels(channel({ ...ollama(), id: 1, priority: 9 }), channel({ ...claude(), id: 2, priority: 1 }))
  upstream.answer = json(message)
  const answer = await ask(searchCall, '/v1/messages')
  expect(answer.status).toBe(200)
  expect(sent().tools).toEqual([search])
  useChannels(kimi())
  upstream.answer = json(completion('Hello'))
  const beside = await ask({ ...searchCall, tools: [search, tool('a')] }, '/v1/messages')
  expect(beside.status).toBe(200)
  expect(beside.headers.get('x-tollgate-lost-fields')).toContain('tools.web_search_20250305')
})

it('a prompt of which nothing can be read is refused with the reason, and another channel may read it', async () => {
  const source = { type: 'url', url: 'https://a.example/b.pdf' }
  const body = { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: [{ type: 'document', source }] }] }
  useChannels(channel({ ...kimi(), id: 1, priority: 9 }))
  upstream.answer = json(completion('Hello'))
  const refused = await ask(body, '/v1/messages')
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('messages.document.url')
  expect(upstream.received).toEqual([])
  useChannels(channel({ ...kimi(), id: 1, priority: 9 }), channel({ ...claude(), id: 2, priority: 1 }))
  upstream.answer = json(message)
  expect((await ask(body, '/v1/messages')).status).toBe(200)
})

it.each([
  ['memory_20250818', 'memory', 'rename'],
  ['bash_20250124', 'bash', 'restart'],
  ['text_editor_20250728', 'str_replace_based_edit_tool', 'insert_text'],
  ['text_editor_20250124', 'str_replace_editor', 'undo_edit'],
  ['computer_20251124', 'computer', 'left_click_drag'],
])('Anthropic’s tool %s is a function for other models, and itself for Claude', async (type, name, word) => {
  const offered = { type, name, display_width_px: 1024, display_height_px: 768 }
  const choice = { type: 'tool', name }
  const body = {
    model: 'gpt-4o',
    max_tokens: 50,
    messages: [{ role: 'user', content: 'x' }],
    tools: [offered],
    tool_choice: choice,
  }
  const called = { id: 'c1', type: 'function', function: { name, arguments: '{"command":"view"}' } }
  upstream.answer = json({
    ...completion(''),
    choices: [{ index: 0, message: { tool_calls: [called] }, finish_reason: 'tool_calls' }],
  })
  useChannels(kimi())
  const answer = await ask(body, '/v1/messages')
  expect(sent().tools).toMatchObject([{ type: 'function', function: { name, parameters: { type: 'object' } } }])
  expect(JSON.stringify(sent().tools)).toContain(word)
  expect(await answer.json()).toMatchObject({ content: [{ type: 'tool_use', name, input: { command: 'view' } }] })
  expect(answer.headers.get('x-tollgate-lost-fields')).toBeNull()
  useChannels(claude())
  upstream.answer = json(message)
  await ask(body, '/v1/messages')
  expect(sent().tools).toEqual([offered])
})

it('instructions with an empty question are the question, and an empty conversation is refused', async () => {
  useChannels(claude())
  upstream.answer = json(message)
  const system = { role: 'system', content: 'Tell a joke.' }
  await ask({ model: 'm', messages: [system, { role: 'user', content: '' }] })
  expect(sent().messages).toEqual([{ role: 'user', content: 'Tell a joke.' }])
  expect(sentBody()).not.toContain('...')
  upstream.received.length = 0
  expect((await ask({ model: 'm', messages: [{ role: 'user', content: ' ' }] })).status).toBe(400)
  expect(upstream.received).toEqual([])
})

it('a conversation that the assistant began says so where a turn of the user has to come first', async () => {
  useChannels(claude())
  upstream.answer = json(message)
  const greeting = { role: 'assistant', content: 'Welcome.' }
  await ask({ model: 'm', messages: [greeting, { role: 'user', content: '' }, { role: 'user', content: 'Hi' }] })
  expect(sent().messages).toEqual([
    { role: 'user', content: '(The assistant began this conversation.)' },
    greeting,
    { role: 'user', content: 'Hi' },
  ])
})
