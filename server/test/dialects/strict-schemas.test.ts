import { expect, it } from 'vitest'
import { anthropicDialect, anthropicMessages } from '../../src/dialects/anthropic/dialect.ts'
import type { JsonObject } from '../../src/dialects/conversation/json.ts'
import { createUnsupportedFields } from '../../src/dialects/conversation/unsupported-fields.ts'
import type { ClientDialect, UpstreamDialect } from '../../src/dialects/dialect.ts'
import { geminiDialect } from '../../src/dialects/gemini/dialect.ts'
import { openaiChat, openaiChatDialect } from '../../src/dialects/openai-chat/dialect.ts'
import { openaiResponses } from '../../src/dialects/openai-responses/dialect.ts'

/** Schemas that one provider takes and another refuses. */

const model = 'claude-sonnet-4-5'
const ask = (client: ClientDialect, upstream: UpstreamDialect, body: JsonObject) => {
  const unsupported = createUnsupportedFields()
  const empty = client.name === 'gemini' ? { contents: [] } : { messages: [] }
  const conversation = client.readRequest({ ...empty, ...body }, { model, stream: false })
  return { body: upstream.writeRequest(conversation, unsupported), lost: unsupported.list() }
}

const age = { type: 'integer', description: 'In years', minimum: 0, maximum: 150 }
const person = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { age, mail: { type: 'string', format: 'email', maxLength: 9 }, rest: { type: 'object' } },
  required: ['age'],
}
const bound = {
  type: 'object',
  properties: {
    age: { type: 'integer', description: 'In years\n\n{minimum: 0, maximum: 150}' },
    mail: { type: 'string', format: 'email', description: '{maxLength: 9}' },
    rest: { type: 'object', properties: {}, additionalProperties: false },
  },
  required: ['age'],
  additionalProperties: false,
}

it('schemas for Claude keep unsupported limits as descriptions, and its objects are closed', () => {
  const response_format = { type: 'json_schema', json_schema: { name: 'p', schema: person } }
  const tools = [{ type: 'function', function: { name: 'f', parameters: person, strict: true } }]
  const translated = ask(openaiChatDialect, anthropicMessages(), { response_format, tools })
  expect(translated.body.output_config).toEqual({ format: { type: 'json_schema', schema: bound } })
  expect(translated.body.tools).toMatchObject([{ strict: true, input_schema: bound }])
  expect(translated.lost).toEqual([])
})

it('other tools of Claude’s and schemas of its own clients stay as they are', () => {
  const tools = [{ type: 'function', function: { name: 'f', parameters: person } }]
  expect(ask(openaiChatDialect, anthropicMessages(), { tools }).body.tools).toMatchObject([{ input_schema: person }])
  const output_config = { format: { type: 'json_schema', schema: person } }
  expect(ask(anthropicDialect, anthropicMessages(), { output_config, max_tokens: 9 }).body).toMatchObject({
    output_config: { format: { schema: person } },
  })
})

it('Google’s schemas, which close nothing, bind Claude too; free members are lost by name', () => {
  const responseSchema = { type: 'OBJECT', properties: { a: { type: 'STRING' } } }
  const settings = { responseMimeType: 'application/json', responseSchema }
  expect(ask(geminiDialect, anthropicMessages(), { generationConfig: settings }).body.output_config).toMatchObject({
    format: { schema: { properties: { a: { type: 'string' } }, additionalProperties: false } },
  })
  const schema = { type: 'object', additionalProperties: { type: 'string' } }
  const response_format = { type: 'json_schema', json_schema: { name: 'p', schema } }
  expect(ask(openaiChatDialect, anthropicMessages(), { response_format }).lost).toEqual([
    'response_format.additionalProperties',
  ])
})

it('OpenAI is strict only about what it can be strict about', () => {
  const closed = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
  const open = { ...closed, required: [] }
  const requestWith = (schema: JsonObject) => ({
    max_tokens: 99,
    output_config: { format: { type: 'json_schema', schema } },
    tools: [{ name: 'f', strict: true, input_schema: schema }],
  })
  for (const [schema, strict, lost] of [
    [closed, true, []],
    [open, false, ['response_format.strict', 'tools.strict']],
  ] as const) {
    const chat = ask(anthropicDialect, openaiChat(), requestWith(schema))
    expect(chat.body).toMatchObject({
      response_format: { json_schema: { schema, strict } },
      tools: [{ function: { strict } }],
    })
    expect(chat.lost).toEqual(lost)
    const responses = ask(anthropicDialect, openaiResponses, requestWith(schema))
    expect(responses.body).toMatchObject({ text: { format: { schema, strict } }, tools: [{ strict }] })
    expect(responses.lost).toEqual(lost)
  }
})
