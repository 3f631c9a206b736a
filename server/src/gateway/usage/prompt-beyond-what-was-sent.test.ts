import { describe, expect, it } from 'vitest'
import { contents, generated, message, question, respond, response } from '../../../test/support/gateway/dialects.ts'
import { ask, channel, hi, lastRecord, upstream, useChannels, useScene } from '../../../test/support/gateway/scene.ts'
import { json } from '../../../test/support/gateway/upstream.ts'
import {
  type Answer,
  claudeStream,
  geminiStream,
  openaiBody,
  openaiStream,
  responsesStream,
} from '../../../test/support/gateway/usage-reports.ts'

/** Reported prompt tokens are limited by the size of the request, and reported vectors, pictures and sound by what it asked for. */

useScene()

const claimed = 90_000
const google = '/v1beta/models/gemini-2.5-flash'

const cases: readonly (readonly [string, number, string, Record<string, unknown>, Answer])[] = [
  ['chat', 1, '/v1/chat/completions', hi, openaiBody({ prompt_tokens: claimed, completion_tokens: 5 })],
  [
    'a stream of chat',
    43,
    '/v1/chat/completions',
    { ...hi, stream: true },
    openaiStream({ prompt_tokens: claimed, completion_tokens: 5 }),
  ],
  ['messages', 14, '/v1/messages', question, json({ ...message, usage: { input_tokens: claimed, output_tokens: 5 } })],
  [
    'a cache that messages cannot have',
    14,
    '/v1/messages',
    question,
    json({ ...message, usage: { input_tokens: 5, cache_read_input_tokens: claimed, output_tokens: 5 } }),
  ],
  [
    'a stream of messages, for a client of chat',
    14,
    '/v1/chat/completions',
    { ...hi, stream: true },
    claudeStream({ input_tokens: claimed, output_tokens: 1 }, { output_tokens: 5 }),
  ],
  [
    'Gemini',
    24,
    `${google}:generateContent`,
    contents,
    json({ ...generated, usageMetadata: { promptTokenCount: claimed, candidatesTokenCount: 5 } }),
  ],
  [
    'a stream of Gemini',
    24,
    `${google}:streamGenerateContent?alt=sse`,
    contents,
    geminiStream({ promptTokenCount: claimed, candidatesTokenCount: 5 }),
  ],
  ['responses', 1, '/v1/responses', respond, json({ ...response, usage: { input_tokens: claimed, output_tokens: 5 } })],
  [
    'a stream of responses',
    1,
    '/v1/responses',
    { ...respond, stream: true },
    responsesStream({ input_tokens: claimed, output_tokens: 5 }),
  ],
  [
    'legacy completions',
    1,
    '/v1/completions',
    { model: 'my-own-model', prompt: 'hi' },
    json({ choices: [{ text: 'Hello' }], usage: { prompt_tokens: claimed, completion_tokens: 5 } }),
  ],
  [
    'embeddings',
    1,
    '/v1/embeddings',
    { model: 'gpt-4o', input: ['a', 'b'] },
    json({ data: [], usage: { prompt_tokens: claimed, total_tokens: claimed } }),
  ],
  [
    'rerank',
    38,
    '/v1/rerank',
    { model: 'jina-reranker-v3', query: 'hi', documents: ['a', 'b'] },
    json({ results: [], usage: { prompt_tokens: claimed, total_tokens: claimed } }),
  ],
]

describe('a prompt that is larger than what was sent', () => {
  it.each(cases)('is disputed for %s', async (_, type, path, body, answer) => {
    useChannels(channel({ type }))
    upstream.answer = answer
    await (await ask(body, path)).text()
    expect(lastRecord()?.receipt?.disputed).toMatchObject({ prompt_tokens: expect.any(Number) })
    expect(lastRecord()?.promptTokens).toBeLessThan(100)
  })
})

const withPart = (part: object) => ({ ...hi, messages: [{ role: 'user', content: [part] }] })

it.each<readonly [string, Record<string, unknown>]>([
  ['a picture', withPart({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } })],
  ['a file', withPart({ type: 'file', file: { file_id: 'file-1' } })],
  ['a search', { ...hi, web_search_options: {} }],
  ['a long text', { ...hi, messages: [{ role: 'user', content: 'a longer text '.repeat(8000) }] }],
])('a prompt with %s may be larger than its words', async (_, body) => {
  upstream.answer = openaiBody({ prompt_tokens: claimed, completion_tokens: 5 })
  await (await ask(body)).text()
  expect(lastRecord()).toMatchObject({ promptTokens: claimed })
  expect(lastRecord()?.receipt?.disputed).toBeUndefined()
})

it('applications read documents of their own', async () => {
  useChannels(channel({ type: 22 }))
  upstream.answer = openaiBody({ prompt_tokens: claimed, completion_tokens: 5 })
  await (await ask(hi)).text()
  expect(lastRecord()).toMatchObject({ promptTokens: claimed })
})

it.each([
  ['vectors', '/v1/embeddings', { model: 'gpt-4o', input: 'hi' }, { prompt_tokens: 2, completion_tokens: 500_000 }],
  [
    'pictures',
    '/v1/images/generations',
    { model: 'gpt-image-1', prompt: 'a' },
    { input_tokens: 2, output_tokens: 500_000 },
  ],
])('a completion of %s is bounded by what was asked for', async (_, path, body, usage) => {
  upstream.answer = json({ created: 1, data: [{ b64_json: 'AA==' }], usage })
  await (await ask(body, path)).text()
  expect(lastRecord()?.receipt?.disputed).toMatchObject({ completion_tokens: 500_000 })
  expect(lastRecord()?.completionTokens).toBeLessThan(60_000)
})
