import { describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  lastRecord,
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { done, type Received, usageChunk } from '../../../test/support/gateway/upstream.ts'

/**
 * Streams that break off after their opening are free, as there was no content, in any pair of dialects; from the first content on they
 * are charged.
 */

useScene()

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const event = (value: { readonly type: string } & Record<string, unknown>): string =>
  `event: ${value.type}\n${data(value)}`

const chunk = (delta: object | undefined, more: object = {}): string =>
  data({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 5,
    model: 'm',
    choices: [{ index: 0, ...(delta && { delta }), finish_reason: null, ...more }],
  })
const candidate = (parts: readonly object[], more: object = {}): string =>
  data({ candidates: [{ index: 0, content: { role: 'model', parts } }], ...more })
const response = {
  id: 'r',
  object: 'response',
  status: 'in_progress',
  model: 'm',
  instructions: 'Be brief.',
  output: [],
}
const item = (added: object): string => event({ type: 'response.output_item.added', output_index: 0, item: added })
const block = (content_block: object): string => event({ type: 'content_block_start', index: 0, content_block })

interface Sender {
  readonly type: number
  /** All that can come before an answer says something. */
  readonly openings: readonly string[]
  readonly error: string
  /** First pieces of an answer, each by itself. */
  readonly pieces: Readonly<Record<string, string>>
}

const senders = {
  chat: {
    type: 43,
    openings: [
      chunk({ role: 'assistant', content: '' }),
      chunk({ role: 'assistant', content: null, reasoning_content: '', tool_calls: null, refusal: null }),
      ': ping\n\n',
      usageChunk(9, 0),
    ],
    error: data({ error: { message: 'overloaded', type: 'server_error', code: 'x' } }),
    pieces: {
      text: chunk({ content: 'word' }),
      reasoning: chunk({ reasoning_content: 'hm' }),
      call: chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] }),
      picture: chunk({ images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }),
      usage: usageChunk(9, 4),
    },
  },
  responses: {
    type: 1,
    openings: [
      event({ type: 'response.created', response }),
      event({ type: 'response.in_progress', response }),
      event({ type: 'keepalive', sequence_number: 3 }),
      item({ type: 'reasoning', id: 'rs', summary: [] }),
      item({ type: 'message', id: 'm', status: 'in_progress', role: 'assistant', content: [] }),
      event({
        type: 'response.content_part.added',
        item_id: 'm',
        output_index: 0,
        content_index: 0,
        part: { type: 'output_text', text: '', annotations: [], logprobs: [] },
      }),
      event({
        type: 'response.output_text.delta',
        item_id: 'm',
        output_index: 0,
        content_index: 0,
        delta: '',
        obfuscation: 'xyz',
      }),
    ],
    error: event({ type: 'error', code: 'server_error', message: 'overloaded', param: null }),
    pieces: {
      text: event({
        type: 'response.output_text.delta',
        item_id: 'm',
        output_index: 0,
        content_index: 0,
        delta: 'word',
      }),
      reasoning: event({
        type: 'response.reasoning_summary_text.delta',
        item_id: 'rs',
        output_index: 0,
        summary_index: 0,
        delta: 'hm',
      }),
      call: item({ type: 'function_call', id: 'f', call_id: 'c', name: 'f', arguments: '', status: 'in_progress' }),
      picture: event({
        type: 'response.image_generation_call.partial_image',
        item_id: 'i',
        output_index: 0,
        partial_image_b64: 'AAAA',
      }),
    },
  },
  messages: {
    type: 14,
    openings: [
      event({
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          content: [],
          model: 'm',
          usage: { input_tokens: 9, output_tokens: 1 },
        },
      }),
      event({ type: 'ping' }),
      block({ type: 'thinking', thinking: '', signature: '' }),
      block({ type: 'text', text: '' }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '' } }),
    ],
    error: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    pieces: {
      text: event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word' } }),
      reasoning: event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } }),
      call: block({ type: 'tool_use', id: 't', name: 'f', input: {} }),
      usage: event({ type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 4 } }),
    },
  },
  gemini: {
    type: 24,
    openings: [
      candidate([{ text: '' }], { usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 } }),
      candidate([]),
      data({ usageMetadata: { promptTokenCount: 9 }, modelVersion: 'm', responseId: 'r' }),
    ],
    error: data({ error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }),
    pieces: {
      text: candidate([{ text: 'word' }]),
      reasoning: candidate([{ text: 'hm', thought: true }]),
      call: candidate([{ functionCall: { name: 'f', args: {} } }]),
      picture: candidate([{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }]),
      usage: data({ usageMetadata: { promptTokenCount: 9, thoughtsTokenCount: 40 } }),
    },
  },
} satisfies Record<string, Sender>

