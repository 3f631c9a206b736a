import { expect, it } from 'vitest'
import { adapted } from '../../src/dialects/adapted.ts'
import { anthropicDialect, anthropicMessages } from '../../src/dialects/anthropic/dialect.ts'
import { bedrockConverse } from '../../src/dialects/bedrock/dialect.ts'
import { createUnsupportedFields } from '../../src/dialects/conversation/unsupported-fields.ts'
import type { Dialect, UpstreamDialect } from '../../src/dialects/dialect.ts'
import { geminiDialect } from '../../src/dialects/gemini/dialect.ts'
import { openaiChat, openaiChatDialect } from '../../src/dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../../src/dialects/openai-responses/dialect.ts'

/** Members inside of translated fields and parts that another provider cannot take are reported. */

const lost = (client: Dialect, upstream: UpstreamDialect, body: Record<string, unknown>): readonly string[] => {
  const unsupported = createUnsupportedFields()
  const conversation = client.readRequest(body, { model: 'claude-opus-4-6', stream: false })
  const { conversation: within, dialect } = adapted(conversation, upstream, unsupported)
  dialect.writeRequest(within, unsupported)
  return unsupported.list()
}

const data = 'iVBORw0KGgo='
const user = (...content: readonly object[]) => [{ role: 'user', content }]

it.each([
  ['reasoning.mode', { reasoning: { effort: 'low', mode: 'pro' } }],
  ['text.made_up', { text: { made_up: 1 } }],
  [
    'messages.document.detail_of_pages',
    { input: user({ type: 'input_file', file_data: `data:application/pdf;base64,${data}`, detail_of_pages: 'high' }) },
  ],
])('of Responses: %s', (name, more) => {
  expect(lost(openaiResponsesDialect, anthropicMessages(), { input: 'hi', ...more })).toContain(name)
})

it('what is usual, or about OpenAI’s own models only, is not', () => {
  const body = { input: 'hi', reasoning: { effort: 'low', summary: 'auto', context: 'all_turns', mode: 'standard' } }
  expect(lost(openaiResponsesDialect, anthropicMessages(), body)).toEqual([])
})

it.each([
  ['thinking.type', { thinking: { type: 'between_tools' } }],
  ['output_config.task_budget', { output_config: { task_budget: { type: 'tokens', total: 5000 } } }],
  [
    'messages.image.transformations',
    {
      messages: user({
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data },
        transformations: { oversized_image: 'error' },
      }),
    },
  ],
])('of Messages: %s', (name, more) => {
  const body = { max_tokens: 100, messages: user({ type: 'text', text: 'hi' }), ...more }
  for (const upstream of [openaiChat(), bedrockConverse]) expect(lost(anthropicDialect, upstream, body)).toContain(name)
  expect(lost(anthropicDialect, anthropicMessages(), body)).toEqual([])
})

it.each([
  ['thinkingConfig.made_up', { generationConfig: { thinkingConfig: { thinkingBudget: 0, made_up: 1 } } }],
  [
    'messages.video.videoMetadata',
    {
      contents: [
        {
          role: 'user',
          parts: [{ inlineData: { mimeType: 'video/mp4', data }, videoMetadata: { startOffset: '5s' } }],
        },
      ],
    },
  ],
  [
    'messages.image.mediaResolution',
    {
      contents: [
        {
          role: 'user',
          parts: [{ inlineData: { mimeType: 'image/png', data }, mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' } }],
        },
      ],
    },
  ],
])('of generateContent: %s', (name, more) => {
  const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], ...more }
  expect(lost(geminiDialect, openaiChat(), body)).toContain(name)
})

it('of chat completions: how often a film is looked at', () => {
  const video = { type: 'video_url', video_url: { url: 'https://a.example/b.mp4', fps: 2 } }
  const messages = user({ type: 'text', text: 'hi' }, video)
  expect(lost(openaiChatDialect, bedrockConverse, { messages })).toContain('messages.video.fps')
})
