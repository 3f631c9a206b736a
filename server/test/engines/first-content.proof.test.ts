import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  hiStream,
  holdEnds,
  lastRecord,
  openStream,
  reopenGateway,
  until,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import {
  chunk,
  done,
  openTestUpstream,
  type Received,
  stream,
  type TestUpstream,
  usageChunk,
} from '../support/gateway/upstream.ts'
import { testOptions } from '../support/relay/ports.ts'

/** Engines send a head, or an empty chunk, at once, and are then silent until their first token. */

useScene()

const patient = { connect: 2000, firstByte: 20_000, streamIdle: 100 }
const impatient = { connect: 2000, firstByte: 300, streamIdle: 100 }

const reopen = (timeouts: typeof patient, more: Parameters<typeof reopenGateway>[0] = {}): Promise<void> =>
  reopenGateway({ limits: { ...gateway.parts.limits, timeouts }, ...more })

const event = (value: unknown, name = ''): string =>
  `${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`
const role = event({ id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] })
const messageStart = event(
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      usage: { input_tokens: 9, output_tokens: 1 },
    },
  },
  'message_start',
)
const created = event(
  { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
  'response.created',
)

const openings: readonly (readonly [string, string])[] = [
  ['its head', ''],
  ['a comment', ': queued\n\n'],
  ['a chunk that only names the role', role],
  ['a chunk with nothing in it', event({ id: 'c', choices: [{ index: 0, delta: {} }] })],
  ['a chunk without choices', event({ id: 'c', choices: [] })],
]

/** Opens, is silent for longer than a stream may be between two chunks, and goes on. Limits are kept up to a second late. */
const late =
  (opening: string, rest: string, silentMs = 1700) =>
  ({ response }: Received): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    if (opening !== '') response.write(opening)
    setTimeout(() => response.end(rest), silentMs)
  }

/** Opens, and repeats a piece without end. */
const babbling =
  (opening: string, piece: string) =>
  ({ response, closed }: Received): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    response.write(opening)
    const timer = setInterval(() => response.write(piece), 30)
    void closed.then(() => clearInterval(timer))
  }

const answerOf = chunk('hello') + usageChunk(20, 5) + done

