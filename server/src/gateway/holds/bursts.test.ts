import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { WebSocket } from 'undici'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/support/db/databases.ts'
import { type LedgerGateway, openLedgerGateway } from '../../../test/support/gateway/ledger-listener.ts'
import { testToken, testUser } from '../../../test/support/gateway/listener.ts'
import { chunk, done, type Received, stream, usageChunk } from '../../../test/support/gateway/upstream.ts'
import { newToken, newUser } from '../../../test/support/ledger/ledger.ts'
import { testChannel, testOptions } from '../../../test/support/relay/ports.ts'
import type { Database } from '../../db/database.ts'

/**
 * Streams that come in a burst, or in any pieces, while there is not enough to pay for them. Whatever the pieces are, a client that
 * gets no answer pays nothing, and one that gets the whole answer pays all of it. A completion token costs 5 units.
 */

const event = (data: Readonly<Record<string, unknown>>): string =>
  `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`

/** More bytes than a stream may bring before its cost is looked at, and more tokens than are held for it. */
const pieces = 80
const piece = 'word '.repeat(50)
const tokens = 4000
const last = 'conclusion'
/** Nine tokens at 1.25 units, rounded. */
const promptCost = 11
const texts = [...Array.from({ length: pieces }, () => piece), last]

interface Sender {
  readonly type: number
  readonly events: readonly string[]
}

const response = { id: 'r', object: 'response', status: 'in_progress', output: [] }
const usage = { input_tokens: 9, output_tokens: tokens, total_tokens: tokens + 9 }

const finish = `data: ${JSON.stringify({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 5,
  model: 'm',
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
})}\n\n`

const upstreams: Record<'chat' | 'responses' | 'messages' | 'gemini', Sender> = {
  chat: { type: 43, events: [...texts.map(chunk), finish, usageChunk(9, tokens), done] },
  responses: {
    type: 1,
    events: [
      event({ type: 'response.created', response }),
      ...texts.map((delta) =>
        event({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta }),
      ),
      event({ type: 'response.completed', response: { ...response, status: 'completed', usage } }),
    ],
  },
  messages: {
    type: 14,
    events: [
      event({
        type: 'message_start',
        message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'm', usage: { input_tokens: 9 } },
      }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      ...texts.map((text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: tokens } }),
      event({ type: 'message_stop' }),
    ],
  },
  gemini: {
    type: 24,
    events: texts.map((text) =>
      event({
        candidates: [
          { index: 0, content: { role: 'model', parts: [{ text }] }, ...(text === last && { finishReason: 'STOP' }) },
        ],
        ...(text === last && { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: tokens } }),
      }),
    ),
  },
}

const messages = [{ role: 'user', content: 'hi' }]
const clients = {
  chat: { path: '/v1/chat/completions', body: { model: 'gpt-4o', stream: true, messages } },
  responses: { path: '/v1/responses', body: { model: 'gpt-4o', stream: true, input: 'hi' } },
  socket: { path: '', body: { type: 'response.create', model: 'gpt-4o', input: 'hi' } },
  messages: { path: '/v1/messages', body: { model: 'gpt-4o', stream: true, messages } },
  gemini: {
    path: '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  },
  completions: { path: '/v1/completions', body: { model: 'gpt-4o', stream: true, prompt: 'hi' } },
}

type ClientName = keyof typeof clients
type UpstreamName = keyof typeof upstreams

const completionChunk = (text: string, reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'text_completion', choices: [{ index: 0, text, finish_reason: reason }] })}\n\n`

/** Legacy completions have chunks of their own. */
const completions: Sender = {
  type: 1,
  events: [...texts.map((text) => completionChunk(text)), completionChunk('', 'stop'), usageChunk(9, tokens), done],
}

/** What a client has got, over HTTP or a socket. */
interface Got {
  /** 0 over a socket, which has none. */
  readonly status: number
  readonly text: string
}

const overSocket = (url: string, key: string, body: object): Promise<Got> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`, {
      headers: { authorization: `Bearer sk-${key}` },
    })
    let text = ''
    socket.addEventListener('open', () => socket.send(JSON.stringify(body)))
    socket.addEventListener('message', ({ data }) => {
      text += `data: ${data}\n\n`
      const { type } = JSON.parse(String(data))
      if (type === 'error' || type === 'response.completed' || type === 'response.failed') socket.close()
    })
    socket.addEventListener('close', () => resolve({ status: 0, text }))
    socket.addEventListener('error', () => reject(new Error('the socket failed')))
  })

const overHttp = async (url: string, key: string, path: string, body: object): Promise<Got> => {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text() }
}

/** The stream in the pieces that `cuts` make of it, parts of a thousand; `resets` breaks the connection after the last. */
const burst = ({ events }: Sender, cuts: readonly number[], resets: boolean) => {
  const bytes = Buffer.from(events.join(''))
  const borders = [0, ...[...cuts].sort((a, b) => a - b).map((cut) => Math.floor((bytes.length * cut) / 1000))]
  const parts = borders.map((from, at) => bytes.subarray(from, borders[at + 1] ?? bytes.length))
  return async ({ response: out }: Received): Promise<void> => {
    out.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const part of parts) {
      await new Promise<void>((sent) => out.write(part, () => sent()))
      await setImmediate()
    }
    if (resets) out.destroy()
    else out.end()
  }
}

