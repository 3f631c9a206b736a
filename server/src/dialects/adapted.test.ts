import { expect, it } from 'vitest'
import { adapted } from './adapted.ts'
import { anthropicDialect, anthropicMessages } from './anthropic/dialect.ts'
import { collect } from './conversation/collect.ts'
import type { JsonObject } from './conversation/json.ts'
import type { StreamEvent } from './conversation/stream-event.ts'
import { createUnsupportedFields } from './conversation/unsupported-fields.ts'
import type { ClientDialect, UpstreamDialect } from './dialect.ts'
import { geminiContent, geminiDialect } from './gemini/dialect.ts'
import { ollamaChat } from './ollama/dialect.ts'
import { openaiChat, openaiChatDialect } from './openai-chat/dialect.ts'
import { openaiResponses } from './openai-responses/dialect.ts'
import { plainNames } from './tools/tool-names.ts'

/** Requests are changed where a provider would refuse them, and answers changed back, so clients see no difference. */

const ask = (client: ClientDialect, upstream: UpstreamDialect, body: JsonObject) => {
  const unsupported = createUnsupportedFields()
  const conversation = client.readRequest(body, { model: 'm', stream: true })
  const { conversation: translated, dialect } = adapted(conversation, upstream, unsupported)
  return { body: dialect.writeRequest(translated, unsupported), dialect, unsupported: unsupported.list() }
}

const chatAnswer = (message: JsonObject): JsonObject => ({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
const chunk = (delta: JsonObject, finish_reason: string | null = null): string =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })

const read = (dialect: UpstreamDialect, messages: readonly string[]): StreamEvent[] => {
  const reader = dialect.openStream()
  return [...messages.flatMap((message) => reader.read(message, '')), ...reader.end()]
}

const textIn = (parts: readonly unknown[] | undefined): string =>
  (parts ?? []).map((part) => (part as { text?: string }).text ?? '').join('')

const long = 'mcp.'.padEnd(90, 'x')
const toolsOfGemini = (...names: readonly string[]): JsonObject => ({
  contents: [
    { role: 'user', parts: [{ text: 'go' }] },
    { role: 'model', parts: [{ functionCall: { name: names[0], args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: names[0], response: { ok: true } } }] },
  ],
  tools: [{ functionDeclarations: names.map((name) => ({ name })) }],
  toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [names[0]] } },
})

it('names of tools that a provider refuses are replaced everywhere, each by one of its own', () => {
  const names = ['files.read', 'files_read', 'files:read', long]
  for (const upstream of [openaiChat(), anthropicMessages()]) {
    const { body, unsupported } = ask(geminiDialect, upstream, toolsOfGemini(...names))
    const sent = (body.tools as { name?: string; function?: { name: string } }[]).map((tool) => tool.function ?? tool)
    const sentNames = sent.map(({ name }) => name ?? '')
    expect(new Set(sentNames).size).toBe(4)
    for (const name of sentNames) expect(name).toMatch(plainNames)
    expect(sentNames[1]).toBe('files_read')
    expect(JSON.stringify(body.tool_choice)).toContain(`"${sentNames[0]}"`)
    expect(JSON.stringify(body.messages)).toContain(`"name":"${sentNames[0]}"`)
    expect(JSON.stringify(body)).not.toMatch(/files[.:]read|mcp\./)
    expect(unsupported).toEqual([])
  }
})

it('names that Gemini refuses are replaced there, and those that it takes stay', () => {
  const functions = ['2fa', 'files.read'].map((name) => ({ type: 'function', function: { name } }))
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: '2fa', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c', content: 'done' },
  ]
  const { body } = ask(openaiChatDialect, geminiContent(), { messages, tools: functions })
  expect(body.tools).toMatchObject([{ functionDeclarations: [{ name: '_2fa' }, { name: 'files.read' }] }])
  expect(body.contents).toMatchObject([
    {},
    { parts: [{ functionCall: { name: '_2fa' } }] },
    { parts: [{ functionResponse: { name: '_2fa' } }] },
  ])
})

it('the client gets its own tool names back, in answers and in streams', () => {
  const { body, dialect } = ask(geminiDialect, openaiChat(), toolsOfGemini('files.read', long))
  const [first, second] = (body.tools as { function: { name: string } }[]).map((tool) => tool.function.name)
  const calls = [first, second].map((name, index) => ({
    index,
    id: `c${index}`,
    type: 'function',
    function: { name, arguments: '{}' },
  }))
  const expected = [{ name: 'files.read' }, { name: long }]
  expect(dialect.readAnswer(chatAnswer({ tool_calls: calls })).choices[0]?.parts).toMatchObject(expected)
  const events = read(dialect, [chunk({ tool_calls: calls }), chunk({}, 'tool_calls'), '[DONE]'])
  expect(collect(events).choices[0]?.parts).toMatchObject(expected)
})

const bound = (schema: JsonObject, mime = 'application/json'): JsonObject => ({
  contents: [{ role: 'user', parts: [{ text: 'go' }] }],
  generationConfig: { responseMimeType: mime, responseSchema: schema },
})

