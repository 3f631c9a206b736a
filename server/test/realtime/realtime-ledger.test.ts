import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { verifyLedger } from '../../src/ledger/verify/verify.ts'
import { describeEachEngine } from '../support/db/databases.ts'
import { openTestGateway, type TestGateway, testToken, testUser } from '../support/gateway/listener.ts'
import {
  openSession,
  openTestRealtime,
  responseCreated,
  responseDone,
  type TestRealtime,
} from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { usage } from '../support/gateway/sessions.ts'
import { newJournalDirectory, newToken, newUser, openTestLedger, type TestLedger } from '../support/ledger/ledger.ts'
import { openTestChannels, openTestRelay, testChannel } from '../support/relay/ports.ts'

/** Sessions with the real ledger and journal behind them. One of the responses costs 5300. */

describeEachEngine('a session', (openDatabase) => {
  let database: Database
  let books: Awaited<ReturnType<typeof newJournalDirectory>>
  let open: TestLedger
  let upstream: TestRealtime
  let gateway: TestGateway
  let userId = 0
  let tokenId = 0

  beforeAll(async () => {
    database = await openDatabase()
    books = await newJournalDirectory()
  })
  afterAll(() => books.remove())

  beforeEach(async () => {
    open = await openTestLedger(database, books.directory)
    upstream = await openTestRealtime()
    userId = await newUser(database, open.ledger, 20_000)
    tokenId = await newToken(database, open.ledger, { userId, remain: 12_000 })
    // The memory of tests beside the real one, which alone is asked.
    const { recorder } = openTestRelay()
    gateway = await openTestGateway({
      relay: {
        channels: openTestChannels(testChannel({ id: 0, baseUrl: upstream.url })),
        recorder: Object.assign(recorder, open.ledger.recorder),
        holds: Object.assign(open.ledger.holds, { ends: [] }),
      },
    })
    const user = { ...testUser, id: userId }
    gateway.tokens.set('good', { ...testToken, tokenId, unlimited: false, remainQuota: 12_000, user })
  })
  afterEach(async () => {
    await gateway.close()
    await upstream.close()
    await open.crash()
  })

  const balances = async () => {
    const user = database.query.selectFrom('users').select(['quota', 'used_quota', 'request_count'])
    const token = database.query.selectFrom('tokens').select('remain_quota')
    return {
      ...(await user.where('id', '=', userId).executeTakeFirstOrThrow()),
      ...(await token.where('id', '=', tokenId).executeTakeFirstOrThrow()),
    }
  }
  const logs = () => database.query.selectFrom('logs').selectAll().where('user_id', '=', userId).execute()
  const respond = async (id: string) => {
    const [session] = upstream.sessions
    session?.say(responseCreated(id), responseDone(usage, id))
  }
  /** Marks in the journal of what a whole response used. */
  const marks = (): number => {
    const files = readdirSync(books.directory, { withFileTypes: true }).filter((entry) => entry.isFile())
    const lines = files.flatMap(({ name }) => readFileSync(join(books.directory, name), 'utf8').split('\n'))
    return lines.filter((line) => line.startsWith('{"progress":') && line.includes('"audioOutput":70')).length
  }
  const holdOf = (amount: number) => open.ledger.holds.hold({ userId, tokenId, amount })

  it('costs what it used, and leaves nothing held', async () => {
    const client = await openSession(gateway.url)
    await respond('1')
    await client.next('response.done')
    await until(() => open.ledger.waiting === 0)
    // Usage is held before it is charged, with one step more.
    expect(await holdOf(20_000 - 5300)).toMatchObject({ kind: 'refused' })
    client.socket.close(1000)
    await gateway.listener.over()
    await open.ledger.flush()
    expect(await balances()).toEqual({ quota: 14_700, used_quota: 5300, request_count: 1, remain_quota: 6700 })
    expect(await holdOf(6700)).toMatchObject({ kind: 'held' })
    expect(await logs()).toMatchObject([
      { type: 2, quota: 5300, is_stream: 1, prompt_tokens: 200, completion_tokens: 100 },
    ])
    expect(JSON.parse((await logs())[0]?.other ?? '')).toMatchObject({ ws: true, audio_input: 60, audio_output: 70 })
    expect((await verifyLedger(database)).differences).toEqual([])
  })

  it('ends when the token is used up, though the user is not', async () => {
    const client = await openSession(gateway.url)
    await respond('1')
    await respond('2')
    await client.next('response.done')
    await client.next('response.done')
    await respond('3')
    expect(await client.next('error')).toMatchObject({ error: { code: 'pre_consume_token_quota_failed' } })
    await client.closed
    await gateway.listener.over()
    await open.ledger.flush()
    expect(await balances()).toMatchObject({ quota: 20_000 - 3 * 5300, remain_quota: 12_000 - 3 * 5300 })
  })

  it('is settled once after a crash, for what was marked', async () => {
    const before = marks()
    const client = await openSession(gateway.url)
    await respond('1')
    await client.next('response.done')
    await expect.poll(marks).toBeGreaterThan(before)
    await open.crash()
    for (let start = 0; start < 2; start += 1) {
      const again = await openTestLedger(database, books.directory)
      expect(await balances()).toEqual({ quota: 14_700, used_quota: 5300, request_count: 1, remain_quota: 6700 })
      expect(await logs()).toMatchObject([{ type: 2, quota: 5300, content: 'interrupted', is_stream: 1 }])
      await again.crash()
    }
    expect((await verifyLedger(database)).differences).toEqual([])
    client.socket.close()
    await gateway.listener.over()
    open = await openTestLedger(database, books.directory)
  })
})
