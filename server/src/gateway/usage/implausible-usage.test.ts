import { describe, expect, it } from 'vitest'
import {
  contents,
  eventsIn,
  generated,
  message,
  question,
  respond,
  response,
} from '../../../test/support/gateway/dialects.ts'
import { ask, channel, hi, lastRecord, upstream, useChannels, useScene } from '../../../test/support/gateway/scene.ts'
import { json } from '../../../test/support/gateway/upstream.ts'
import {
  type Answer,
  capped,
  claude,
  claudeStream,
  geminiStream,
  huge,
  openaiBody,
  openaiStream,
  responsesStream,
} from '../../../test/support/gateway/usage-reports.ts'

/** Impossible reports of upstreams: the answer is forwarded unchanged, the charge stays plausible, and the receipt shows it. */

useScene()

const messages = '/v1/messages'
const responses = '/v1/responses'
const google = '/v1beta/models/gemini-2.5-flash:generateContent'
const googleStream = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse'

type Case = readonly [name: string, path: string, body: Record<string, unknown>, type: number, answer: Answer]

const cases: readonly Case[] = [
  [
    'a total',
    '/v1/chat/completions',
    capped,
    1,
    openaiBody({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 999_999_999 }),
  ],
  ['a prompt', '/v1/chat/completions', capped, 1, openaiBody({ prompt_tokens: huge, completion_tokens: 2 })],
  ['a completion', '/v1/chat/completions', capped, 1, openaiBody({ prompt_tokens: 2, completion_tokens: huge })],
  ['a prompt of 1e300', '/v1/chat/completions', capped, 1, openaiBody({ prompt_tokens: 1e300, completion_tokens: 2 })],
  [
    'a stream’s total',
    '/v1/chat/completions',
    { ...capped, stream: true },
    1,
    openaiStream({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 999_999_999 }),
  ],
  [
    'a stream’s completion',
    '/v1/chat/completions',
    { ...capped, stream: true },
    1,
    openaiStream({ prompt_tokens: 2, completion_tokens: huge }),
  ],
  ['Claude’s input', messages, question, 14, json({ ...message, usage: { input_tokens: huge, output_tokens: 3 } })],
  [
    'Claude’s input of 1e300',
    messages,
    question,
    14,
    json({ ...message, usage: { input_tokens: 1e300, output_tokens: 3 } }),
  ],
  ['Claude’s output', messages, question, 14, json({ ...message, usage: { input_tokens: 9, output_tokens: huge } })],
  [
    'Claude’s cache write',
    messages,
    question,
    14,
    json({ ...message, usage: { input_tokens: 9, output_tokens: 3, cache_creation_input_tokens: huge } }),
  ],
  [
    'Claude’s cache read',
    messages,
    question,
    14,
    json({ ...message, usage: { input_tokens: 9, output_tokens: 3, cache_read_input_tokens: huge } }),
  ],
  [
    'Claude’s stream',
    messages,
    { ...question, stream: true },
    14,
    claudeStream({ input_tokens: huge, output_tokens: 1 }, { output_tokens: 3 }),
  ],
  [
    'Claude’s stream, converted',
    '/v1/chat/completions',
    { ...capped, stream: true },
    14,
    claudeStream({ input_tokens: huge, output_tokens: 1 }, { output_tokens: 3 }),
  ],
  [
    'Claude’s answer, converted',
    '/v1/chat/completions',
    capped,
    14,
    json({ ...message, usage: { input_tokens: 9, output_tokens: huge } }),
  ],
  [
    'Gemini’s prompt',
    google,
    contents,
    24,
    json({ ...generated, usageMetadata: { promptTokenCount: huge, candidatesTokenCount: 2, totalTokenCount: 10 } }),
  ],
  [
    'Gemini’s thoughts',
    google,
    contents,
    24,
    json({ ...generated, usageMetadata: { promptTokenCount: 4, thoughtsTokenCount: huge, totalTokenCount: 10 } }),
  ],
  [
    'Gemini’s stream',
    googleStream,
    contents,
    24,
    geminiStream({ promptTokenCount: 4, candidatesTokenCount: huge, totalTokenCount: 10 }),
  ],
  [
    'a response’s output',
    responses,
    respond,
    1,
    json({ ...response, usage: { input_tokens: 9, output_tokens: huge, total_tokens: 10 } }),
  ],
  [
    'a response’s stream',
    responses,
    { ...respond, stream: true },
    1,
    responsesStream({ input_tokens: huge, output_tokens: 2, total_tokens: 10 }),
  ],
  [
    'embeddings',
    '/v1/embeddings',
    { model: 'gpt-4o', input: 'hi' },
    1,
    json({ data: [{ embedding: [1] }], note: 'Hello', usage: { prompt_tokens: huge, total_tokens: huge } }),
  ],
  [
    'a total of embeddings',
    '/v1/embeddings',
    { model: 'gpt-4o', input: 'hi' },
    1,
    json({ data: [{ embedding: [1] }], note: 'Hello', usage: { total_tokens: 999_999_999 } }),
  ],
  [
    'a rerank',
    '/v1/rerank',
    { model: 'gpt-4o', query: 'hi', documents: ['a', 'b'] },
    1,
    json({ results: [], note: 'Hello', usage: { total_tokens: 999_999_999 } }),
  ],
]

