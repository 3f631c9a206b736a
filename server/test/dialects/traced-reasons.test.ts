import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOtelTracing } from '../../src/telemetry/otel/tracing.ts'
import { named } from '../support/gateway/dialects.ts'
import { openTestGateway, type TestGateway } from '../support/gateway/listener.ts'
import { openTestUpstream, type Received, type TestUpstream } from '../support/gateway/upstream.ts'
import { openTestChannels, testChannel } from '../support/relay/ports.ts'

/** Why answers ended, as the spans of their calls say it. */

type Language = 'chat' | 'messages' | 'gemini' | 'responses'
type Why = 'length' | 'tool_calls' | 'stop'

const exporter = new InMemorySpanExporter()
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
const tracing = createOtelTracing({ tracer: provider.getTracer('test'), propagates: false, clock: Date.now })

const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
const said = (why: Why): object => (why === 'tool_calls' ? { tool_calls: [{ index: 0, ...call }] } : { content: 'Hi' })

const chat = (why: Why, isStream: boolean): string => {
  const head = { id: 'c1', object: isStream ? 'chat.completion.chunk' : 'chat.completion', created: 7, model: 'm' }
  if (!isStream)
    return JSON.stringify({
      ...head,
      choices: [{ index: 0, message: { role: 'assistant', content: null, ...said(why) }, finish_reason: why }],
      usage,
    })
  return [
    data({ ...head, choices: [{ index: 0, delta: { role: 'assistant', ...said(why) }, finish_reason: null }] }),
    data({ ...head, choices: [{ index: 0, delta: {}, finish_reason: why }] }),
    data({ ...head, choices: [], usage }),
    'data: [DONE]\n\n',
  ].join('')
}

const stopReasons = { length: 'max_tokens', tool_calls: 'tool_use', stop: 'end_turn' } as const

const messages = (why: Why, isStream: boolean): string => {
  const tokens = { input_tokens: 5, output_tokens: 2 }
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null, usage: tokens }
  const isCall = why === 'tool_calls'
  const block = isCall ? { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} } : { type: 'text', text: 'Hi' }
  if (!isStream) return JSON.stringify({ ...head, content: [block], stop_reason: stopReasons[why] })
  const opened = isCall ? block : { type: 'text', text: '' }
  const delta = isCall ? { type: 'input_json_delta', partial_json: '{}' } : { type: 'text_delta', text: 'Hi' }
  return [
    named('message_start', { message: { ...head, content: [], stop_reason: null } }),
    named('content_block_start', { index: 0, content_block: opened }),
    named('content_block_delta', { index: 0, delta }),
    named('content_block_stop', { index: 0 }),
    named('message_delta', { delta: { stop_reason: stopReasons[why], stop_sequence: null }, usage: tokens }),
    named('message_stop', {}),
  ].join('')
}

const gemini = (why: Why, isStream: boolean): string => {
  const part = why === 'tool_calls' ? { functionCall: { name: 'look', args: {} } } : { text: 'Hi' }
  const end = { finishReason: why === 'length' ? 'MAX_TOKENS' : 'STOP', index: 0 }
  const content = { role: 'model', parts: [part] }
  const counts = { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 } }
  if (!isStream) return JSON.stringify({ candidates: [{ content, ...end }], ...counts })
  // The call and the end come apart.
  return [
    data({ candidates: [{ content, index: 0 }] }),
    data({ candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, ...end }], ...counts }),
  ].join('')
}

const responses = (why: Why, isStream: boolean): string => {
  const item =
    why === 'tool_calls'
      ? { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}', status: 'completed' }
      : { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }
  const ended =
    why === 'length'
      ? { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
      : { status: 'completed', incomplete_details: null }
  const tokens = { input_tokens: 5, output_tokens: 2, total_tokens: 7 }
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 7,
    model: 'm',
    output: [item],
    usage: tokens,
    ...ended,
  }
  if (!isStream) return JSON.stringify(response)
  return [
    named('response.created', { response: { ...response, status: 'in_progress', output: [], usage: null } }),
    named('response.output_item.added', { output_index: 0, item }),
    named('response.output_item.done', { output_index: 0, item }),
    named(`response.${ended.status}`, { response }),
  ].join('')
}