const messages = [{ role: 'user', content: 'hi' }]
const clients = {
  chat: { path: '/v1/chat/completions', body: { model: 'gpt-4o', stream: true, messages } },
  usage: {
    path: '/v1/chat/completions',
    body: { model: 'gpt-4o', stream: true, stream_options: { include_usage: true }, messages },
  },
  responses: { path: '/v1/responses', body: { model: 'gpt-4o', stream: true, input: 'hi' } },
  messages: { path: '/v1/messages', body: { model: 'gpt-4o', max_tokens: 50, stream: true, messages } },
  gemini: {
    path: '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  },
}

type SenderName = keyof typeof senders
type ClientName = keyof typeof clients

const pairs = Object.keys(clients).flatMap((client) =>
  Object.keys(senders)
    .filter((sender) => sender !== 'responses' || client === 'responses')
    .map((sender) => [client, sender] as [ClientName, SenderName]),
)

const endings = {
  'an error': ({ error }: Sender) => [error],
  'an error and an end mark': ({ error }: Sender) => [error, done],
  'its end': () => [],
  'a reset': () => undefined,
}

/** Each event in a packet of its own. */
const sends =
  (events: readonly string[], isReset: boolean) =>
  async ({ response: out }: Received): Promise<void> => {
    out.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const text of events) await new Promise<void>((sent) => out.write(text, () => sent()))
    if (isReset) out.destroy()
    else out.end()
  }

const call = async (clientName: ClientName): Promise<{ status: number; text: string }> => {
  const { path, body } = clients[clientName]
  const answer = await ask(body, path)
  return { status: answer.status, text: await answer.text() }
}

/** Google's dialect has whole calls only, and figures with the end: a client gets neither of an answer that breaks off. */
const isWrittenLater = (client: ClientName, sender: SenderName, piece: string): boolean =>
  client === 'gemini' && sender !== 'gemini' && (piece === 'call' || piece === 'usage')

describe.each(pairs)('a client of %s at an upstream of %s', (client, name) => {
  const sender: Sender = senders[name]

  it.each(Object.keys(endings) as (keyof typeof endings)[])('pays nothing for an opening and %s', async (ending) => {
    useChannels(channel({ type: sender.type }))
    const last = endings[ending](sender)
    upstream.answer = sends([...sender.openings, ...(last ?? [])], last === undefined)
    const { status, text } = await call(client)
    expect(gateway.parts.recorder.records).toHaveLength(1)
    expect(lastRecord()).toMatchObject({ kind: 'error' })
    if (status === 200) expect(text).toMatch(/"error"|event: error/)
  })

  it.each(Object.keys(sender.pieces))('pays for %s', async (piece) => {
    useChannels(channel({ type: sender.type }))
    upstream.answer = sends([...sender.openings, sender.pieces[piece] ?? '', sender.error], false)
    const { status, text } = await call(client)
    expect(text).toMatch(/"error"|event: error/)
    expect(gateway.parts.recorder.records).toHaveLength(1)
    if (isWrittenLater(client, name, piece)) {
      // Anthropic's error says that it is overloaded.
      expect(status).toBe(name === 'messages' ? 503 : 502)
      expect(lastRecord()).toMatchObject({ kind: 'error' })
    } else expect(lastRecord()).toMatchObject({ kind: 'charge', other: { end: 'upstream_broke' } })
  })
})

describe('a failed response', () => {
  const failed = event({
    type: 'response.failed',
    response: { ...response, status: 'failed', error: { code: 'server_error', message: 'overloaded' } },
  })
  const openings = senders.responses.openings
  const word = senders.responses.pieces.text

  it('costs nothing before it has said something, and its client reads why', async () => {
    useChannels(channel({ type: 1 }))
    upstream.answer = sends([...openings, failed], false)
    const { text } = await call('responses')
    expect(lastRecord()).toMatchObject({ kind: 'error' })
    expect(text).toContain('"type":"response.failed"')
    expect(text).not.toContain('event: error')
  })

  it('is paid as far as it came', async () => {
    useChannels(channel({ type: 1 }))
    upstream.answer = sends([...openings, word, failed], false)
    const { text } = await call('responses')
    expect(lastRecord()).toMatchObject({ kind: 'charge', other: { end: 'upstream_broke' } })
    expect(text).toContain('"type":"response.failed"')
  })
})
