import { describe, expect, it } from 'vitest'
import { noUsage } from '../../src/billing/usage.ts'
import { anthropicDialect, anthropicMessages } from '../../src/dialects/anthropic/dialect.ts'
import { bedrockConverse } from '../../src/dialects/bedrock/dialect.ts'
import { collect, eventsOf } from '../../src/dialects/conversation/collect.ts'
import type { Answer } from '../../src/dialects/conversation/conversation.ts'
import type { JsonObject } from '../../src/dialects/conversation/json.ts'
import { createUnsupportedFields } from '../../src/dialects/conversation/unsupported-fields.ts'
import type { ClientDialect, UpstreamDialect } from '../../src/dialects/dialect.ts'
import { geminiDialect } from '../../src/dialects/gemini/dialect.ts'
import { openaiChat, openaiChatDialect } from '../../src/dialects/openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../../src/dialects/openai-responses/dialect.ts'
import { silentConversation } from '../support/dialects/speakers.ts'

/** Fields that providers refuse although their dialect has them. */

const translated = (client: ClientDialect, upstream: UpstreamDialect, body: JsonObject): JsonObject =>
  upstream.writeRequest(client.readRequest(body, { model: 'm', stream: false }), createUnsupportedFields())

const call = (id: string): JsonObject => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
const loop = (id: string, ...between: readonly JsonObject[]): JsonObject => ({
  messages: [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [call(id)] },
    ...between,
    { role: 'tool', tool_call_id: id, content: 'done' },
  ],
})

describe('ids of calls', () => {
  it('have letters and digits for Anthropic, at both ends', () => {
    expect(translated(openaiChatDialect, anthropicMessages(), loop('functions.f:0')).messages).toMatchObject([
      {},
      { content: [{ type: 'tool_use', id: 'functions_f_0' }] },
      { content: [{ type: 'tool_result', tool_use_id: 'functions_f_0' }] },
    ])
  })

  it('are short enough for OpenAI, at both ends, and otherwise stay', () => {
    const long = 'x'.repeat(80)
    const chat = translated(openaiResponsesDialect, openaiChat(), {
      input: [
        { type: 'function_call', call_id: long, name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: long, output: 'done' },
      ],
    }).messages as { tool_calls?: { id: string }[]; tool_call_id?: string }[]
    const [call] = chat[0]?.tool_calls ?? []
    expect(call?.id).toMatch(/^call_\w{32}$/)
    expect(chat[1]?.tool_call_id).toBe(call?.id)
    const items = translated(openaiChatDialect, openaiResponses, loop(long)).input as { call_id?: string }[]
    expect(items[1]?.call_id).toHaveLength(37)
    expect(items[2]?.call_id).toBe(items[1]?.call_id)
    expect(translated(openaiChatDialect, openaiResponses, loop('call_1')).input).toMatchObject([
      {},
      { call_id: 'call_1' },
      {},
    ])
  })
})

it('long user ids are replaced by their hash', () => {
  const user_id = `user_${'a'.repeat(64)}_account__session_${'b'.repeat(36)}`
  for (const upstream of [openaiChat(), openaiResponses]) {
    const body = { messages: [{ role: 'user', content: 'hi' }], metadata: { user_id } }
    expect(translated(anthropicDialect, upstream, body).user).toMatch(/^user_[0-9a-f]{32}$/)
    expect(translated(anthropicDialect, upstream, { ...body, metadata: { user_id: 'ann' } }).user).toBe('ann')
  }
})

it('Anthropic gets tool results before any other part', () => {
  const { messages } = translated(openaiChatDialect, anthropicMessages(), loop('c', { role: 'user', content: 'wait' }))
  expect(messages).toMatchObject([{}, {}, { content: [{ type: 'tool_result' }, { type: 'text', text: 'wait' }] }])
})

it('Bedrock gets no blank texts', () => {
  const { messages } = translated(openaiChatDialect, bedrockConverse, {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: ' \n' },
          { type: 'text', text: 'hi' },
        ],
      },
    ],
  })
  expect(messages).toEqual([{ role: 'user', content: [{ text: 'hi' }] }])
})

it('limits in Gemini’s schemas become numbers for other providers', () => {
  const parameters = { type: 'ARRAY', minItems: '1', maxItems: '3', items: { type: 'STRING', maxLength: '9' } }
  const body = { contents: [], tools: [{ functionDeclarations: [{ name: 'f', parameters }] }] }
  expect(translated(geminiDialect, openaiChat(), body).tools).toMatchObject([
    { function: { parameters: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', maxLength: 9 } } } },
  ])
})

it('Anthropic’s clients hear that a tool is called, also where OpenAI only says that it has stopped', () => {
  const answer: Answer = {
    id: 'a',
    model: 'm',
    created: 0,
    choices: [{ index: 0, finish: 'stop', parts: [{ kind: 'tool_call', id: 'c', name: 'f', arguments: '{}' }] }],
    usage: { ...noUsage, input: 5, output: 9, reasoning: 4, tools: { web_search: 2 } },
  }
  const usage = {
    output_tokens: 9,
    output_tokens_details: { thinking_tokens: 4 },
    server_tool_use: { web_search_requests: 2 },
  }
  expect(anthropicDialect.writeAnswer(answer, silentConversation)).toMatchObject({ stop_reason: 'tool_use', usage })
  const writer = anthropicDialect.openStream(silentConversation)
  const printed = eventsOf(answer).map((event) => writer.write(event))
  expect(printed.join('')).toContain('"stop_reason":"tool_use"')
  expect(printed.join('')).toContain(JSON.stringify({ thinking_tokens: 4 }))
})

it.each([openaiChatDialect, openaiResponsesDialect])(
  'clients of $name can parse the arguments of a call that has none',
  (client) => {
    const answer: Answer = {
      id: 'a',
      model: 'm',
      created: 0,
      choices: [
        { index: 0, finish: 'tool_calls', parts: [{ kind: 'tool_call', id: 'c', name: 'now', arguments: '' }] },
      ],
      usage: undefined,
    }
    const back = client.name === 'openai-chat' ? openaiChat() : openaiResponses
    const calls = (answer: Answer) =>
      answer.choices[0]?.parts.map((part) => (part.kind === 'tool_call' ? part.arguments : undefined))
    expect(calls(back.readAnswer(client.writeAnswer(answer, silentConversation)))).toEqual(['{}'])
    const writer = client.openStream(silentConversation)
    const reader = back.openStream()
    const data = eventsOf(answer)
      .map((event) => writer.write(event))
      .join('')
      .split('\n')
      .filter((line) => line.startsWith('data: '))
    expect(calls(collect(data.flatMap((line) => reader.read(line.slice(6), ''))))).toEqual(['{}'])
  },
)