const countOf = (text: string, word: string): number => text.split(word).length - 1

interface Run {
  readonly balance: number
  readonly remain: number | undefined
  readonly max: number | undefined
  readonly overdraft: number
  readonly cuts: readonly number[]
  readonly resets: boolean
  readonly checked: boolean
}

const runs: fc.Arbitrary<Run> = fc.record({
  balance: fc.integer({ min: 2600, max: 24_000 }),
  remain: fc.option(fc.integer({ min: 2600, max: 24_000 }), { nil: undefined }),
  max: fc.option(fc.integer({ min: 1, max: 5000 }), { nil: undefined }),
  overdraft: fc.constantFrom(0, 3000),
  cuts: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 6 }),
  ),
  resets: fc.boolean(),
  checked: fc.boolean(),
})

const bounded = (client: ClientName, max: number | undefined): object => {
  if (max === undefined) return {}
  if (client === 'gemini') return { generationConfig: { maxOutputTokens: max } }
  return client === 'responses' || client === 'socket' ? { max_output_tokens: max } : { max_tokens: max }
}

const pairs = [
  ...Object.keys(clients).flatMap((client) =>
    Object.keys(upstreams)
      .filter((upstream) =>
        client === 'completions'
          ? upstream === 'chat'
          : upstream !== 'responses' || client === 'responses' || client === 'socket',
      )
      .map((upstream) => [client, upstream] as [ClientName, UpstreamName]),
  ),
]

describeWithDatabase('a stream in a burst that cannot be paid for', (openDatabase) => {
  let scene: LedgerGateway | undefined
  let database: Database
  let users = 0

  beforeAll(async () => {
    database = await openDatabase()
  })

  afterEach(async () => {
    await scene?.close()
    scene = undefined
  })

  const open = async (type: number): Promise<LedgerGateway> => {
    const opened = await openLedgerGateway(database, { balance: 0 })
    scene = opened
    const { baseUrl } = testChannel({ baseUrl: opened.upstream.url })
    opened.gateway.parts.channels.list.splice(0, 1, testChannel({ id: 0, type, baseUrl }))
    return opened
  }

  const call = async (opened: LedgerGateway, client: ClientName, run: Run) => {
    const { gateway, open: books } = opened
    const userId = await newUser(database, books.ledger, run.balance)
    const unlimited = run.remain === undefined
    const tokenId = await newToken(database, books.ledger, { userId, remain: run.remain ?? 0, unlimited })
    users += 1
    const key = `payer${users}`
    const token = { ...testToken, tokenId, unlimited, remainQuota: run.remain ?? 0 }
    gateway.tokens.set(key, { ...token, user: { ...testUser, id: userId } })
    const answerCheck = run.checked ? { words: ['never said'], stop: true, hold: 3 } : undefined
    gateway.parts.settings = { ...testOptions, overdraft: run.overdraft, ...(answerCheck && { answerCheck }) }
    const { path, body } = clients[client]
    const asked = { ...body, ...bounded(client, run.max) }
    const got =
      client === 'socket' ? await overSocket(gateway.url, key, asked) : await overHttp(gateway.url, key, path, asked)
    await gateway.listener.over()
    await books.ledger.flush()
    const { quota } = await database.query
      .selectFrom('users')
      .select('quota')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    return { ...got, charged: run.balance - quota, words: countOf(got.text, 'word '), whole: got.text.includes(last) }
  }

  it.each(pairs)('is delivered or free for a client of %s at an upstream of %s', async (client, upstream) => {
    const sender = client === 'completions' ? completions : upstreams[upstream]
    const opened = await open(sender.type)
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        opened.upstream.answer = burst(sender, run.cuts, run.resets)
        const { status, words, whole, charged } = await call(opened, client, run)
        if (status >= 400 || words === 0) expect(charged).toBe(0)
        if (whole) expect(charged).toBeGreaterThan(5 * Math.min(tokens, run.max ?? tokens) - 1)
        // What was not delivered is not paid: a word is a token, or a little more, and the prompt is a few.
        if (!whole) expect(charged).toBeLessThanOrEqual(words * 6 + 200)
      }),
      { numRuns: 25 },
    )
  })

  it.each(pairs)(
    'comes whole for a client of %s at an upstream of %s when it comes at once',
    async (client, upstream) => {
      const sender = client === 'completions' ? completions : upstreams[upstream]
      const opened = await open(sender.type)
      opened.upstream.answer = stream(sender.events.join(''))
      const run = {
        balance: 6000,
        remain: undefined,
        max: undefined,
        overdraft: 0,
        cuts: [],
        resets: false,
        checked: false,
      }
      const { words, whole, charged } = await call(opened, client, run)
      if (whole) expect(charged).toBe(5 * tokens + promptCost)
      else expect(charged).toBeLessThanOrEqual(words * 6 + 200)
    },
  )
})
