import { describe, expect, it } from 'vitest'
import { createUnsupportedFields } from '../conversation/unsupported-fields.ts'
import { openaiChatDialect } from '../openai-chat/dialect.ts'
import { ollamaChat } from './dialect.ts'

const chat = (body: Record<string, unknown>, model = 'qwen3') => {
  const unsupported = createUnsupportedFields()
  const request = { messages: [{ role: 'user', content: 'hi' }], ...body }
  const conversation = openaiChatDialect.readRequest(request, { model, stream: false })
  return { body: ollamaChat.writeRequest(conversation, unsupported), unsupported: unsupported.list() }
}

describe('a chat of Ollama', () => {
  it('has options beside it, and says that it wants no stream', () => {
    expect(chat({ max_tokens: 5, temperature: 0, stop: ['x'], keep_alive: '5m', options: { num_ctx: 4096 } })).toEqual({
      body: {
        model: 'qwen3',
        messages: [{ role: 'user', content: 'hi' }],
        stream: false,
        keep_alive: '5m',
        options: { num_ctx: 4096, num_predict: 5, temperature: 0, stop: ['x'] },
      },
      unsupported: [],
    })
  })

  it('has one text per message, pictures as bytes, and arguments as objects', () => {
    const { body, unsupported } = chat({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
            { type: 'image_url', image_url: { url: 'https://x/a.png' } },
          ],
        },
        {
          role: 'assistant',
          reasoning_content: 'Hm.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'red' },
      ],
    })
    expect(body.messages).toEqual([
      { role: 'user', content: 'a\nb', images: ['AAAA'] },
      {
        role: 'assistant',
        content: '',
        thinking: 'Hm.',
        tool_calls: [{ id: 'c1', function: { name: 'f', arguments: { x: 1 } } }],
      },
      { role: 'tool', content: 'red', tool_call_id: 'c1', tool_name: 'f' },
    ])
    expect(unsupported).toEqual(['messages.image.url'])
  })

  it.each([
    ['qwen3', 'none', false],
    ['qwen3', 'high', true],
    ['gpt-oss:20b', 'minimal', 'low'],
    ['gpt-oss:20b', 'high', 'high'],
  ])('lets %s think as much as %s', (model, reasoning_effort, think) => {
    expect(chat({ reasoning_effort }, model).body.think).toBe(think)
  })

  it('binds answers to JSON or to a schema', () => {
    expect(chat({ response_format: { type: 'json_object' } }).body.format).toBe('json')
    const json_schema = { name: 'x', schema: { type: 'object' } }
    expect(chat({ response_format: { type: 'json_schema', json_schema } }).body.format).toEqual({ type: 'object' })
  })

  it('has no choice of tools but to leave them out', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }]
    expect(chat({ tools, tool_choice: 'none' }).body).not.toHaveProperty('tools')
    expect(chat({ tools, tool_choice: 'required' })).toMatchObject({ unsupported: ['tool_choice'] })
  })
})

const line = (message: object, more: object = {}) =>
  JSON.stringify({ model: 'm', created_at: '2026-01-02T03:04:05.678Z', message, done: false, ...more })

describe('what Ollama streams', () => {
  it('holds thoughts, calls that come whole, and the usage at the end', () => {
    const reader = ollamaChat.openStream()
    const call = { function: { name: 'f', arguments: { x: 1 } } }
    const events = [
      line({ thinking: 'Hm.' }),
      line({ tool_calls: [call] }),
      line({ tool_calls: [{ id: 'own', ...call }] }),
      line({ content: '' }, { done: true, done_reason: 'stop', prompt_eval_count: 3, eval_count: 4 }),
    ].flatMap((data) => reader.read(data, ''))
    expect(events).toMatchObject([
      { kind: 'start', model: 'm', created: 1767323045 },
      { kind: 'thinking', text: 'Hm.' },
      { kind: 'tool_call', index: 0, id: 'call_20260102030405678_0', name: 'f' },
      { kind: 'arguments', index: 0, text: '{"x":1}' },
      { kind: 'tool_call', index: 1, id: 'own' },
      { kind: 'arguments', index: 1 },
      { kind: 'finish', finish: 'tool_calls' },
      { kind: 'usage', usage: { input: 3, output: 4 } },
      { kind: 'end' },
    ])
    expect(reader.end()).toEqual([])
  })

  it('may end with an error', () => {
    expect(ollamaChat.openStream().read('{"error":"out of memory"}', '')).toEqual([
      { kind: 'error', type: 'upstream_error', message: 'out of memory' },
    ])
    expect(ollamaChat.errorOf?.({ error: 'model not found' })).toEqual({ message: 'model not found' })
  })

  it('reports its output when a cached prompt is not reported', () => {
    const answer = { message: { content: 'x' }, done: true }
    expect(ollamaChat.readAnswer({ ...answer, eval_count: 4 }).usage).toMatchObject({ input: 0, output: 4 })
    expect(ollamaChat.readAnswer(answer).usage).toBeUndefined()
  })
})

it('log probabilities come as OpenAI’s, whole and streamed', () => {
  const entry = { token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: [{ token: 'Yo', logprob: -3 }] }
  const line = { model: 'qwen3', message: { role: 'assistant', content: 'Hi' }, logprobs: [entry], done: true }
  const logprobs = { content: [entry] }
  expect(ollamaChat.readAnswer(line).choices).toMatchObject([{ logprobs }])
  expect(ollamaChat.openStream().read(JSON.stringify(line), '')).toContainEqual({
    kind: 'text',
    choice: 0,
    text: 'Hi',
    logprobs,
  })
})
