import { describe, expect, it } from 'vitest'
import { useScene } from '../support/gateway/scene.ts'
import { chatPath, messagesPath, responsesPath, sent } from '../support/gateway/sent.ts'

/** Members that a strict provider refuses, and those that it misses. */

useScene()

const user = { role: 'user', content: 'x' }
const chat = '"messages":[ {"role":"user","content":"hi"}]'

describe('null members', () => {
  it.each([42, 8, 43, 45, 40, 25, 26, 17, 35, 46, 47, 48, 27])(
    'are left out at type %i, and the rest keeps its bytes',
    async (type) => {
      const text = `{"model":"m", "logit_bias":null,"user":null,"temperature":1.0,"messages":[ {"role":"user", "content":"hi","name":null},{"role":"assistant","content":null,"function_call":null}]}`
      const { raw } = await sent(type, chatPath, text)
      expect(JSON.parse(raw)).toEqual({
        model: 'm',
        temperature: 1,
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: null },
        ],
      })
      expect(raw).toContain('"temperature":1.0')
      expect(raw).toContain('[ {"role":"user", "content":"hi"},{"role":"assistant","content":null}]')
    },
  )

  it.each([1, 3, 20])('stay at OpenAI’s own and at OpenRouter, type %i', async (type) => {
    const text = `{"model":"gpt-4o","user":null,${chat}}`
    expect((await sent(type, chatPath, text)).raw).toBe(text)
  })

  // All that Volcengine's Ark client sends with every call (volcengine-ark-runtime 5.0.54).
  const arkChat = ['logit_bias', 'function_call', 'user', 'n', 'repetition_penalty', 'thinking', 'tools']
  const arkResponses = ['previous_response_id', 'thinking', 'caching', 'context_management', 'expire_at', 'session']
  const nulls = (names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, null]))

  it.each([1, 3])('that OpenAI has stay there, and others are left out, type %i', async (type) => {
    const chats = await sent(type, chatPath, { model: 'gpt-4o', messages: [user], ...nulls(arkChat) })
    const kept = nulls(['logit_bias', 'function_call', 'user', 'n', 'tools'])
    expect(chats.body).toEqual({ model: 'gpt-4o', messages: [user], ...kept })
    const vectors = await sent(type, '/v1/embeddings', { model: 'm', input: 'x', ...nulls(['user', 'truncate']) })
    expect(vectors.body).toEqual({ model: 'm', input: 'x', user: null })
    const picture = { model: 'gpt-image-1', prompt: 'x' }
    const pictures = await sent(type, '/v1/images/generations', { ...picture, ...nulls(['size', 'watermark', 'seed']) })
    expect(pictures.body).toEqual({ ...picture, size: null })
  })

  it.each([
    [1, 'gpt-4o', ['previous_response_id', 'context_management']],
    [1, 'grok-4', []],
    [48, 'grok-4', []],
  ])('of Responses stay at type %i for %s where OpenAI has them', async (type, model, kept) => {
    const { body } = await sent(type, responsesPath, { model, input: 'x', ...nulls(arkResponses) })
    expect(body).toEqual({ model, input: 'x', ...nulls(kept) })
  })

  it('are left out for other makers’ models at an address of the type OpenAI', async () => {
    const { raw } = await sent(1, chatPath, `{"model":"mistral-large-latest","user":null,${chat}}`)
    expect(raw).toBe(`{"model":"mistral-large-latest",${chat}}`)
  })

  it('are left out of tools and of embeddings', async () => {
    const tools = [{ type: 'function', function: { name: 'a', strict: null, parameters: { default: null } } }]
    const { body } = await sent(42, chatPath, { model: 'm', messages: [user], tools })
    expect(body.tools).toEqual([{ type: 'function', function: { name: 'a', parameters: { default: null } } }])
    const vectors = await sent(42, '/v1/embeddings', { model: 'm', input: 'x', user: null, dimensions: null })
    expect(vectors.body).toEqual({ model: 'm', input: 'x' })
  })
})

describe('Mistral', () => {
  it.each([
    [42, 'mistral-large-latest'],
    [42, 'my-fine-tuned'],
    [8, 'magistral-medium-latest'],
  ])('at type %i gets no thoughts of other models: %s', async (type, model) => {
    const said = { role: 'assistant', content: 'a', reasoning_content: 'th', reasoning_details: [], refusal: null }
    const { body, lost } = await sent(type, chatPath, { model, messages: [user, said, user] })
    expect(body.messages).toEqual([user, { role: 'assistant', content: 'a' }, user])
    expect(lost).toEqual(['messages.thinking'])
  })

  it('gets nothing that only OpenAI has, and hears of the seed in its own word', async () => {
    const call = {
      model: 'mistral-large-latest',
      messages: [{ ...user, name: 'ann' }],
      store: false,
      user: 'u',
      seed: 7,
    }
    const { body, lost } = await sent(42, chatPath, { ...call, logprobs: true, metadata: { a: '1' } })
    expect(body).toEqual({ model: call.model, messages: [user], random_seed: 7 })
    expect([...lost].sort()).toEqual(['logprobs', 'messages.name', 'metadata', 'user'])
  })

  it('gets the same from a client of Messages', async () => {
    const call = {
      model: 'mistral-large-latest',
      max_tokens: 9,
      metadata: { user_id: 'u' },
      top_k: 3,
      messages: [user],
    }
    const { body, lost } = await sent(42, messagesPath, call)
    expect(body).toEqual({ model: call.model, max_tokens: 9, messages: [user] })
    expect(lost).toEqual(['top_k', 'user'])
  })
})

describe('calls without the reasoning before them', () => {
  const call = { id: 'c9', type: 'function', function: { name: 'a', arguments: '{}' } }
  const result = { role: 'tool', tool_call_id: 'c9', content: '1' }
  const tools = [{ type: 'function', function: { name: 'a' } }]
  const history = (more: object = {}) => [
    user,
    { role: 'assistant', content: null, tool_calls: [call], ...more },
    result,
  ]

  it.each([
    [25, 'kimi-k2.6'],
    [43, 'deepseek-reasoner'],
    [25, 'kimi-k2-thinking'],
    [8, 'kimi-k3'],
    [1, 'deepseek-v4-pro'],
    [43, 'deepseek-flash'],
    [40, 'Pro/moonshotai/Kimi-K2.5'],
    [45, 'deepseek-v4-pro-260425'],
  ])('get some at type %i, %s', async (type, model) => {
    const { body } = await sent(type, chatPath, { model, messages: history(), tools })
    expect(body.messages?.[1]).toEqual({ ...history()[1], reasoning_content: ' ' })
    const ant = await sent(type, messagesPath, {
      model,
      max_tokens: 9,
      messages: [
        user,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c9', name: 'a', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c9', content: '1' }] },
      ],
    })
    expect(ant.body.messages?.[1]).toMatchObject({ reasoning_content: ' ' })
  })

  it.each([
    [25, 'kimi-k2.6', history({ reasoning_content: 'th' }), {}],
    [43, 'deepseek-v4-pro', history(), { thinking: { type: 'disabled' } }],
    [43, 'deepseek-chat', history(), {}],
    [20, 'moonshotai/kimi-k2.6', history(), {}],
    [26, 'glm-4.6', history(), {}],
    [8, 'llama', history(), {}],
  ])('stay as they came at type %i, %s', async (type, model, messages, more) => {
    const text = JSON.stringify({ model, ...more, messages, tools })
    expect((await sent(type, chatPath, text)).raw).toBe(text)
  })
})
