import { expect, it } from 'vitest'
import { anthropicDialect, anthropicMessages } from '../anthropic/dialect.ts'
import { bedrockConverse } from '../bedrock/dialect.ts'
import { cohereChat } from '../cohere/dialect.ts'
import type { ClientDialect, UpstreamDialect } from '../dialect.ts'
import { geminiContent, geminiDialect } from '../gemini/dialect.ts'
import { openaiChat, openaiChatDialect } from '../openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../openai-responses/dialect.ts'
import type { JsonObject } from './json.ts'
import { createUnsupportedFields } from './unsupported-fields.ts'

/** Nested fields that a provider lacks are reported as unsupported, like top-level fields. */

const translated = (client: ClientDialect, upstream: UpstreamDialect, request: JsonObject) => {
  const unsupported = createUnsupportedFields()
  const body = upstream.writeRequest(client.readRequest(request, { model: 'm', stream: false }), unsupported)
  return { body, unsupported: unsupported.list() }
}

const messages = [{ role: 'user', content: 'hi' }]
const tool = { name: 'f', input_schema: { type: 'object' }, defer_loading: true, eager_input_streaming: true }

it.each([openaiChat(), openaiResponses, geminiContent(), bedrockConverse, cohereChat])(
  'fields of Anthropic’s tools are reported as unsupported by $name',
  (upstream) => {
    expect(translated(anthropicDialect, upstream, { messages, tools: [tool] }).unsupported).toEqual([
      'tools.defer_loading',
    ])
  },
)

it('provider fields of tools go to their own dialect only', () => {
  expect(translated(anthropicDialect, anthropicMessages(), { messages, tools: [tool] })).toMatchObject({
    body: { tools: [tool] },
    unsupported: [],
  })
  const declaration = { name: 'f', response: { type: 'STRING' }, behavior: 'BLOCKING' }
  const request = {
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    tools: [{ functionDeclarations: [declaration] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY' }, retrievalConfig: { languageCode: 'de' } },
  }
  expect(translated(geminiDialect, geminiContent(), request)).toMatchObject({ body: request, unsupported: [] })
  expect(translated(geminiDialect, openaiChat(), request).unsupported).toEqual([
    'toolConfig',
    'tools.behavior',
    'tools.response',
  ])
})

it('unknown formats and tool choices go to their own dialect and are reported as unsupported by others', () => {
  const request = { messages, response_format: { type: 'grammar', grammar: 'x' }, tool_choice: { type: 'special' } }
  expect(translated(openaiChatDialect, openaiChat(), request).body).toMatchObject(request)
  expect(translated(openaiChatDialect, anthropicMessages(), request).unsupported).toEqual([
    'response_format',
    'tool_choice',
  ])
  const hosted = { input: 'hi', tool_choice: { type: 'file_search' } }
  expect(translated(openaiResponsesDialect, anthropicMessages(), hosted).unsupported).toEqual(['tool_choice'])
})

it('what is said about documents and pictures is named where only they can be given', () => {
  const document = {
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: 'words' },
    title: 'T',
    context: 'C',
    citations: { enabled: true },
  }
  const request = { messages: [{ role: 'user', content: [document] }] }
  const unsupported = ['messages.document.citations', 'messages.document.context', 'messages.document.title']
  for (const upstream of [openaiChat(), openaiResponses, geminiContent()])
    expect(translated(anthropicDialect, upstream, request).unsupported).toEqual(unsupported)
  const picture = (detail: string) => ({
    messages: [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail } }] },
    ],
  })
  for (const upstream of [anthropicMessages(), geminiContent(), bedrockConverse]) {
    expect(translated(openaiChatDialect, upstream, picture('low')).unsupported).toEqual(['messages.image.detail'])
    expect(translated(openaiChatDialect, upstream, picture('auto')).unsupported).toEqual([])
  }
})

it('responses and chat completions share the key of the prompt’s cache, where OpenAI answers', () => {
  const key = { prompt_cache_key: 'k', prompt_cache_retention: '24h' }
  expect(translated(openaiResponsesDialect, openaiChat(), { input: 'hi', ...key })).toMatchObject({
    body: key,
    unsupported: [],
  })
  expect(translated(openaiChatDialect, openaiResponses, { messages, ...key })).toMatchObject({
    body: key,
    unsupported: [],
  })
  const other = translated(openaiResponsesDialect, openaiChat({ cacheKeys: false }), { input: 'hi', ...key })
  expect(other.unsupported).toEqual(['prompt_cache_key', 'prompt_cache_retention'])
})
