import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { priceOf } from '../../../test/support/billing/price.ts'
import { openTestGateway, type TestGateway, testToken, testUser } from '../../../test/support/gateway/listener.ts'
import {
  chunk,
  done,
  openTestUpstream,
  type Received,
  type TestUpstream,
  usageChunk,
} from '../../../test/support/gateway/upstream.ts'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import { openTestChannels, openTestRelay, testChannel, testOptions } from '../../../test/support/relay/ports.ts'
import { cost } from '../../billing/cost.ts'
import { openTokenCounter } from '../../billing/counting/token-counter.ts'
import { decimal } from '../../billing/decimal.ts'
import type { Price } from '../../billing/price.ts'
import { noUsage } from '../../billing/usage.ts'
import { promptReader } from '../../dialects/openai-chat/prompt.ts'
import type { Epoch } from '../../ledger/epoch/stored-epoch.ts'
import type { Accounts, ReadBalances } from '../../ledger/holds/accounts.ts'
import { openMemoryAccounts } from '../../ledger/holds/holds-memory.ts'
import { openRedisAccounts } from '../../ledger/holds/holds-redis.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'

/** The balances of this test live in no database: its history never changes. */
const epoch: Epoch = {
  name: 'test',
  read: async () => 'test',
  use: () => undefined,
  renew: async () => 'test',
  lastEntry: async () => undefined,
  movementOf: async () => undefined,
}

/** Random calls at random prices, all at once: whatever they cost, holds keep the balance above its limit. */

interface Call {
  readonly stream: boolean
  readonly n: number
  /** 0 for none. */
  readonly maxTokens: number
  readonly words: number
  /** Of a stream without a maximum, whose length is unknown before. */
  readonly pieces: number
}

const ratio = fc.integer({ min: 1, max: 4000 }).map((thousandths) => decimal(thousandths / 1000))
const calls = fc.array(
  fc.record({
    stream: fc.boolean(),
    n: fc.integer({ min: 1, max: 12 }),
    maxTokens: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5000 })),
    words: fc.integer({ min: 1, max: 4000 }),
    pieces: fc.integer({ min: 1, max: 8000 }),
  }),
  { minLength: 2, maxLength: 12 },
)
const scenes = fc.record({
  modelRatio: ratio,
  completionRatio: ratio,
  balance: fc.integer({ min: 1, max: 60_000 }),
  keyQuota: fc.integer({ min: 1, max: 60_000 }),
  overdraft: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5000 })),
  calls,
})

/** A scene of both sides for certain: one call that is paid easily, and one that nothing pays. */
const small: Call = { stream: false, n: 1, maxTokens: 1, words: 1, pieces: 1 }
const bothSides: typeof scenes extends fc.Arbitrary<infer Scene> ? Scene : never = {
  modelRatio: decimal(1),
  completionRatio: decimal(4),
  balance: 60_000,
  keyQuota: 60_000,
  overdraft: 0,
  calls: [small, { ...small, n: 12, maxTokens: 5000 }],
}

/** One token. */
const piece = chunk('word ')
/** Completion tokens that may come before a stream is looked at again: 16 kB, and what one read of a socket brings. */
const step = Math.ceil((96 * 1024) / piece.length)

const counter = openTokenCounter()
afterAll(() => counter.close())

/** Answers as long as it may be, and says exactly what it cost. */
const answer = async ({ body, response }: Received): Promise<void> => {
  const request = JSON.parse(body.toString())
  const { n, max_tokens: most, user: pieces } = request
  const prompt = await counter.prompt('gpt-4o', promptReader, request)
  if (request.stream !== true) {
    const completion = n * (most ?? 500)
    const choices = [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }]
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices, usage }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const count = Math.min(Number(pieces), (most ?? Number.POSITIVE_INFINITY) * n)
  const write = (left: number): void => {
    for (let rest = left; rest > 0; rest -= 1) {
      if (response.write(piece)) continue
      response.once('drain', () => write(rest - 1))
      return
    }
    response.end(usageChunk(prompt, count) + done)
  }
  write(count)
}

