import { expect, it } from 'vitest'
import { adapted } from '../../src/dialects/adapted.ts'
import { anthropicDialect, anthropicMessages } from '../../src/dialects/anthropic/dialect.ts'
import type { JsonObject } from '../../src/dialects/conversation/json.ts'
import { createUnsupportedFields } from '../../src/dialects/conversation/unsupported-fields.ts'
import type { Dialect, UpstreamDialect } from '../../src/dialects/dialect.ts'
import { openaiChat, openaiChatDialect } from '../../src/dialects/openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../../src/dialects/openai-responses/dialect.ts'

const ask = (client: Dialect, upstream: UpstreamDialect, body: JsonObject, model: string) => {
  const unsupported = createUnsupportedFields()
  const conversation = client.readRequest(body, { model, stream: false })
  const { conversation: within, dialect } = adapted(conversation, upstream, unsupported)
  return { body: dialect.writeRequest(within, unsupported), unsupported: unsupported.list() }
}

const mark = { prompt_cache_breakpoint: { mode: 'explicit' } }
const longer = { prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }
const chat = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Long.', ...mark }] }] }
const responses = { input: [{ role: 'user', content: [{ type: 'input_text', text: 'Long.', ...longer }] }] }

it('marks of OpenAI’s clients are marks at Anthropic, and keep calls within their price', () => {
  const short = { type: 'text', text: 'Long.', cache_control: { type: 'ephemeral' } }
  expect(ask(openaiChatDialect, anthropicMessages(), chat, 'claude-opus-4-6').body.messages).toEqual([
    { role: 'user', content: [short] },
  ])
  expect(ask(openaiResponsesDialect, anthropicMessages(), responses, 'claude-opus-4-6').body.messages).toEqual([
    { role: 'user', content: [{ ...short, cache_control: { type: 'ephemeral', ttl: '1h' } }] },
  ])
  const cachedFor = ({ requestRules }: Dialect, body: object) =>
    requestRules.cachedFor(Buffer.from(JSON.stringify(body)))
  expect(cachedFor(openaiChatDialect, chat)).toBe('5m')
  expect(cachedFor(openaiResponsesDialect, responses)).toBe('1h')
  expect(cachedFor(openaiResponsesDialect, { input: 'hi' })).toBeUndefined()
})

it('stay between OpenAI’s two languages, for models that know them', () => {
  const asked = ask(openaiChatDialect, openaiResponses, chat, 'gpt-5.6')
  expect(asked.body.input).toMatchObject([{ content: [{ type: 'input_text', text: 'Long.', ...mark }] }])
  expect(asked.unsupported).toEqual([])
  const other = ask(openaiResponsesDialect, openaiChat(), responses, 'gpt-6')
  expect(other.body.messages).toMatchObject([{ content: [{ type: 'text', text: 'Long.', ...longer }] }])
  const older = ask(openaiChatDialect, openaiResponses, chat, 'gpt-4.1')
  expect(older.body.input).toMatchObject([{ content: 'Long.' }])
  expect(older.unsupported).toEqual(['cache_control'])
})

it('marks for Anthropic’s cache are none for OpenAI’s, which needs none', () => {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Long.', cache_control: { type: 'ephemeral' } }] }]
  const { body, unsupported } = ask(anthropicDialect, openaiChat(), { max_tokens: 9, messages }, 'gpt-6')
  expect(body.messages).toEqual([{ role: 'user', content: 'Long.' }])
  expect(unsupported).toContain('cache_control')
})
