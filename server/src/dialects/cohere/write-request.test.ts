import { describe, expect, it } from 'vitest'
import { createUnsupportedFields } from '../conversation/unsupported-fields.ts'
import { openaiChatDialect } from '../openai-chat/dialect.ts'
import { cohereChat } from './dialect.ts'

const chat = (body: Record<string, unknown>, model = 'command-a-03-2025') => {
  const unsupported = createUnsupportedFields()
  const request = { messages: [{ role: 'user', content: 'hi' }], ...body }
  const conversation = openaiChatDialect.readRequest(request, { model, stream: false })
  return { body: cohereChat.writeRequest(conversation, unsupported), unsupported: unsupported.list() }
}

const tool = (name: string, more: object = {}) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} }, ...more },
})

describe('a chat of Cohere', () => {
  it('has names of its own for settings, and ends below a `p` of 1', () => {
    expect(chat({ max_tokens: 5, temperature: 0.2, top_p: 1, top_k: 3, stop: 'x', seed: 1, user: 'u' })).toEqual({
      body: {
        model: 'command-a-03-2025',
        messages: [{ role: 'user', content: 'hi' }],
        stream: false,
        max_tokens: 5,
        temperature: 0.2,
        p: 0.99,
        k: 3,
        seed: 1,
        stop_sequences: ['x'],
      },
      unsupported: ['user'],
    })
  })

  it('keeps every message, and what stands before calls as their plan', () => {
    const { body, unsupported } = chat({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image_url', image_url: { url: 'https://x/a.png' } },
          ],
        },
        {
          role: 'assistant',
          content: 'I look.',
          reasoning_content: 'Hm.',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'red' },
        { role: 'assistant', content: 'Red.' },
      ],
    })
    expect(unsupported).toEqual([])
    expect(body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'https://x/a.png' } },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'Hm.' }],
        tool_plan: 'I look.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'red' },
      { role: 'assistant', content: 'Red.' },
    ])
  })

  it('demands one tool by offering no other', () => {
    const tools = [tool('a'), tool('b', { strict: true })]
    const named = chat({ tools, tool_choice: { type: 'function', function: { name: 'b' } } })
    expect(named.body).toMatchObject({ tool_choice: 'REQUIRED', strict_tools: true })
    expect(named.body.tools).toHaveLength(1)
    expect(chat({ tools, tool_choice: 'auto' }).body).not.toHaveProperty('tool_choice')
    expect(chat({ tools, tool_choice: 'none' }).body).toMatchObject({ tool_choice: 'NONE' })
  })

  it('thinks where the model can, and says so where it cannot', () => {
    const model = 'command-a-reasoning-08-2025'
    expect(chat({ reasoning_effort: 'none' }, model).body.thinking).toEqual({ type: 'disabled' })
    expect(chat({ reasoning_effort: 'low' }, model).body.thinking).toEqual({ type: 'enabled', token_budget: 2048 })
    expect(chat({ reasoning_effort: 'low' })).toMatchObject({ unsupported: ['reasoning'] })
    expect(chat({ reasoning_effort: 'none' })).toMatchObject({ unsupported: [] })
  })

  it('binds answers to a schema and passes Cohere’s own members on', () => {
    const json_schema = { name: 'x', schema: { type: 'object' } }
    const { body, unsupported } = chat({
      response_format: { type: 'json_schema', json_schema },
      safety_mode: 'STRICT',
      logit_bias: {},
    })
    expect(body).toMatchObject({
      response_format: { type: 'json_object', json_schema: { type: 'object' } },
      safety_mode: 'STRICT',
    })
    expect(unsupported).toEqual(['logit_bias'])
  })
})

it('reports a failure of the model, also one that arrives as a finish reason', () => {
  expect(cohereChat.errorOf?.({ message: 'too many tokens', error_type: 'TOO_MANY_TOKENS' })).toEqual({
    message: 'too many tokens',
    type: 'TOO_MANY_TOKENS',
  })
  expect(cohereChat.errorOf?.({ message: { role: 'assistant' }, finish_reason: 'TIMEOUT' })?.type).toBe('TIMEOUT')
  expect(cohereChat.errorOf?.({ message: { role: 'assistant' }, finish_reason: 'COMPLETE' })).toBeUndefined()
  const event = JSON.stringify({ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'broke' } })
  expect(cohereChat.openStream().read(event, '')).toEqual([{ kind: 'error', type: 'ERROR', message: 'broke' }])
})
