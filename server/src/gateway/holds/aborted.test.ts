import { once } from 'node:events'
import { request } from 'node:http'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { priceOf } from '../../../test/support/billing/price.ts'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import {
  type LedgerGateway,
  type LedgerGatewayParts,
  openLedgerGateway,
} from '../../../test/support/gateway/ledger-listener.ts'
import { chunk, json } from '../../../test/support/gateway/upstream.ts'
import { testChannel, testOptions } from '../../../test/support/relay/ports.ts'
import type { Database } from '../../db/database.ts'
import type { RelayChannel } from '../../relay/ports.ts'

/** Clients that leave before the first byte of their answer. */

const prompt = 'All work and no play makes Jack a dull boy. '.repeat(50)
const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: prompt }] }

describeEachEngine('a client that leaves before the first byte', (openDatabase) => {
  let database: Database
  let scene: LedgerGateway | undefined

  beforeAll(async () => {
    database = await openDatabase()
  })
  const open = async (
    channel: Partial<RelayChannel>,
    parts: Partial<LedgerGatewayParts> = {},
  ): Promise<LedgerGateway> => {
    const opened = await openLedgerGateway(database, { balance: 100_000, ...parts })
    scene = opened
    const { url: baseUrl } = opened.upstream
    opened.gateway.parts.channels.list.splice(0, 1, testChannel({ id: 0, baseUrl, ...channel }))
    return opened
  }
  afterEach(async () => {
    await scene?.close()
    scene = undefined
  })

  /** Leaves as soon as the upstream has the request. */
  const leave = async (
    { gateway, upstream }: LedgerGateway,
    body: object,
    path = '/v1/chat/completions',
  ): Promise<void> => {
    const arrived = new Promise<void>((resolve) => {
      upstream.answer = () => resolve()
    })
    const call = request(gateway.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good' },
      agent: false,
    })
    call.on('error', () => {})
    call.end(JSON.stringify(body))
    await arrived
    call.destroy()
    await upstream.received.at(-1)?.closed
    await gateway.listener.over()
  }

  const spent = async ({ balances }: LedgerGateway): Promise<number> => 100_000 - (await balances()).user

  it.each([
    ['/v1/chat/completions', chat],
    ['/v1/chat/completions', { ...chat, stream: true }],
    ['/v1/messages', { ...chat, max_tokens: 10 }],
    ['/v1/responses', { model: 'gpt-4o', input: prompt, stream: true }],
    ['/v1/embeddings', { model: 'gpt-4o', input: prompt }],
  ])('pays its prompt where the channel bills aborted calls: %s', async (path, body) => {
    const opened = await open({ billsAborted: true })
    await leave(opened, body, path)
    const quota = await spent(opened)
    // 550 tokens and a few more, at 1.25.
    expect(quota).toBeGreaterThan(550 * 1.25)
    expect(quota).toBeLessThan(600 * 1.25)
    expect(await opened.logs()).toMatchObject([{ end: 'client_gone', receipt: { estimated: true, quota } }])
  })

  it('pays nothing where the channel bills no aborted calls', async () => {
    const opened = await open({})
    await leave(opened, chat)
    expect(await spent(opened)).toBe(0)
    expect(await opened.logs()).toMatchObject([{ end: 'client_gone' }])
  })

  it('pays nothing where no upstream has the request yet', async () => {
    const opened = await open({ billsAborted: true })
    const { gateway } = opened
    const call = request(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good' },
      agent: false,
    })
    call.on('error', () => {})
    call.write(JSON.stringify(chat).slice(0, 20))
    await new Promise((resolve) => setImmediate(resolve))
    const closed = new Promise((resolve) => call.once('close', resolve))
    call.destroy()
    await closed
    expect(await spent(opened)).toBe(0)
  })

  it('pays nothing of a price per call, which is the price of an answer', async () => {
    const opened = await open({ billsAborted: true }, { price: priceOf('mj_imagine') })
    await leave(opened, chat)
    expect(await spent(opened)).toBe(0)
  })

  it('pays as before what came, after the first byte', async () => {
    const opened = await open({ billsAborted: true })
    const { gateway, upstream } = opened
    upstream.answer = ({ response }) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk('a'))
    const call = request(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good' },
      agent: false,
    })
    call.on('error', () => {})
    call.end(JSON.stringify({ ...chat, stream: true }))
    const [response] = await once(call, 'response')
    await once(response, 'data')
    call.destroy()
    await upstream.received.at(-1)?.closed
    expect(await spent(opened)).toBeGreaterThan(550 * 1.25 + 4)
    const sums = await database.query
      .selectFrom('aborted_calls')
      .selectAll()
      .where('user_id', '=', opened.userId)
      .execute()
    expect(sums).toEqual([])
  })

  it('counts for rate limits', async () => {
    const opened = await open({ billsAborted: true })
    const rateLimit = { enabled: true, minutes: 1, count: 0, successCount: 1 }
    opened.gateway.parts.settings = { ...testOptions, rateLimit }
    await leave(opened, chat)
    opened.upstream.answer = json({})
    expect((await opened.post('/v1/chat/completions', chat)).status).toBe(429)
  })

  it('is summed by user and day, once for each call', async () => {
    const opened = await open({ billsAborted: true })
    await leave(opened, chat)
    await leave(opened, chat)
    const quota = await spent(opened)
    const sums = await database.query
      .selectFrom('aborted_calls')
      .selectAll()
      .where('user_id', '=', opened.userId)
      .execute()
    expect(sums.reduce((total, { count }) => total + count, 0)).toBe(2)
    expect(sums.reduce((total, { quota: of }) => total + of, 0)).toBe(quota)
    for (const { created_at: at } of sums) expect(at % 86_400).toBe(0)
  })
})
