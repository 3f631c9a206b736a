import fc from 'fast-check'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/support/db/databases.ts'
import {
  bounded,
  burst,
  type ClientName,
  clients,
  completions,
  countOf,
  last,
  overHttp,
  overSocket,
  pairs,
  promptCost,
  type Run,
  runs,
  tokens,
  upstreams,
} from '../../../test/support/gateway/bursts.ts'
import { type LedgerGateway, openLedgerGateway } from '../../../test/support/gateway/ledger-listener.ts'
import { testToken, testUser } from '../../../test/support/gateway/listener.ts'
import { stream } from '../../../test/support/gateway/upstream.ts'
import { newToken, newUser } from '../../../test/support/ledger/ledger.ts'
import { testChannel, testOptions } from '../../../test/support/relay/ports.ts'
import type { Database } from '../../db/database.ts'

/**
 * Streams that come in a burst, or in any pieces, while there is not enough to pay for them. Whatever the pieces are, a client that
 * gets no answer pays nothing, and one that gets the whole answer pays all of it. A completion token costs 5 units.
 */

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
        // Undelivered tokens are free: a word is a token, or a little more, and the prompt is a few.
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
