import { expect, it } from 'vitest'
import { silentConversation, speakers } from '../../../test/support/dialects/speakers.ts'
import { anthropicDialect, anthropicMessages } from '../anthropic/dialect.ts'
import type { ClientDialect, UpstreamDialect } from '../dialect.ts'
import { geminiContent, geminiDialect } from '../gemini/dialect.ts'
import { openaiChat, openaiChatDialect } from '../openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../openai-responses/dialect.ts'
import { collect, eventsOf } from './collect.ts'
import type { Answer, Citation, Part } from './conversation.ts'
import type { JsonObject } from './json.ts'
import { createSupportedStream, supportedAnswer } from './supported-answer.ts'

/** Which parts of an answer are translated between dialects, and which are reported as unsupported. */

const answerOf = (...parts: readonly Part[]): Answer => ({
  id: 'a',
  model: 'm',
  created: 1,
  choices: [{ index: 0, parts, finish: 'stop' }],
  usage: undefined,
})

const whole = (answer: Answer, client: ClientDialect): JsonObject =>
  client.writeAnswer(supportedAnswer(answer, client).answer, silentConversation)

const streamed = (answer: Answer, client: ClientDialect): string => {
  const writer = client.openStream(silentConversation)
  const supported = createSupportedStream(client)
  return eventsOf(answer)
    .map((event) => writer.write(supported.filter(event)))
    .join('')
}

const readStream = (text: string, upstream: UpstreamDialect): Answer => {
  const reader = upstream.openStream()
  const data = text.split('\n').filter((line) => line.startsWith('data: '))
  return collect([...data.flatMap((line) => reader.read(line.slice(6), '')), ...reader.end()])
}

const picture: Part = { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'aGk=' } }
const speech: Part = { kind: 'audio', source: { kind: 'base64', mediaType: 'audio/wav', data: 'aGk=' } }
const search: Part = { kind: 'opaque', dialect: 'anthropic', type: 'web_search_tool_result', value: { type: 'x' } }
const text: Part = { kind: 'text', text: 'Hi' }

it.each([
  ['openai-chat', ['answer.web_search_tool_result']],
  ['openai-responses', ['answer.audio', 'answer.web_search_tool_result']],
  ['anthropic', ['answer.audio', 'answer.image']],
  ['gemini', ['answer.web_search_tool_result']],
] as const)('clients of %s get every part but those that are named as unsupported', (name, unsupported) => {
  const client = speakers.find((speaker) => speaker.name === name)?.client ?? openaiChatDialect
  for (const part of [picture, speech, search, text]) {
    const kind = part.kind === 'opaque' ? part.type : part.kind
    const isUnsupported = (unsupported as readonly string[]).includes(`answer.${kind}`)
    const supported = createSupportedStream(client)
    for (const event of eventsOf(answerOf(part))) supported.filter(event)
    expect(supported.unsupported()).toEqual(isUnsupported ? [`answer.${kind}`] : [])
    expect(supportedAnswer(answerOf(part), client).unsupported).toEqual(supported.unsupported())
    const isIgnored = JSON.stringify(whole(answerOf(part), client)) === JSON.stringify(whole(answerOf(), client))
    expect(isIgnored).toBe(isUnsupported)
    expect(streamed(answerOf(part), client) === streamed(answerOf(), client)).toBe(isUnsupported)
  }
})

it('pictures that OpenAI’s tool drew are pictures for other clients', () => {
  const item = { type: 'image_generation_call', id: 'ig', status: 'completed', result: 'aGk=', output_format: 'webp' }
  const done = { type: 'response.output_item.done', output_index: 0, item }
  const reader = openaiResponses.openStream()
  const written = [
    openaiResponses.readAnswer({ id: 'r', output: [item] }),
    collect([...reader.read(JSON.stringify(done), ''), ...reader.end()]),
  ]
  for (const answer of written) {
    expect(JSON.stringify(whole(answer, openaiChatDialect))).toContain('data:image/webp;base64,aGk=')
    expect(streamed(answer, geminiDialect)).toContain('"inlineData":{"mimeType":"image/webp","data":"aGk="}')
    expect(supportedAnswer(answer, anthropicDialect).unsupported).toEqual(['answer.image'])
    expect(JSON.stringify(whole(answer, openaiResponsesDialect))).toContain('"id":"ig"')
  }
})

