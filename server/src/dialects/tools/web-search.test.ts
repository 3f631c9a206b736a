import { expect, it } from 'vitest'
import { anthropicDialect, anthropicMessages } from '../anthropic/dialect.ts'
import type { JsonObject } from '../conversation/json.ts'
import { createUnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { ClientDialect, UpstreamDialect } from '../dialect.ts'
import { geminiContent } from '../gemini/dialect.ts'
import { openaiChat, openaiChatDialect } from '../openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../openai-responses/dialect.ts'

/** Options of a web search are translated between dialects. */

const ask = (client: ClientDialect, upstream: UpstreamDialect, body: JsonObject) => {
  const unsupported = createUnsupportedFields()
  const conversation = client.readRequest({ messages: [], input: [], ...body }, { model: 'm', stream: false })
  const { tools, web_search_options, max_tool_calls } = upstream.writeRequest(conversation, unsupported)
  return {
    tools,
    web_search_options,
    max_tool_calls,
    unsupported: unsupported.list().filter((name) => name.startsWith('tools')),
  }
}

const place = { city: 'Bern', country: 'CH' }
const claude = {
  type: 'web_search_20250305',
  name: 'web_search',
  max_uses: 2,
  allowed_domains: ['a.example'],
  user_location: { type: 'approximate', ...place },
}

it('go from Claude’s clients as far as the provider knows them, and the rest is named', () => {
  const body = { max_tokens: 99, tools: [claude] }
  const responses = ask(anthropicDialect, openaiResponses, body)
  expect(responses.tools).toEqual([
    {
      type: 'web_search',
      filters: { allowed_domains: ['a.example'] },
      user_location: { type: 'approximate', ...place },
    },
  ])
  expect(responses.unsupported).toEqual([])
  expect(responses.max_tool_calls).toBe(2)
  // In chat completions only search models accept the options.
  expect(ask(anthropicDialect, openaiChat(), body)).toMatchObject({
    web_search_options: undefined,
    unsupported: ['tools.web_search_20250305'],
  })
  const chat = ask(anthropicDialect, openaiChat({ search: () => true }), body)
  expect(chat.web_search_options).toEqual({ user_location: { type: 'approximate', approximate: place } })
  expect(chat.unsupported).toEqual(['tools.web_search.allowed_domains', 'tools.web_search.max_uses'])
  const gemini = ask(anthropicDialect, geminiContent(), body)
  expect(gemini.tools).toEqual([{ googleSearch: {} }])
  expect(gemini.unsupported).toHaveLength(3)
})

it('go from OpenAI’s clients to Claude', () => {
  const filters = { allowed_domains: ['a.example'] }
  const user_location = { type: 'approximate', ...place }
  const tools = [{ type: 'web_search', filters, user_location, search_context_size: 'high' }]
  const { max_uses: _, ...expected } = claude
  const responses = ask(openaiResponsesDialect, anthropicMessages(), { tools })
  expect(responses.tools).toEqual([expected])
  expect(responses.unsupported).toEqual(['tools.web_search.search_context_size'])
  const web_search_options = { user_location: { type: 'approximate', approximate: place } }
  const chat = ask(openaiChatDialect, anthropicMessages(), { web_search_options })
  expect(chat.tools).toEqual([{ type: 'web_search_20250305', name: 'web_search', user_location }])
  expect(chat.unsupported).toEqual([])
})
