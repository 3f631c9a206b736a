import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { describeEachEngine, describeWithDatabase } from '../../../test/support/db/databases.ts'
import {
  type LedgerGateway,
  type LedgerGatewayParts,
  openLedgerGateway,
} from '../../../test/support/gateway/ledger-listener.ts'
import { chunk, done, pour, type Received } from '../../../test/support/gateway/upstream.ts'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import { testChannel, testOptions } from '../../../test/support/relay/ports.ts'
import type { Database } from '../../db/database.ts'
import { openEpoch } from '../../ledger/epoch/stored-epoch.ts'
import { openMemoryAccounts } from '../../ledger/holds/holds-memory.ts'
import { openRedisAccounts } from '../../ledger/holds/holds-redis.ts'

/** Streams that outgrow what their user or key can pay. A completion token costs 5 units. */

const event = (data: Readonly<Record<string, unknown>>): string =>
  `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`

interface Sender {
  readonly type: number
  readonly begin: string
  /** About one token. */
  readonly piece: string
  /** After the last piece. */
  readonly end?: string
}

const upstreams = {
  chat: { type: 43, begin: chunk('a'), piece: chunk('word '), end: done },
  responses: {
    type: 1,
    begin: event({ type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } }),
    piece: event({
      type: 'response.output_text.delta',
      item_id: 'm',
      output_index: 0,
      content_index: 0,
      delta: 'word ',
    }),
  },
  messages: {
    type: 14,
    begin:
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
      }) + event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    piece: event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word ' } }),
  },
  gemini: {
    type: 24,
    begin: event({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'a' }] } }] }),
    piece: event({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'word ' }] } }] }),
  },
} satisfies Record<string, Sender>

const messages = [{ role: 'user', content: 'hi' }]
const quotaMessage = expect.stringContaining('quota')
const clients = {
  chat: {
    path: '/v1/chat/completions',
    body: { model: 'gpt-4o', stream: true, messages },
    error: { error: expect.objectContaining({ code: 'insufficient_user_quota', message: quotaMessage }) },
  },
  responses: {
    path: '/v1/responses',
    body: { model: 'gpt-4o', stream: true, input: 'hi' },
    error: expect.objectContaining({ type: 'error', code: 'insufficient_user_quota', message: quotaMessage }),
  },
  messages: {
    path: '/v1/messages',
    body: { model: 'gpt-4o', stream: true, messages },
    error: {
      type: 'error',
      error: expect.objectContaining({ type: 'permission_error', message: quotaMessage }),
      request_id: expect.any(String),
    },
  },
  gemini: {
    path: '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    error: { error: { code: 403, status: 'PERMISSION_DENIED', message: quotaMessage } },
  },
}

const lastEvent = (text: string): unknown => {
  const data = text
    .trimEnd()
    .split('\n')
    .findLast((line) => line.startsWith('data: '))
  return JSON.parse(data?.slice('data: '.length) ?? '')
}

/** 200,000 units and more, if it is not stopped. */
const times = 40_000
/** Quota units of 256 kB of the smallest of these events: more than is ever in flight. */
const oneStep = 20_000

/** Opens scenes on one database, with an upstream that pours pieces; each is closed after its test. */
const useScenes = (openDatabase: () => Promise<Database>) => {
  let database: Database
  let scene: LedgerGateway | undefined

  beforeAll(async () => {
    database = await openDatabase()
  })
  /** The upstream answers when `together` calls have reached it: none of them can end before the others have begun. */
  const open = async (
    sender: Sender,
    parts: LedgerGatewayParts,
    { pieces = times, together = 1 }: { pieces?: number; together?: number } = {},
  ): Promise<LedgerGateway> => {
    const opened = await openLedgerGateway(database, parts)
    scene = opened
    const { baseUrl } = testChannel({ baseUrl: opened.upstream.url })
    opened.gateway.parts.channels.list.splice(0, 1, testChannel({ id: 0, type: sender.type, baseUrl }))
    const poured = pour('text/event-stream', {
      piece: Buffer.from(sender.piece),
      times: pieces,
      ...(sender.end && { end: sender.end }),
    })
    const waiting: Received[] = []
    opened.upstream.answer = (received) => {
      waiting.push(received)
      if (waiting.length < together) return
      for (const call of waiting.splice(0)) {
        call.response.writeHead(200, { 'content-type': 'text/event-stream' }).write(sender.begin)
        Object.assign(call.response, { writeHead: () => call.response })
        poured.answer(call)
      }
    }
    return opened
  }
  const close = async (): Promise<void> => {
    await scene?.close()
    scene = undefined
  }
  afterEach(close)
  return { open, close, database: () => database }
}

