import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  contents,
  generated,
  message,
  named,
  question,
  respond,
  response,
} from '../../../test/support/gateway/dialects.ts'
import { ask, channel, hi, lastRecord, upstream, useChannels, useScene } from '../../../test/support/gateway/scene.ts'
import { chunk, completion, done, json, stream } from '../../../test/support/gateway/upstream.ts'
import { recompute } from '../../billing/cost.ts'

/** Whatever an upstream reports: the answer goes out, and what it costs is bounded by the model. */

useScene()

const odd = fc.oneof(
  { weight: 4, arbitrary: fc.nat(2000) },
  fc.constantFrom<unknown>(
    -1,
    0.5,
    4e8,
    999_999_999,
    1e15,
    1e300,
    Number.MAX_SAFE_INTEGER,
    '12',
    'NaN',
    null,
    true,
    [],
    {},
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

const members = (...names: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.dictionary(fc.constantFrom(...names), odd, { noNullPrototype: true })

/** A usage with some of its members and details, each of them anything. */
const usageOf = (
  names: readonly string[],
  details: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(members(...names), fc.record(details, { requiredKeys: [] }))
    .map(([counts, nested]) => ({ ...counts, ...nested }))

const openai = usageOf(
  ['prompt_tokens', 'completion_tokens', 'total_tokens', 'num_search_queries', 'num_sources_used', 'cached_tokens'],
  {
    prompt_tokens_details: members('cached_tokens', 'audio_tokens', 'cache_write_tokens'),
    completion_tokens_details: members('reasoning_tokens', 'audio_tokens'),
    server_tool_use: members('web_search_requests'),
  },
)
const responses = usageOf(['input_tokens', 'output_tokens', 'total_tokens'], {
  input_tokens_details: members('cached_tokens'),
  output_tokens_details: members('reasoning_tokens'),
  server_side_tool_usage_details: members('web_search_calls', 'x_search_calls'),
})
const anthropic = usageOf(['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'], {
  cache_creation: members('ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens'),
  server_tool_use: members('web_search_requests', 'web_fetch_requests'),
})
const gemini = usageOf(
  ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'totalTokenCount', 'cachedContentTokenCount'],
  {
    candidatesTokensDetails: fc.array(
      members('tokenCount').map((its) => ({ modality: 'AUDIO', ...its })),
      { maxLength: 2 },
    ),
  },
)

type Usage = Record<string, unknown>
type Answer = ReturnType<typeof json>

interface Dialect {
  readonly name: string
  readonly type: number
  readonly path: string
  readonly body: Record<string, unknown>
  readonly usage: fc.Arbitrary<Usage>
  /** The answer with these reports, one after the other. */
  answer(reports: readonly Usage[]): Answer
}

const last = (reports: readonly Usage[]): Usage | undefined => reports.at(-1)

const claudeEvents = (reports: readonly Usage[]): string[] => [
  named('message_start', { message: { ...message, content: [], stop_reason: null, usage: reports[0] } }),
  named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
  named('content_block_stop', { index: 0 }),
  ...reports.slice(1).map((usage) => named('message_delta', { delta: {}, usage })),
  named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: {} }),
  named('message_stop', {}),
]

const chat = '/v1/chat/completions'
const capped = { ...hi, max_tokens: 100 }
const gpt = { ...capped, model: 'gpt-4o' }
const eventOf = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

const dialects: readonly Dialect[] = [
  {
    name: 'chat',
    type: 1,
    path: chat,
    body: gpt,
    usage: openai,
    answer: (reports) => json({ ...completion('Hello'), usage: last(reports) }),
  },
  {
    name: 'a stream of chat',
    type: 1,
    path: chat,
    body: { ...gpt, stream: true },
    usage: openai,
    answer: (reports) =>
      stream(chunk('Hello'), ...reports.map((usage) => eventOf({ id: 'c', choices: [], usage })), done),
  },
  {
    name: 'responses',
    type: 1,
    path: '/v1/responses',
    body: { ...respond, tools: [{ type: 'web_search' }] },
    usage: responses,
    answer: (reports) =>
      json({
        ...response,
        usage: last(reports),
        tool_usage: { web_search: { num_requests: reports[0]?.input_tokens } },
      }),
  },
  {
    name: 'a stream of responses',
    type: 1,
    path: '/v1/responses',
    body: { ...respond, stream: true },
    usage: responses,
    answer: (reports) =>
      stream(
        named('response.created', { response: { ...response, output: [], usage: null } }),
        named('response.output_text.delta', { output_index: 0, delta: 'Hello' }),
        ...reports.map((usage) => named('response.in_progress', { response: { ...response, usage } })),
        named('response.completed', { response: { ...response, usage: last(reports) } }),
      ),
  },
  {
    name: 'messages',
    type: 14,
    path: '/v1/messages',
    body: question,
    usage: anthropic,
    answer: (reports) => json({ ...message, usage: last(reports) }),
  },
  {
    name: 'a stream of messages',
    type: 14,
    path: '/v1/messages',
    body: { ...question, stream: true },
    usage: anthropic,
    answer: (reports) => stream(...claudeEvents(reports)),
  },
  {
    name: 'a stream of messages, converted',
    type: 14,
    path: chat,
    body: { ...capped, stream: true },
    usage: anthropic,
    answer: (reports) => stream(...claudeEvents(reports)),
  },
  {
    name: 'messages, converted',
    type: 14,
    path: chat,
    body: capped,
    usage: anthropic,
    answer: (reports) => json({ ...message, usage: last(reports) }),
  },
  {
    name: 'Gemini',
    type: 24,
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    body: contents,
    usage: gemini,
    answer: (reports) => json({ ...generated, usageMetadata: last(reports) }),
  },
  {
    name: 'a stream of Gemini',
    type: 24,
    path: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    body: contents,
    usage: gemini,
    answer: (reports) => stream(...reports.map((usageMetadata) => eventOf({ ...generated, usageMetadata }))),
  },
  {
    name: 'embeddings',
    type: 1,
    path: '/v1/embeddings',
    body: { model: 'gpt-4o', input: 'hi' },
    usage: openai,
    answer: (reports) => json({ object: 'Hello', data: [{ embedding: [1] }], usage: last(reports) }),
  },
]

/** The widest of the limits: a context of 2,097,152 and as many searches as a tool may have made. */
const mostTokens = 20 * (2_097_152 + 1_048_576)

it.each(dialects)('in $name', async ({ type, path, body, usage, answer }) => {
  useChannels(channel({ type }))
  await fc.assert(
    fc.asyncProperty(fc.array(usage, { minLength: 1, maxLength: 4 }), async (reports) => {
      upstream.answer = answer(reports)
      const got = await ask(body, path)
      expect(got.status).toBe(200)
      expect(await got.text()).toContain('Hello')
      const record = lastRecord()
      expect(record?.kind).toBe('charge')
      expect(Number.isSafeInteger(record?.quota)).toBe(true)
      expect(record?.quota).toBeGreaterThanOrEqual(0)
      const tokens = (record?.promptTokens ?? 0) + (record?.completionTokens ?? 0)
      expect(Number.isSafeInteger(tokens)).toBe(true)
      expect(tokens).toBeLessThanOrEqual(mostTokens)
      for (const { quantity } of record?.receipt?.tools ?? []) expect(quantity).toBeLessThanOrEqual(1000)
      if (record?.receipt === undefined) throw new Error('there is no receipt')
      expect(recompute(JSON.parse(JSON.stringify(record.receipt)))).toBe(record.quota)
    }),
    { numRuns: 40 },
  )
})
