import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/support/db/databases.ts'
import {
  type LedgerGateway,
  type LedgerGatewayParts,
  openLedgerGateway,
} from '../../../test/support/gateway/ledger-listener.ts'
import { completion } from '../../../test/support/gateway/upstream.ts'
import { redisHere, testRedis } from '../../../test/support/lib/redis.ts'
import type { Database } from '../../db/database.ts'
import { openEpoch } from '../../ledger/epoch/stored-epoch.ts'
import { openRedisAccounts } from '../../ledger/holds/holds-redis.ts'

/** Calls that together cost more than their user has; holds refuse them, wherever the balance is stored. gpt-4o costs 1.25 units per prompt token and 5 per completion token. */

const statuses = async (calls: readonly Promise<Response>[]): Promise<number[]> => {
  const answers = await Promise.all(calls)
  await Promise.all(answers.map((answer) => answer.text()))
  return answers.map(({ status }) => status)
}

const times = (count: number, call: () => Promise<Response>): Promise<Response>[] =>
  Array.from({ length: count }, () => call())

/** About 80,000 tokens. */
const longPrompt = 'All work and no play makes '.repeat(15_000)
const chat = (more: object = {}, content = 'hi') => ({
  model: 'gpt-4o',
  messages: [{ role: 'user', content }],
  ...more,
})

const stores = ['memory', ...(redisHere ? ['Redis'] : [])]

describeWithDatabase('calls that cost more than there is', (openDatabase) =>
  describe.each(stores)('with holds in %s', (store) => {
    let database: Database
    let scene: LedgerGateway
    let redis: Awaited<ReturnType<typeof testRedis>> | undefined

    beforeAll(async () => {
      database = await openDatabase()
      if (store === 'memory') return
      const started = await testRedis()
      await started.start()
      redis = started
      return () => started.stop()
    })
    const open = async (parts: LedgerGatewayParts): Promise<LedgerGateway> => {
      const url = redis?.url
      const epoch = await openEpoch(database)
      const ledger: LedgerGatewayParts['ledger'] =
        url === undefined
          ? {}
          : {
              openAccounts: (accounts) =>
                openRedisAccounts({ ...accounts, url, epoch, nodeName: randomUUID(), warn: () => undefined }),
            }
      scene = await openLedgerGateway(database, { ...parts, ledger })
      return scene
    }
    afterEach(() => scene.close())

    it('20 prompts of 400 kB on a balance of 10,000 are all refused', async () => {
      const { post, balances, upstream } = await open({ balance: 10_000 })
      const seen = await statuses(times(20, () => post('/v1/chat/completions', chat({}, longPrompt))))
      expect(seen).toEqual(Array(20).fill(403))
      expect(upstream.received).toHaveLength(0)
      expect(await balances()).toMatchObject({ user: 10_000 })
    })

    it('as many prompts of 400 kB pass as the balance pays for', async () => {
      const { post, balances, upstream } = await open({ balance: 400_000 })
      upstream.answer = ({ response }) => {
        const { usage: _, ...unreported } = completion('hello')
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(unreported))
      }
      const seen = await statuses(times(20, () => post('/v1/chat/completions', chat({}, longPrompt))))
      const passed = seen.filter((status) => status === 200).length
      expect(passed).toBeGreaterThanOrEqual(1)
      expect(seen.filter((status) => status === 403)).toHaveLength(20 - passed)
      expect((await balances()).user).toBeGreaterThanOrEqual(0)
    })

    const choices = (count: number) => ({
      ...completion('hello'),
      choices: Array.from({ length: count }, () => completion('hello').choices[0]),
      usage: { prompt_tokens: 8, completion_tokens: count * 100, total_tokens: 8 + count * 100 },
    })

    it.each([
      ['n', '/v1/chat/completions', chat({ n: 100 })],
      ['n as a text', '/v1/chat/completions', chat({ n: '100' })],
      ['best_of', '/v1/completions', { model: 'gpt-4o', prompt: 'hi', best_of: 100 }],
      ['100 prompts', '/v1/completions', { model: 'gpt-4o', prompt: Array(100).fill('hi') }],
      [
        'candidateCount',
        '/v1beta/models/gpt-4o:generateContent',
        { contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { candidateCount: 100 } },
      ],
    ])('100 answers each (%s) are refused where one can be paid for', async (_, path, body) => {
      const { post, balances, upstream } = await open({ balance: 10_000 })
      upstream.answer = ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(choices(100)))
      }
      expect(await statuses(times(100, () => post(path, body)))).toEqual(Array(100).fill(403))
      expect(await balances()).toMatchObject({ user: 10_000 })
    })

    it.each([
      ['/v1/embeddings', { model: 'gpt-4o', input: longPrompt }],
      ['/v1/embeddings', { model: 'gpt-4o', input: [longPrompt] }],
      ['/v1/moderations', { model: 'gpt-4o', input: longPrompt }],
      ['/v1/rerank', { model: 'gpt-4o', query: 'play', documents: [longPrompt] }],
      ['/v1/rerank', { model: 'gpt-4o', query: longPrompt.slice(0, 8000), documents: Array(50).fill('play') }],
    ])('of %s hold their texts', async (path, body) => {
      const { post, balances } = await open({ balance: 10_000 })
      expect(await statuses(times(5, () => post(path, body)))).toEqual(Array(5).fill(403))
      expect(await balances()).toMatchObject({ user: 10_000 })
    })

    it('are refused by a key as by a user', async () => {
      const { post, balances, upstream } = await open({ balance: 10_000_000, remain: 10_000 })
      const seen = await statuses(times(20, () => post('/v1/chat/completions', chat({}, longPrompt))))
      expect(seen).toEqual(Array(20).fill(403))
      expect(upstream.received).toHaveLength(0)
      expect(await balances()).toEqual({ user: 10_000_000, token: 10_000 })
    })
  }),
)
