import { describe, expect, it } from 'vitest'
import { anthropicDialect } from '../anthropic/dialect.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { createUnsupportedFields } from '../conversation/unsupported-fields.ts'
import { openaiChatDialect } from '../openai-chat/dialect.ts'
import { writeRequest } from './write-request.ts'

const written = (conversation: Conversation) => {
  const unsupported = createUnsupportedFields()
  return { body: writeRequest(conversation, unsupported), unsupported: unsupported.list() }
}

const chat = (body: Record<string, unknown>, model = 'amazon.nova-lite-v1:0') =>
  written(
    openaiChatDialect.readRequest({ messages: [{ role: 'user', content: 'hi' }], ...body }, { model, stream: false }),
  )

const claude = (body: Record<string, unknown>, model = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/x') =>
  written(
    anthropicDialect.readRequest(
      { messages: [{ role: 'user', content: 'hi' }], max_tokens: 9, ...body },
      { model, stream: false },
    ),
  )

const weather = {
  type: 'function',
  function: { name: 'weather', description: 'Of a place', parameters: { type: 'object', properties: {} } },
}
const spec = {
  toolSpec: { name: 'weather', description: 'Of a place', inputSchema: { json: { type: 'object', properties: {} } } },
}

describe('a request of Converse', () => {
  it('has the model in its address, and settings in a place of their own', () => {
    expect(chat({ max_tokens: 5, temperature: 0, top_p: 0.5, stop: ['x'], seed: 1 })).toEqual({
      body: {
        messages: [{ role: 'user', content: [{ text: 'hi' }] }],
        inferenceConfig: { maxTokens: 5, temperature: 0, topP: 0.5, stopSequences: ['x'] },
      },
      unsupported: ['seed'],
    })
  })

  it('carries calls and their results, those of one turn together', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } })
    const { body, unsupported } = chat({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Where?' },
        { role: 'assistant', content: 'Wait.', tool_calls: [call('a'), call('b')] },
        { role: 'tool', tool_call_id: 'a', content: 'hot' },
        { role: 'tool', tool_call_id: 'b', content: '' },
        { role: 'user', content: 'And?' },
      ],
      tools: [weather],
      tool_choice: 'required',
    })
    const input = { city: 'Rome' }
    expect(unsupported).toEqual([])
    expect(body).toEqual({
      system: [{ text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ text: 'Where?' }] },
        {
          role: 'assistant',
          content: [
            { text: 'Wait.' },
            { toolUse: { toolUseId: 'a', name: 'weather', input } },
            { toolUse: { toolUseId: 'b', name: 'weather', input } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'a', content: [{ text: 'hot' }] } },
            { toolResult: { toolUseId: 'b', content: [{ json: {} }] } },
            { text: 'And?' },
          ],
        },
      ],
      toolConfig: { tools: [spec], toolChoice: { any: {} } },
    })
  })

  it('names the tools of the history where none is offered any more', () => {
    const history = [
      { role: 'user', content: 'Where?' },
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'hot' },
    ]
    const { body, unsupported } = chat({ messages: history, tools: [weather], tool_choice: 'none' })
    expect(body.toolConfig).toEqual({
      tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object', properties: {} } } } }],
    })
    expect(unsupported).toEqual(['tool_choice'])
    expect(chat({ tools: [weather], tool_choice: 'none' }).body).not.toHaveProperty('toolConfig')
  })

  it('sends pictures and documents as bytes, each document under a name of its own', () => {
    const file = (filename: string) => ({
      type: 'file',
      file: { filename, file_data: 'data:application/pdf;base64,JVBERg==' },
    })
    const { body, unsupported } = chat({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AAAA' } },
            { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
            file('My_report (v2).pdf'),
            file('My_report (v2).pdf'),
          ],
        },
      ],
    })
    const document = (name: string) => ({ document: { name, format: 'pdf', source: { bytes: 'JVBERg==' } } })
    expect(body.messages).toEqual([
      {
        role: 'user',
        content: [
          { image: { format: 'jpeg', source: { bytes: 'AAAA' } } },
          document('My-report (v2)'),
          document('My-report (v2) 2'),
          { text: 'Attached: My-report (v2), My-report (v2) 2' },
        ],
      },
    ])
    expect(unsupported).toEqual(['messages.image.url'])
  })

  it('marks what is cached behind it, in messages, system and tools', () => {
    const cache_control = { type: 'ephemeral' }
    const { body, unsupported } = claude({
      system: [{ type: 'text', text: 'Long.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', cache_control }] }],
      tools: [{ name: 'weather', input_schema: { type: 'object' }, cache_control }],
    })
    const point = { cachePoint: { type: 'default' } }
    expect(body).toMatchObject({
      system: [{ text: 'Long.' }, { cachePoint: { type: 'default', ttl: '1h' } }],
      messages: [{ content: [{ text: 'hi' }, point] }],
      toolConfig: { tools: [{ toolSpec: { name: 'weather' } }, point] },
    })
    expect(unsupported).toEqual([])
  })

  it('gives thoughts back that Anthropic signed, and no others', () => {
    const messages = [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
          { type: 'redacted_thinking', data: 'EuEC' },
          { type: 'thinking', thinking: 'Unsigned.', signature: '' },
          { type: 'text', text: 'Yes.' },
        ],
      },
    ]
    const { body, unsupported } = claude({ messages })
    expect(body.messages).toMatchObject([
      {},
      {
        content: [
          { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'sig' } } },
          { reasoningContent: { redactedContent: 'RXVFQw==' } },
          { text: 'Yes.' },
        ],
      },
    ])
    expect(unsupported).toEqual(['messages.thinking'])
  })

  it.each([
    ['us.amazon.nova-2-lite-v1:0', { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } }],
    ['openai.gpt-oss-120b-1:0', { reasoning_effort: 'low' }],
    ['us.anthropic.claude-3-7-sonnet-20250219-v1:0', { thinking: { type: 'enabled', budget_tokens: 2048 } }],
  ])('asks %s to reason in its vendor’s fields', (model, fields) => {
    expect(chat({ reasoning_effort: 'low' }, model).body.additionalModelRequestFields).toEqual(fields)
  })

  it('says what it cannot ask for', () => {
    const { body, unsupported } = chat(
      { reasoning_effort: 'low', top_k: 3, response_format: { type: 'json_object' }, logit_bias: {}, n: 2 },
      'meta.llama4',
    )
    expect(body).toEqual({ messages: [{ role: 'user', content: [{ text: 'hi' }] }] })
    expect(unsupported).toEqual(['logit_bias', 'n', 'reasoning', 'response_format', 'top_k'])
  })

  it('binds answers to a schema, which it wants closed, and passes Bedrock’s own members on', () => {
    const guardrailConfig = { guardrailIdentifier: 'g', guardrailVersion: '1' }
    const json_schema = { name: 'City', schema: { type: 'object' }, strict: true }
    const schema = JSON.stringify({ type: 'object', properties: {}, additionalProperties: false })
    const { body, unsupported } = chat({ guardrailConfig, response_format: { type: 'json_schema', json_schema } })
    expect(body).toMatchObject({
      guardrailConfig,
      outputConfig: {
        textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'City', schema } } },
      },
    })
    expect(unsupported).toEqual([])
  })
})

it('names calls as Converse allows, and their results alike', () => {
  const long = `call_${'x'.repeat(80)}`
  const call = (id: string) => ({ id, type: 'function', function: { name: 'weather', arguments: '{}' } })
  const { body } = chat({
    messages: [
      { role: 'user', content: 'Where?' },
      { role: 'assistant', content: null, tool_calls: [call('functions.weather:0'), call(long)] },
      { role: 'tool', tool_call_id: 'functions.weather:0', content: 'hot' },
      { role: 'tool', tool_call_id: long, content: 'cold' },
    ],
    tools: [weather],
  })
  const ids = JSON.stringify(body.messages).match(/"toolUseId":"[^"]*"/g) ?? []
  expect(ids).toHaveLength(4)
  for (const id of ids) expect(id).toMatch(/^"toolUseId":"[a-zA-Z0-9_-]{1,64}"$/)
  expect(ids.slice(0, 2)).toEqual(ids.slice(2))
  expect(new Set(ids).size).toBe(2)
})