const stores = ['memory', ...(redisHere ? ['Redis'] : [])]

describe.each(stores)('calls with holds in %s', (store) => {
  let redis: TestRedis | undefined
  let upstream: TestUpstream
  let gateway: TestGateway
  let accounts: Accounts
  let userId = 0
  let price: Price = priceOf('gpt-4o')
  let spent = 0
  const stored = new Map<number, { readonly balance: number; readonly keyQuota: number }>()

  const read: ReadBalances = async (names) =>
    names.map(({ account, id }) => ({
      account,
      id,
      balance: (account === 'user' ? stored.get(id)?.balance : stored.get(id)?.keyQuota) ?? 0,
      version: 1,
      unlimited: false,
    }))

  beforeAll(async () => {
    const queue = createSerialQueue()
    if (store === 'Redis') {
      redis = await testRedis()
      await redis.start()
      accounts = await openRedisAccounts({
        queue,
        read,
        url: redis.url,
        epoch,
        nodeName: randomUUID(),
        warn: () => undefined,
      })
    } else accounts = openMemoryAccounts({ queue, read })
    upstream = await openTestUpstream()
    upstream.answer = (call) => void answer(call)
    const { recorder } = openTestRelay()
    gateway = await openTestGateway({
      relay: {
        channels: openTestChannels(testChannel({ baseUrl: upstream.url })),
        holds: Object.assign(accounts, { ends: [] }),
        counter,
        limits: {
          timeouts: { connect: 20_000, firstByte: 20_000, streamIdle: 20_000 },
          maxResponseBytes: 1e7,
          defaultApiVersion: '',
        },
        prices: { of: () => price },
        recorder: Object.assign(recorder, {
          charge: async (...[record, hold]: Parameters<typeof recorder.charge>) => {
            spent += record.quota
            accounts.charging({ userId, tokenId: userId, quota: record.quota, hold })
          },
        }),
      },
    })
    return async () => {
      await gateway.close()
      await upstream.close()
      await accounts.close()
      await redis?.stop()
    }
  })

  const post = async ({ stream, n, maxTokens, words, pieces }: Call): Promise<number> => {
    const body = {
      // A model of its own for each run: nothing is known of its usual output.
      model: `gpt-4o-${userId}`,
      stream,
      n,
      ...(maxTokens === 0 ? {} : { max_tokens: maxTokens }),
      user: String(pieces),
      messages: [{ role: 'user', content: 'some words '.repeat(words) }],
    }
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good' },
      body: JSON.stringify(body),
    })
    await response.text()
    return response.status
  }

  it('never bring user or key below zero by more than a step of each stream and the overdraft', async () => {
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(scenes, async ({ balance, keyQuota, overdraft, modelRatio, completionRatio, calls }) => {
        userId += 1
        spent = 0
        const usual = priceOf('gpt-4o')
        price = { ...usual, unit: modelRatio, rates: { ...usual.rates, output: completionRatio } }
        stored.set(userId, { balance, keyQuota })
        const user = { ...testUser, id: userId }
        gateway.tokens.set('good', { ...testToken, tokenId: userId, unlimited: false, remainQuota: keyQuota, user })
        gateway.parts.settings = { ...testOptions, overdraft }
        for (const status of await Promise.all(calls.map(post))) seen.add(status)
        await gateway.listener.over()
        const streams = calls.filter(({ stream, maxTokens }) => stream && maxTokens === 0).length
        const inFlight = streams * cost({ ...noUsage, output: step }, price)
        expect(Math.min(balance, keyQuota) - spent).toBeGreaterThanOrEqual(-overdraft - inFlight)
      }),
      { numRuns: 25, endOnFailure: true, examples: [[bothSides]] },
    )
    // Also 401, where a call before used up the key.
    expect([...seen].filter((status) => status !== 401).sort()).toEqual([200, 403])
  })
})
