import { describe, expect, it } from 'vitest'
import { useScene } from '../support/gateway/scene.ts'
import { chatPath, messagesPath, responsesPath, type Sent, sent } from '../support/gateway/sent.ts'

/** Schemas of tools and answers where a provider takes less than JSON Schema has. */

useScene()

const text = { type: 'string' }
const messages = [{ role: 'user', content: 'x' }]
const combined = {
  type: 'object',
  properties: { route: text, file: text },
  anyOf: [{ required: ['route'] }, { required: ['file'] }],
}
const plain = {
  type: 'object',
  properties: { route: text, file: text },
  description: expect.stringContaining('"required":["route"]'),
}
const chatTools = (parameters: object) => [{ type: 'function', function: { name: 'a', parameters } }]
const bedrock = (model: string) => ({ type: 33, keys: ['AK|SK|us-east-1'], modelMapping: new Map([['m', model]]) })

describe('combinators at the root of a tool', () => {
  it.each([
    [
      { type: 14, modelMapping: new Map([['m', 'claude-sonnet-4-5']]) },
      (body: Sent['body']) => body.tools?.[0]?.input_schema,
    ],
    [bedrock('claude-opus-4-8'), (body: Sent['body']) => body.tools?.[0]?.input_schema],
    [bedrock('amazon.nova-pro-v1:0'), (body: Sent['body']) => body.toolConfig?.tools?.[0]?.toolSpec?.inputSchema?.json],
    [
      { type: 1, modelMapping: new Map([['m', 'gpt-4o']]) },
      (body: Sent['body']) => body.tools?.[0]?.function?.parameters,
    ],
    [{ type: 1, modelMapping: new Map([['m', 'gpt-5.6']]) }, (body: Sent['body']) => body.tools?.[0]?.parameters],
    [
      { type: 3, modelMapping: new Map([['m', 'gpt-4o']]) },
      (body: Sent['body']) => body.tools?.[0]?.function?.parameters,
    ],
    [
      { type: 20, modelMapping: new Map([['m', 'anthropic/claude-sonnet-4.5']]) },
      (body: Sent['body']) => body.tools?.[0]?.function?.parameters,
    ],
  ])('are folded for %j', async (at, schemaIn) => {
    const { body, lost } = await sent(at, chatPath, { model: 'm', messages, tools: chatTools(combined) })
    expect(schemaIn(body)).toEqual(plain)
    expect(lost).toContain('tools.parameters')
  })

  it('are folded in Messages and in Responses as well', async () => {
    const tools = [{ name: 'a', input_schema: combined }]
    for (const at of [14, bedrock('claude-opus-4-8')]) {
      const call = { model: typeof at === 'number' ? 'claude-opus-4-8' : 'm', max_tokens: 9, messages, tools }
      const { body, lost } = await sent(at, messagesPath, call)
      expect(body.tools).toEqual([{ name: 'a', input_schema: plain }])
      expect(lost).toContain('tools.input_schema')
    }
    const call = {
      model: 'gpt-5.2',
      input: 'x',
      tools: [{ type: 'function', name: 'a', parameters: combined, strict: true }],
    }
    const { body } = await sent(1, responsesPath, call)
    expect(body.tools).toEqual([{ type: 'function', name: 'a', parameters: plain }])
  })

  it.each([
    [43, 'deepseek-chat'],
    [24, 'gemini-2.5-flash'],
    [26, 'glm-4.6'],
  ])('stay for models that take them: type %i, %s', async (type, model) => {
    const { raw, lost } = await sent(type, chatPath, { model, messages, tools: chatTools(combined) })
    expect(raw).toContain('"anyOf":[{"required":["route"]}')
    expect(lost).toEqual([])
  })
})

describe('references to Gemini', () => {
  const Addr = { type: 'object', properties: { city: text } }
  const schema = {
    type: 'object',
    properties: { addr: { $ref: '#/$defs/Addr', description: 'where to', default: null } },
    $defs: { Addr },
  }
  const resolved = { type: 'object', properties: { addr: { ...Addr, description: 'where to', default: null } } }

  it('are replaced in tools and formats of all clients', async () => {
    const model = 'gemini-2.5-flash'
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } }
    const chat = await sent(24, chatPath, { model, messages, tools: chatTools(schema), response_format })
    expect(chat.body.tools?.[0]?.functionDeclarations?.[0]?.parametersJsonSchema).toEqual(resolved)
    expect(chat.body.generationConfig?.responseJsonSchema).toEqual(resolved)
    const ant = { model, max_tokens: 9, messages, tools: [{ name: 'a', input_schema: schema }] }
    expect(
      (await sent(24, messagesPath, ant)).body.tools?.[0]?.functionDeclarations?.[0]?.parametersJsonSchema,
    ).toEqual(resolved)
    const resp = { model, input: 'x', tools: [{ type: 'function', name: 'a', parameters: schema }] }
    expect(
      (await sent(24, responsesPath, resp)).body.tools?.[0]?.functionDeclarations?.[0]?.parametersJsonSchema,
    ).toEqual(resolved)
  })

  it.each(['gemini-2.5-flash', 'gemini-3.8-flash'])('in results of tools are text for %s', async (model) => {
    const results = ['{"schema":{"properties":{"p":{"$ref":"#/$defs/P"}}}}', '{"a":[{"$defs":{}}]}']
    for (const content of results) {
      const call = { id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }
      const history = [
        ...messages,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content },
      ]
      const { body } = await sent(24, chatPath, { model, messages: history })
      expect(body.contents?.[messages.length + 1]?.parts?.[0]?.functionResponse?.response).toEqual({ result: content })
    }
  })
})

it('Gemini gets no empty texts', async () => {
  const content = [
    { type: 'text', text: '' },
    { type: 'text', text: 'hello' },
  ]
  const call = { model: 'gemini-2.5-flash', max_tokens: 9, system: content, messages: [{ role: 'user', content }] }
  const { body } = await sent(24, messagesPath, call)
  expect(body.contents).toEqual([{ role: 'user', parts: [{ text: 'hello' }] }])
  expect(body.systemInstruction).toEqual({ parts: [{ text: 'hello' }] })
})

describe('a picture of the type image/jpg', () => {
  const content = [{ type: 'image_url', image_url: { url: 'data:image/jpg;base64,/9j/4AAQ' } }]

  it.each([
    [14, 'claude-sonnet-4-5', '"media_type":"image/jpeg"'],
    [24, 'gemini-2.5-flash', '"mimeType":"image/jpeg"'],
  ])('has its registered name at type %i', async (type, model, expected) => {
    expect((await sent(type, chatPath, { model, messages: [{ role: 'user', content }] })).raw).toContain(expected)
  })

  it('has it from other clients and in results of tools', async () => {
    const model = 'claude-sonnet-4-5'
    const input = [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:IMAGE/JPG;base64,/9j/4AAQ' }] }]
    expect((await sent(14, responsesPath, { model, input })).raw).toContain('"media_type":"image/jpeg"')
    const results = [
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: input[0]?.content },
    ]
    expect((await sent(14, responsesPath, { model, input: results })).raw).toContain('"media_type":"image/jpeg"')
  })
})