const cited: Citation = { url: 'https://a.example', title: 'A' }
const places = (answer: Answer): unknown =>
  answer.choices[0]?.parts.flatMap((part) => (part.kind === 'text' ? (part.citations ?? []) : []))

it.each([
  [openaiChatDialect, openaiChat()],
  [openaiResponsesDialect, openaiResponses],
  [geminiDialect, geminiContent()],
] as const)('citations keep their sources and places: $name', (client, upstream) => {
  const answer = answerOf(
    { kind: 'text', text: '你好。' },
    { kind: 'text', text: '今天晴。', citations: [{ ...cited, start: 3, end: 7 }] },
  )
  const expected = [{ ...cited, start: 3, end: 7 }]
  expect(places(upstream.readAnswer(whole(answer, client)))).toMatchObject(expected)
  expect(places(readStream(streamed(answer, client), upstream))).toMatchObject(expected)
})

it('sources of Perplexity and xAI become citations behind the text', () => {
  const results = [{ url: 'https://a.example', title: 'A', date: '2026-01-01' }]
  const addresses = ['https://a.example']
  for (const [found, expected] of [
    [{ search_results: results, citations: addresses }, cited],
    [{ citations: addresses }, { url: 'https://a.example' }],
  ] as const) {
    const choice = { index: 0, finish_reason: 'stop' }
    const answer = openaiChat().readAnswer({ choices: [{ ...choice, message: { content: 'Hi [1]' } }], ...found })
    const chunks = [
      { choices: [{ index: 0, delta: { content: 'Hi [1]' }, finish_reason: null }], ...found },
      { choices: [{ ...choice, delta: {} }], ...found },
    ]
    const stream = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n`).join('')
    expect(places(answer)).toEqual([expected])
    expect(places(readStream(stream, openaiChat()))).toEqual([expected])
    expect(streamed(answer, anthropicDialect)).toContain('"url":"https://a.example"')
  }
})

it('Google’s byte offsets become character offsets, with the cited text', () => {
  const answer = answerOf({ kind: 'text', text: '你好。今天晴。', citations: [{ ...cited, start: 3, end: 7 }] })
  const metadata = {
    groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
    groundingSupports: [{ segment: { startIndex: 9, endIndex: 21, text: '今天晴。' }, groundingChunkIndices: [0] }],
  }
  expect(whole(answer, geminiDialect)).toMatchObject({ candidates: [{ groundingMetadata: metadata }] })
  expect(streamed(answer, geminiDialect)).toContain(JSON.stringify(metadata))
})

it('what Claude cites belongs to the block that cites it, not to places in a document', () => {
  const citation = {
    type: 'char_location',
    cited_text: 'x',
    document_title: 'D',
    start_char_index: 90,
    end_char_index: 99,
  }
  const content = [
    { type: 'text', text: 'So: ' },
    { type: 'text', text: 'it is.', citations: [citation] },
  ]
  const expected = [{ title: 'D', start: 4, end: 10 }]
  expect(places(anthropicMessages().readAnswer({ content }))).toMatchObject(expected)
  const events = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'So: ' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'it is.' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_stop' },
  ]
  const answer = readStream(events.map((event) => `data: ${JSON.stringify(event)}\n`).join(''), anthropicMessages())
  expect(places(answer)).toMatchObject(expected)
  expect(whole(answer, anthropicDialect)).toMatchObject({ content: [{ citations: [citation] }] })
})