const answers = { chat, messages, gemini, responses }

/** Models and channel types whose providers speak these languages. */
const upstreams = {
  chat: { model: 'gpt-4o', type: 42 },
  messages: { model: 'claude-sonnet-4-5', type: 14 },
  gemini: { model: 'gemini-2.5-flash', type: 24 },
  responses: { model: 'gpt-5.2-codex', type: 1 },
} as const

const requests: Readonly<Record<Language, (model: string, stream: boolean) => readonly [string, object]>> = {
  chat: (model, stream) => [
    '/v1/chat/completions',
    { model, stream, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] },
  ],
  messages: (model, stream) => [
    '/v1/messages',
    { model, stream, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] },
  ],
  gemini: (model, stream) => [
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  ],
  responses: (model, stream) => ['/v1/responses', { model, stream, input: 'hi' }],
}

let upstream: TestUpstream
let gateway: TestGateway

beforeEach(async () => {
  exporter.reset()
  upstream = await openTestUpstream()
  const channels = openTestChannels(testChannel({ baseUrl: upstream.url }))
  gateway = await openTestGateway({ relay: { channels, keepAliveMs: 60_000 }, gateway: { tracing } })
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

const answering =
  (text: string, isStream: boolean) =>
  ({ response }: Received): void => {
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' }).end(text)
  }

interface Asked {
  readonly client: Language
  readonly provider: Language
  readonly isStream: boolean
}

/** Reasons in the spans of the request and of its attempt. */
const reasonsOf = async ({ client, provider: language, isStream }: Asked, text: string): Promise<unknown[]> => {
  const { model, type } = upstreams[language]
  gateway.parts.channels.list.splice(0, Number.POSITIVE_INFINITY, testChannel({ baseUrl: upstream.url, type }))
  upstream.answer = answering(text, isStream)
  const [path, body] = requests[client](model, isStream)
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await reply.text()
  const isRoot = (name: string): boolean => name === 'POST relay'
  await expect.poll(() => exporter.getFinishedSpans().some(({ name }) => isRoot(name))).toBe(true)
  return exporter
    .getFinishedSpans()
    .filter(({ name }) => isRoot(name) || name.startsWith('chat '))
    .map(({ attributes }) => attributes['gen_ai.response.finish_reasons'])
}

const languages = Object.keys(answers) as Language[]
const cells = languages.flatMap((client) =>
  languages.flatMap((language) =>
    [false, true].flatMap((isStream) =>
      (['length', 'tool_calls', 'stop'] as const).map((why) => ({ client, provider: language, isStream, why })),
    ),
  ),
)

describe('gen_ai.response.finish_reasons', () => {
  it.each(cells)('is $why for a client of $client at a provider of $provider, streamed: $isStream', async (cell) => {
    const { why, provider: language, isStream } = cell
    expect(await reasonsOf(cell, answers[language](why, isStream))).toEqual([[why], [why]])
  })

  it.each([
    { client: 'chat', provider: 'chat', isStream: true },
    { client: 'gemini', provider: 'chat', isStream: true },
  ] as const)('names all candidates in their order: $client', async (asked) => {
    const part = (index: number, delta: object, finish_reason: string | null): string =>
      data({
        id: 'c1',
        object: 'chat.completion.chunk',
        created: 7,
        model: 'm',
        choices: [{ index, delta, finish_reason }],
      })
    const text = [
      part(0, { role: 'assistant', content: 'a' }, null),
      part(1, { role: 'assistant', content: 'b' }, 'length'),
      part(0, {}, 'stop'),
      'data: [DONE]\n\n',
    ].join('')
    expect(await reasonsOf(asked, text)).toEqual([
      ['stop', 'length'],
      ['stop', 'length'],
    ])
  })

  it.each(languages)('is absent where a stream of %s breaks off', async (language) => {
    const whole = answers[language]('stop', true).split(/(?<=\n\n)/)
    const cut = whole.slice(0, language === 'messages' ? 3 : 1).join('')
    const reasons = await reasonsOf({ client: language, provider: language, isStream: true }, cut)
    expect(reasons).toEqual([undefined, undefined])
  })
})