// OpenAI speaks chat as well as responses, so only clients of responses reach its responses.
const pairs = Object.keys(clients).flatMap((client) =>
  Object.keys(upstreams)
    .filter((upstream) => upstream !== 'responses' || client === 'responses')
    .map((upstream) => [client, upstream] as [keyof typeof clients, keyof typeof upstreams]),
)

describeWithDatabase('a stream that outgrows what there is, in every dialect,', (openDatabase) => {
  const { open } = useScenes(openDatabase)

  it.each(pairs)('ends with an error for a client of %s at an upstream of %s', async (client, upstream) => {
    const { path, body, error } = clients[client]
    const { post, balances, logs } = await open(upstreams[upstream], { balance: 10_000 })
    const response = await post(path, body)
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toContain('word')
    expect(lastEvent(text)).toEqual(error)
    const { user } = await balances()
    expect(user).toBeLessThan(2500)
    expect(user).toBeGreaterThan(-oneStep)
    expect(await logs()).toMatchObject([{ end: 'out_of_quota' }])
  })
})

describeEachEngine('a stream that outgrows what there is', (openDatabase) => {
  const { open, close, database } = useScenes(openDatabase)

  it('ends when the key is used up, though its user is not', async () => {
    const { post, balances } = await open(upstreams.chat, { balance: 1_000_000, remain: 10_000 })
    const { path, body } = clients.chat
    const text = await (await post(path, body)).text()
    expect(lastEvent(text)).toMatchObject({ error: { code: 'pre_consume_token_quota_failed' } })
    const { user, token } = await balances()
    expect(token).toBeLessThan(2500)
    expect(token).toBeGreaterThan(-oneStep)
    expect(1_000_000 - user).toBe(10_000 - token)
  })

  it('goes on into an overdraft that is tolerated', async () => {
    const { post, balances, gateway } = await open(upstreams.chat, { balance: 10_000 })
    gateway.parts.settings = { ...testOptions, overdraft: 50_000 }
    const { path, body } = clients.chat
    expect(lastEvent(await (await post(path, body)).text())).toMatchObject(clients.chat.error)
    const { user } = await balances()
    expect(user).toBeLessThan(-47_500)
    expect(user).toBeGreaterThan(-50_000 - oneStep)
  })

  it('is not cut short where its balance just pays for it, though a quick estimate says otherwise', async () => {
    const { post, balances, logs } = await open(upstreams.chat, { balance: 10_100 }, { pieces: 2000 })
    const { path, body } = clients.chat
    const text = await (await post(path, { ...body, max_tokens: 2000 })).text()
    expect(text.split('word').length - 1).toBe(2000)
    expect((await balances()).user).toBeGreaterThanOrEqual(0)
    expect(await logs()).toMatchObject([{ end: 'done' }])
  })

  it('is not cut short where it can be paid for, and leaves nothing held', async () => {
    const { post, balances, open: books, userId } = await open(upstreams.chat, { balance: 1_000_000 })
    const { path, body } = clients.chat
    const text = await (await post(path, body)).text()
    expect(text.split('word').length - 1).toBe(times)
    const { user } = await balances()
    expect(user).toBeLessThan(1_000_000 - times * 5)
    expect(await books.ledger.holds.hold({ userId, tokenId: 0, amount: user })).toMatchObject({ kind: 'held' })
  })

  it('waits while its hold is looked at, however long that takes', async () => {
    const { post, balances } = await open(upstreams.chat, {
      balance: 10_000,
      ledger: {
        openAccounts: async (parts) => {
          const accounts = openMemoryAccounts(parts)
          const hold: typeof accounts.hold = async (request) => {
            await new Promise((resolve) => setTimeout(resolve, 500))
            return accounts.hold(request)
          }
          return { ...accounts, hold }
        },
      },
    })
    const { path, body, error } = clients.chat
    expect(lastEvent(await (await post(path, body)).text())).toMatchObject(error)
    expect((await balances()).user).toBeGreaterThan(-oneStep)
  })

  if (redisHere) {
    it('ends where nodes share their holds, too', async () => {
      const redis: TestRedis = await testRedis()
      await redis.start()
      const epoch = await openEpoch(database())
      try {
        const { post, balances } = await open(
          upstreams.chat,
          {
            balance: 10_000,
            ledger: {
              openAccounts: (parts) =>
                openRedisAccounts({ ...parts, url: redis.url, epoch, nodeName: randomUUID(), warn: () => undefined }),
            },
          },
          { together: 2 },
        )
        const { path, body } = clients.chat
        const texts = await Promise.all([1, 2].map(async () => (await post(path, body)).text()))
        for (const text of texts) expect(lastEvent(text)).toMatchObject(clients.chat.error)
        expect((await balances()).user).toBeGreaterThan(-2 * oneStep)
        await close()
      } finally {
        await redis.stop()
      }
    })
  }
})