const list = { title: 'My list', type: 'ARRAY', items: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } }

it('a schema of a list is asked for as the member of an object', () => {
  const schema = {
    type: 'object',
    properties: { value: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } } },
    required: ['value'],
    additionalProperties: false,
  }
  expect(ask(geminiDialect, openaiChat(), bound(list)).body.response_format).toMatchObject({
    json_schema: { name: 'My_list', schema },
  })
  expect(ask(geminiDialect, openaiResponses, bound(list)).body.text).toMatchObject({ format: { schema } })
  const { output_config } = ask(geminiDialect, anthropicMessages({ schemas: () => true }), bound(list)).body
  expect(output_config).toMatchObject({ format: { schema } })
  expect(ask(geminiDialect, ollamaChat, bound(list)).body.format).toMatchObject({ type: 'array' })
})

it('definitions stay at the root, and other references move with what they refer to', () => {
  const responseJsonSchema = {
    $defs: { a: { type: 'string' } },
    anyOf: [{ $ref: '#/$defs/a' }, { type: 'array', items: { $ref: '#' } }],
  }
  const { body } = ask(geminiDialect, openaiChat(), { contents: [], generationConfig: { responseJsonSchema } })
  expect(body.response_format).toMatchObject({
    json_schema: {
      schema: {
        $defs: { a: { type: 'string' } },
        properties: { value: { anyOf: [{ $ref: '#/$defs/a' }, { items: { $ref: '#/properties/value' } }] } },
      },
    },
  })
})

const answers: readonly (readonly [string, string])[] = [
  ['{"value":[{"a":"}"},{"a":"b"}]}', '[{"a":"}"},{"a":"b"}]'],
  [' {\n  "value" : [\n    {"a": "x"}\n  ]\n}\n', '[\n    {"a": "x"}\n  ]'],
  ['{"value":{"a":{"b":{}}}}', '{"a":{"b":{}}}'],
  ['{"value":7}', '7'],
  // From models that do as they like.
  ['[{"a":"x"}]', '[{"a":"x"}]'],
  ['{"values":[1]}', '{"values":[1]}'],
  ['Sorry, I cannot.', 'Sorry, I cannot.'],
  ['{"val', '{"val'],
]

it.each(answers)('%j is taken out of its object, whole and letter by letter', (wrapped, text) => {
  const { dialect } = ask(geminiDialect, openaiChat(), bound(list))
  expect(textIn(dialect.readAnswer(chatAnswer({ content: wrapped })).choices[0]?.parts)).toBe(text)
  for (const pieces of [[wrapped], [...wrapped]]) {
    const events = read(dialect, [...pieces.map((content) => chunk({ content })), chunk({}, 'stop'), '[DONE]'])
    expect(textIn(collect(events).choices[0]?.parts)).toBe(text)
    expect(events.slice(-2).map(({ kind }) => kind)).toEqual(['finish', 'end'])
  }
})

it('a word of a list comes without quotes where Google’s client asks for that', () => {
  const enumRequest = bound({ type: 'STRING', enum: ['red', 'blue'] }, 'text/x.enum')
  const { dialect } = ask(geminiDialect, openaiChat(), enumRequest)
  expect(textIn(dialect.readAnswer(chatAnswer({ content: '{"value":"red"}' })).choices[0]?.parts)).toBe('red')
  const pieces = [...'{"value":"blue"}'].map((content) => chunk({ content }))
  expect(textIn(collect(read(dialect, [...pieces, chunk({}, 'stop'), '[DONE]'])).choices[0]?.parts)).toBe('blue')
  const local = ask(geminiDialect, ollamaChat, enumRequest).dialect
  const answer = local.readAnswer({ message: { role: 'assistant', content: '"red"' }, done: true })
  expect(textIn(answer.choices[0]?.parts)).toBe('red')
  expect(ask(geminiDialect, geminiContent(), enumRequest).body.generationConfig).toMatchObject({
    responseMimeType: 'text/x.enum',
  })
})

it('search results in the client’s history become text for dialects without searches', () => {
  const found = {
    type: 'search_result',
    source: 'https://a.example/x',
    title: 'Tides',
    content: [{ type: 'text', text: 'The moon pulls.' }],
    citations: { enabled: true },
  }
  const body = {
    max_tokens: 99,
    messages: [
      { role: 'user', content: 'why?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'search', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [found] }, found] },
    ],
  }
  for (const upstream of [openaiChat(), openaiResponses, geminiContent()]) {
    const { body: sent, unsupported } = ask(anthropicDialect, upstream, body)
    expect(JSON.stringify(sent).split('Tides\\nhttps://a.example/x\\nThe moon pulls.')).toHaveLength(3)
    expect(unsupported).toEqual(['messages.search_result.citations'])
  }
  const own = ask(anthropicDialect, anthropicMessages(), body)
  expect(own.body.messages).toMatchObject([{}, {}, { content: [{ content: [found] }, found] }])
  expect(own.unsupported).toEqual([])
})