describe('a stream before its first content', () => {
  it.each(openings)('has the time of a call after %s', async (_, opening) => {
    await reopen(patient)
    upstream.answer = late(opening, answerOf)
    expect(await (await ask(hiStream)).text()).toContain('hello')
    expect(lastRecord()).toMatchObject({
      kind: 'charge',
      promptTokens: 20,
      completionTokens: 5,
      other: { end: 'done' },
    })
  })

  it.each(openings)('costs nothing when it ends in silence after %s', async (_, opening) => {
    await reopen(impatient)
    upstream.answer = late(opening, answerOf, 5000)
    expect(await (await ask(hiStream)).text()).toContain('upstream_timeout')
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0, other: { error_code: 'upstream_timeout' } })
    expect(holdEnds()).toEqual(['released'])
  })

  it.each([
    ['comments', ': queued\n\n'],
    ['empty chunks', event({ id: 'c', choices: [{ index: 0, delta: { content: '' } }] })],
  ])('is not prolonged by %s', async (_, piece) => {
    await reopen({ ...impatient, streamIdle: 5000 })
    upstream.answer = babbling(role, piece)
    expect(await (await ask(hiStream)).text()).toContain('upstream_timeout')
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
  })

  it('is cut in the middle after the pause that a stream may make', async () => {
    await reopen(patient)
    upstream.answer = late(chunk('one'), chunk('two'), 5000)
    expect(await (await ask(hiStream)).text()).toContain('upstream_timeout')
    expect(lastRecord()).toMatchObject({ kind: 'charge', completionTokens: 3, other: { end: 'upstream_broke' } })
  })

  it('may wait without end where nothing bounds a call', async () => {
    await reopen({ ...patient, firstByte: 0 })
    upstream.answer = late(role, answerOf, 1500)
    expect(await (await ask(hiStream)).text()).toContain('hello')
  })

  it.each([
    [
      'Messages',
      14,
      '/v1/messages',
      { ...hiStream, max_tokens: 5 },
      messageStart,
      [
        event(
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          'content_block_start',
        ),
        event(
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
          'content_block_delta',
        ),
        event({ type: 'content_block_stop', index: 0 }, 'content_block_stop'),
        event(
          { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
          'message_delta',
        ),
        event({ type: 'message_stop' }, 'message_stop'),
      ].join(''),
    ],
    [
      'Responses',
      1,
      '/v1/responses',
      { model: 'gpt-4o', input: 'hi', stream: true },
      created,
      [
        event({ type: 'response.output_text.delta', item_id: 'm', delta: 'hello' }, 'response.output_text.delta'),
        event(
          {
            type: 'response.completed',
            response: { id: 'resp_1', status: 'completed', output: [], usage: { input_tokens: 9, output_tokens: 5 } },
          },
          'response.completed',
        ),
      ].join(''),
    ],
    ['Messages of a chat model', 1, '/v1/messages', { ...hiStream, max_tokens: 5 }, role, answerOf],
    ['chat at a Messages provider', 14, '/v1/chat/completions', hiStream, messageStart, ''],
  ] as const)('has the time of a call in %s', async (name, type, path, body, opening, rest) => {
    await reopen(patient)
    useChannels(channel({ type }))
    const text =
      event(
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        'content_block_start',
      ) +
      event(
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
        'content_block_delta',
      ) +
      event(
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
        'message_delta',
      ) +
      event({ type: 'message_stop' }, 'message_stop')
    upstream.answer = late(opening, name === 'chat at a Messages provider' ? text : rest)
    expect(await (await ask(body, path)).text()).toContain('hello')
    expect(lastRecord()).toMatchObject({ kind: 'charge', completionTokens: 5, other: { end: 'done' } })
  })
})

describe('a client that leaves after a chunk that says nothing', () => {
  it('pays nothing where nobody has stated a prompt', async () => {
    upstream.answer = late(role, answerOf, 5000)
    const response = await openStream()
    await once(response, 'data')
    response.destroy()
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0, other: { end: 'client_gone' } })
  })
})

describe('a channel that opens a stream and gives nothing', () => {
  let other: TestUpstream
  afterEach(() => other?.close())

  it.each(openings)('is followed by another after %s', async (_, opening) => {
    other = await openTestUpstream()
    other.answer = stream(chunk('from the other'), usageChunk(7, 3), done)
    await reopen(patient, { settings: { ...testOptions, retryTimes: 1 } })
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(opening, () => response.destroy())
    }
    useChannels(channel({ id: 1, priority: 9 }), channel({ id: 2, baseUrl: other.url }))
    const text = await (await ask(hiStream)).text()
    expect(text).toContain('from the other')
    expect(text).not.toContain('"error"')
    expect(lastRecord()).toMatchObject({ kind: 'charge', channelId: 2, promptTokens: 7, completionTokens: 3 })
  })

  it('is followed by another when the opening is followed by an error', async () => {
    other = await openTestUpstream()
    other.answer = stream(chunk('from the other'), usageChunk(7, 3), done)
    await reopen(patient, { settings: { ...testOptions, retryTimes: 1 } })
    upstream.answer = stream(role, event({ error: { message: 'out of memory', type: 'server_error' } }))
    useChannels(channel({ id: 1, priority: 9 }), channel({ id: 2, baseUrl: other.url }))
    const text = await (await ask(hiStream)).text()
    expect(text).toContain('from the other')
    expect(text).not.toContain('out of memory')
  })

  it('keeps the bytes of its opening where it goes on', async () => {
    await reopen(patient, { settings: { ...testOptions, retryTimes: 1 } })
    upstream.answer = stream(role, chunk('one'), done)
    expect(await (await ask(hiStream)).text()).toBe(role + chunk('one') + done)
  })
})