describe('reports beyond what a call can use', () => {
  it.each(cases)('%s', async (_, path, body, type, answer) => {
    useChannels(channel({ type }))
    upstream.answer = answer
    const got = await ask(body, path)
    expect(got.status).toBe(200)
    expect(await got.text()).toContain('Hello')
    const record = lastRecord()
    expect(record).toMatchObject({ kind: 'charge', receipt: { estimated: true } })
    expect(Object.values(record?.receipt?.disputed ?? {}).some((figure) => figure >= huge)).toBe(true)
    expect(record?.promptTokens).toBeGreaterThan(0)
    expect((record?.promptTokens ?? 0) + (record?.completionTokens ?? 0)).toBeLessThan(100)
  })

  it('go out as they came', async () => {
    upstream.answer = openaiBody({ prompt_tokens: huge, completion_tokens: 2 })
    expect(await (await ask(capped)).json()).toMatchObject({ usage: { prompt_tokens: huge } })
    upstream.answer = openaiStream({ prompt_tokens: huge, completion_tokens: 2 })
    const text = await (await ask({ ...capped, stream: true, stream_options: { include_usage: true } })).text()
    expect(text.match(/"usage":/g)).toHaveLength(1)
    expect(text).toContain(String(huge))
  })

  it('become what is billed where the answer is converted', async () => {
    useChannels(claude())
    upstream.answer = json({ ...message, usage: { input_tokens: 9, output_tokens: huge } })
    const body = (await (await ask(capped)).json()) as { usage: object }
    const { promptTokens: prompt_tokens, completionTokens: completion_tokens } = lastRecord() ?? {}
    expect(body.usage).toMatchObject({ prompt_tokens, completion_tokens })
    upstream.answer = claudeStream({ input_tokens: 9, output_tokens: 1 }, { output_tokens: huge })
    const asking = { ...capped, stream: true, stream_options: { include_usage: true } }
    const chunks = eventsIn(await (await ask(asking)).text())
    const reports = chunks.filter(({ usage }) => usage !== undefined && usage !== null)
    expect(reports.at(-1)?.usage).toMatchObject({
      prompt_tokens: lastRecord()?.promptTokens,
      completion_tokens: lastRecord()?.completionTokens,
    })
  })

  it('keep the part that can be: a good completion beside a bad prompt', async () => {
    upstream.answer = openaiBody({ prompt_tokens: huge, completion_tokens: 7 })
    await ask(capped)
    expect(lastRecord()).toMatchObject({
      completionTokens: 7,
      receipt: { estimated: true, disputed: { prompt_tokens: huge } },
    })
  })
})

describe('reports that only look large', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }

  it.each<readonly [string, Record<string, unknown>, object]>([
    [
      'of pictures, files and stored texts, up to the model’s context',
      { messages: [{ role: 'user', content: [image] }] },
      { prompt_tokens: 120_000, completion_tokens: 5 },
    ],
    [
      'of reasoning that is not shown',
      {},
      { prompt_tokens: 5, completion_tokens: 16_000, completion_tokens_details: { reasoning_tokens: 15_000 } },
    ],
    ['of several choices', { n: 4 }, { prompt_tokens: 5, completion_tokens: 60_000 }],
    [
      'of unknown models',
      { model: 'my-own-model', messages: [{ role: 'user', content: [image] }] },
      { prompt_tokens: 2_000_000, completion_tokens: 100_000 },
    ],
    ['of a provider’s own tools', { web_search_options: {} }, { prompt_tokens: 1_000_000, completion_tokens: 100 }],
  ])('%s are believed', async (_, more, usage) => {
    upstream.answer = openaiBody(usage)
    await ask({ ...hi, ...more })
    expect(lastRecord()).toMatchObject({ receipt: { estimated: false } })
    expect(lastRecord()?.receipt?.disputed).toBeUndefined()
  })

  it('of a context and a prompt that is as long are believed', async () => {
    upstream.answer = openaiBody({ prompt_tokens: 300_000, completion_tokens: 5 })
    await ask({ ...hi, messages: [{ role: 'user', content: 'one two three four five '.repeat(8_000) }] })
    expect(lastRecord()).toMatchObject({ promptTokens: 300_000, receipt: { estimated: false } })
  })

  it('of many texts to embed are believed', async () => {
    upstream.answer = json({ data: [], usage: { prompt_tokens: 300_000, total_tokens: 300_000 } })
    await ask({ model: 'gpt-4o', input: Array.from({ length: 60_000 }, () => 'a text') }, '/v1/embeddings')
    expect(lastRecord()).toMatchObject({ promptTokens: 300_000, receipt: { estimated: false } })
  })
})
