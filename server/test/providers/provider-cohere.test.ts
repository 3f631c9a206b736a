import { describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  hi,
  hiStream,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'

useScene()

const cohere = () => channel({ type: 34 })

const usage = {
  billed_units: { input_tokens: 5, output_tokens: 2 },
  tokens: { input_tokens: 70, output_tokens: 3 },
  cached_tokens: 64,
}

const answer = {
  id: 'c1',
  finish_reason: 'MAX_TOKENS',
  message: { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
  usage,
}

const named = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

const text = (words: string): string =>
  named('content-delta', { index: 0, delta: { message: { content: { text: words } } } })

const begin = named('message-start', { id: 'c1', delta: { message: { role: 'assistant' } } })
const end = (delta: object): string => named('message-end', { delta: { usage, ...delta } })

const eventsIn = (all: string): Record<string, unknown>[] =>
  all
    .split('\n')
    .filter((row) => row.startsWith('data: {'))
    .map((row) => JSON.parse(row.slice(6)))

describe('Cohere', () => {
  it('is asked in its second version, and all its tokens are billed, not the units', async () => {
    useChannels(cohere())
    upstream.answer = json(answer)
    const response = await ask({ ...hi, max_tokens: 1 })
    expect(upstream.received[0]?.path).toBe('/v2/chat')
    expect(upstream.received[0]?.headers.authorization).toBe('Bearer channel-key')
    expect(JSON.parse(sentBody())).toEqual({ ...hi, stream: false, max_tokens: 1 })
    expect(await response.json()).toMatchObject({
      id: 'c1',
      model: 'gpt-4o',
      choices: [{ message: { content: 'Hello' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 70, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 64 } },
    })
    expect(lastRecord()).toMatchObject({ promptTokens: 70, completionTokens: 3, other: { cache_tokens: 64 } })
  })

  it('streams texts and citations to a client of Anthropic', async () => {
    useChannels(cohere())
    const document = { title: 'Facts', url: 'https://x.example' }
    const sources = [
      { type: 'document', id: 'd', document },
      { type: 'tool', id: 't', tool_output: { content: 'x' } },
    ]
    const citations = { start: 0, end: 5, text: 'Hello', sources }
    upstream.answer = stream(
      begin,
      text('Hello'),
      named('citation-start', { index: 0, delta: { message: { citations } } }),
      end({ finish_reason: 'COMPLETE' }),
      'data: [DONE]\n\n',
    )
    const all = eventsIn(await (await ask({ ...hiStream, max_tokens: 9 }, '/v1/messages')).text())
    const deltas = all.filter(({ type }) => type === 'content_block_delta').map(({ delta }) => delta)
    expect(deltas).toMatchObject([
      { type: 'text_delta', text: 'Hello' },
      { type: 'citations_delta', citation: { url: 'https://x.example', title: 'Facts', cited_text: 'Hello' } },
    ])
    expect(all.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } })
  })

  it.each([
    ['a status', () => json({ id: 'x', message: 'invalid request: no such model' }, 404), 404],
    ['a reason to end', () => json({ ...answer, finish_reason: 'ERROR' }), 502],
  ])('fails with %s', async (_, failing, status) => {
    useChannels(cohere())
    upstream.answer = failing()
    const response = await ask(hi)
    expect(response.status).toBe(status)
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
  })

  it('may break in the middle of a stream', async () => {
    useChannels(cohere())
    upstream.answer = stream(begin, text('Hel'), end({ finish_reason: 'ERROR', error: 'broke' }))
    expect(eventsIn(await (await ask(hiStream)).text()).at(-1)).toMatchObject({
      error: { message: expect.stringContaining('broke') },
    })
  })
})
