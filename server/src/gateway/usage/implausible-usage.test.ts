import { describe, expect, it } from 'vitest'
import {
  contents,
  eventsIn,
  gemini,
  generated,
  message,
  named,
  question,
  respond,
  response,
} from '../../../test/support/gateway/dialects.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { chunk, completion, done, json, stream } from '../../../test/support/gateway/upstream.ts'

/** Upstreams that report what cannot be: the answer goes out as it came, the charge stays plausible, and the receipt says so. */

useScene()

const messages = '/v1/messages'
const responses = '/v1/responses'
const google = '/v1beta/models/gemini-2.5-flash:generateContent'
const googleStream = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse'
const claude = () => channel({ type: 14 })
const capped = { ...hi, max_tokens: 100 }
const huge = 400_000_000

const usageChunks = (...reports: readonly object[]): string[] =>
  reports.map(
    (usage) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [], usage })}\n\n`,
  )

const openaiStream = (...reports: readonly object[]) => stream(chunk('Hello'), ...usageChunks(...reports), done)

const claudeStream = (start: object, ...deltas: readonly object[]) =>
  stream(
    named('message_start', { message: { ...message, content: [], stop_reason: null, usage: start } }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
    named('content_block_stop', { index: 0 }),
    ...deltas.map((usage) => named('message_delta', { delta: { stop_reason: 'end_turn' }, usage })),
    named('message_stop', {}),
  )

const geminiStream = (...reports: readonly object[]) =>
  stream(...reports.map((usageMetadata) => `data: ${JSON.stringify({ ...generated, usageMetadata })}\r\n\r\n`))

const responsesStream = (usage: object) =>
  stream(
    named('response.created', { response: { ...response, output: [], usage: null } }),
    named('response.output_text.delta', { output_index: 0, delta: 'Hello' }),
    named('response.completed', { response: { ...response, usage } }),
  )

type Answer = ReturnType<typeof json>
type Case = readonly [name: string, path: string, body: Record<string, unknown>, type: number, answer: Answer]

const openaiBody = (usage: object): Answer => json({ ...completion('Hello'), usage })

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

describe('several reports in a stream', () => {
  const good = { prompt_tokens: 50, completion_tokens: 20 }
  const of = (...reports: readonly object[]): Answer => openaiStream(...reports)
  const asStream = { ...capped, stream: true }

  it.each<readonly [string, Answer]>([
    ['one that cannot be comes later', of(good, { prompt_tokens: 50, completion_tokens: huge })],
    ['one beyond all counting comes later', of(good, { prompt_tokens: 1e15, completion_tokens: 1e15 })],
    ['a smaller one comes later', of(good, { prompt_tokens: 1, completion_tokens: 1 })],
    [
      'a smaller prompt comes later',
      of({ prompt_tokens: 50, completion_tokens: 1 }, { prompt_tokens: 2, completion_tokens: 20 }),
    ],
    ['nothing comes later', of(good, { prompt_tokens: 0, completion_tokens: 0 })],
    ['negative ones come later', of(good, { prompt_tokens: -5, completion_tokens: -5 })],
    [
      'all come at once',
      stream([chunk('Hello'), ...usageChunks(good, { prompt_tokens: 3, completion_tokens: huge }), done].join('')),
    ],
    ['they grow', of({ prompt_tokens: 50, completion_tokens: 1 }, { prompt_tokens: 50, completion_tokens: 9 }, good)],
  ])('the best counts when %s', async (_, answer) => {
    upstream.answer = answer
    await (await ask(asStream)).text()
    expect(lastRecord()).toMatchObject({ promptTokens: 50, completionTokens: 20, receipt: { estimated: false } })
  })

  it.each<readonly [string, string, Record<string, unknown>, () => void]>([
    ['Claude', messages, { ...question, stream: true }, () => useChannels(claude())],
    ['Claude, converted', '/v1/chat/completions', asStream, () => useChannels(claude())],
  ])('of %s, too', async (_, path, body, use) => {
    use()
    for (const last of [
      { input_tokens: 1, output_tokens: 2 },
      { output_tokens: huge },
      { input_tokens: huge, output_tokens: 1 },
    ]) {
      upstream.answer = claudeStream({ input_tokens: 50, output_tokens: 1 }, { output_tokens: 20 }, last)
      await (await ask(body, path)).text()
      expect(lastRecord()).toMatchObject({ promptTokens: 50, completionTokens: 20, receipt: { estimated: false } })
    }
  })

  it('of Gemini, too', async () => {
    useChannels(gemini())
    const best = { promptTokenCount: 50, candidatesTokenCount: 20, totalTokenCount: 70 }
    for (const last of [
      { ...best, candidatesTokenCount: 3 },
      { ...best, promptTokenCount: huge },
    ]) {
      upstream.answer = geminiStream(best, last)
      await (await ask(contents, googleStream)).text()
      expect(lastRecord()).toMatchObject({ promptTokens: 50, completionTokens: 20, receipt: { estimated: false } })
    }
  })
})

describe('marks of a stream under way', () => {
  it.each<readonly [string, object, object]>([
    ['nothing believed', { prompt_tokens: huge, completion_tokens: huge }, { output: 2 }],
    ['a prompt that cannot be', { prompt_tokens: huge, completion_tokens: 7 }, { output: 7 }],
    ['a completion that cannot be', { prompt_tokens: 7, completion_tokens: huge }, { input: 7, output: 2 }],
    ['all believed', { prompt_tokens: 7, completion_tokens: 8 }, { input: 7, output: 8 }],
  ])('count what was produced where a report is %s', async (_, usage, marked) => {
    let now = Date.now()
    await reopenGateway({ clock: () => now })
    const marks: { input: number }[] = []
    gateway.parts.recorder.progress = (_id, used) => marks.push(used)
    upstream.answer = ({ response: to }) => {
      to.writeHead(200, { 'content-type': 'text/event-stream' })
      to.write([chunk('Hello'), ...usageChunks(usage)].join(''))
      now += 2000
      setImmediate(() => to.end(chunk('!') + done))
    }
    await (await ask({ ...capped, stream: true })).text()
    expect(marks.at(-1)).toMatchObject(marked)
    expect(marks.at(-1)?.input).toBeGreaterThan(0)
    expect(marks.at(-1)?.input).toBeLessThan(100)
  })
})

describe('calls of tools', () => {
  const search = { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x' } }
  const searching = (num_requests: unknown): Answer =>
    json({ ...response, output: [search, ...response.output], tool_usage: { web_search: { num_requests } } })

  it.each([0.5, 1e15, 1e300, -3, '7'])('are counted in the answer where %j are reported', async (count) => {
    upstream.answer = searching(count)
    const got = await ask({ ...respond, tools: [{ type: 'web_search' }] }, responses)
    expect(got.status).toBe(200)
    expect(lastRecord()).toMatchObject({ kind: 'charge', receipt: { tools: [{ tool: 'web_search', quantity: 1 }] } })
  })

  it.each([0.5, 1e15, 1e300])('reported as %j are disputed', async (count) => {
    upstream.answer = searching(count)
    await ask({ ...respond, tools: [{ type: 'web_search' }] }, responses)
    expect(lastRecord()).toMatchObject({ receipt: { disputed: { web_search: count } } })
  })

  it.each([
    ['num_search_queries', { num_search_queries: 1e15 }, 'search_query'],
    ['num_sources_used', { num_sources_used: 0.5 }, 'live_search'],
    ['server_tool_use', { server_tool_use: { web_search_requests: 1e12 } }, 'web_search'],
    ['server_side_tool_usage_details', { server_side_tool_usage_details: { x_search_calls: 5e6 } }, 'x_search'],
  ])('in %s cannot be any number', async (_, more, tool) => {
    upstream.answer = openaiBody({ prompt_tokens: 10, completion_tokens: 5, ...more })
    expect((await ask(hi)).status).toBe(200)
    expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 5, receipt: { estimated: false } })
    expect(lastRecord()?.receipt?.tools).toBeUndefined()
    expect(lastRecord()?.receipt?.disputed).toHaveProperty(tool)
  })

  it('of Claude cannot be any number', async () => {
    useChannels(claude())
    const usage = { ...message.usage, server_tool_use: { web_search_requests: 1e15 } }
    upstream.answer = json({ ...message, usage })
    expect((await ask(question, messages)).status).toBe(200)
    expect(lastRecord()?.receipt).toMatchObject({ disputed: { web_search: 1e15 } })
    expect(lastRecord()?.receipt?.tools).toBeUndefined()
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
    ['of unknown models', { model: 'my-own-model' }, { prompt_tokens: 2_000_000, completion_tokens: 100_000 }],
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
    await ask({ model: 'gpt-4o', input: ['a', 'b'] }, '/v1/embeddings')
    expect(lastRecord()).toMatchObject({ promptTokens: 300_000, receipt: { estimated: false } })
  })
})
