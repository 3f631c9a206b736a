import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../server/test/support/lib/redis.ts'
import { openTcpProxy, type TcpProxy } from '../../server/test/support/lib/tcp-proxy.ts'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { addChannel, addCustomer, addKey, type Person, signIn } from '../support/operator.ts'
import { createSharedDatabase, postgresHere } from '../support/shared-database.ts'
import { type Site, startSite } from '../support/site.ts'

/** A node whose database and Redis are behind lines that the test cuts. */

const here = redisHere && postgresHere
if (!here) console.warn('PostgreSQL or Redis is absent: the proof with lost services is skipped')

const cost = 275
const mostWaiting = 60

describe.skipIf(!here)('a node that has lost', () => {
  let redis: TestRedis
  let database: Awaited<ReturnType<typeof createSharedDatabase>>
  let upstream: FakeUpstream
  let site: Site
  let operator: Person
  let toDatabase: TcpProxy
  let toRedis: TcpProxy

  const lineTo = async (address: string): Promise<{ proxy: TcpProxy; url: string }> => {
    const url = new URL(address)
    const proxy = await openTcpProxy(url.hostname, Number(url.port || 5432))
    url.hostname = '127.0.0.1'
    url.port = String(proxy.port)
    return { proxy, url: url.href }
  }

  beforeAll(async () => {
    database = await createSharedDatabase('tollgate_away')
    redis = await testRedis()
    await redis.start()
    const lines = await Promise.all([database.url, redis.url].map(lineTo))
    const [first, second] = lines
    if (first === undefined || second === undefined) throw new Error('no lines')
    toDatabase = first.proxy
    toRedis = second.proxy
    upstream = await startFakeUpstream()
    site = await startSite({
      SQL_DSN: first.url,
      REDIS_CONN_STRING: second.url,
      CRYPTO_SECRET: 'of this site',
      MAX_WAITING_RECORDS: String(mostWaiting),
    })
    operator = await signIn(site.url)
    await addChannel(operator, upstream.url)
  })
  afterAll(async () => {
    await site?.remove()
    await upstream?.close()
    await toDatabase?.close()
    await toRedis?.close()
    await redis?.stop()
    await database?.drop()
  })

  const statusOf = async (key: string): Promise<number> => {
    const response = await fetch(`${site.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], max_tokens: 50 }),
    })
    await response.text()
    return response.status
  }
  /** How many of so many calls, one after the other, had each status. */
  const statuses = async (key: string, calls: number): Promise<Record<number, number>> => {
    const counts: Record<number, number> = {}
    for (let call = 0; call < calls; call += 1) {
      const status = await statusOf(key)
      counts[status] = (counts[status] ?? 0) + 1
    }
    return counts
  }
  const balanceOf = async ({ id }: Person): Promise<number> =>
    (await operator.must<{ quota: number }>('GET', `/api/user/${id}`)).quota
  const rowsOf = async (username: string): Promise<number> =>
    (await operator.must<{ total: number }>('GET', `/api/log/?type=2&username=${username}`)).total
  const ready = async (): Promise<string> => {
    const response = await fetch(`${site.url}/readyz?verbose`)
    return `${response.status} ${await response.text()}`
  }

  it('Redis goes on with what it has leased, and counts all of it afterwards', async () => {
    const customer = await addCustomer(site.url, operator, 'leased', 10_000_000)
    const key = await addKey(customer)
    // A node that starts counts on its leases from the first answer of Redis on.
    expect(await statuses(key, 5)).toEqual({ 200: 5 })
    toRedis.cut()
    expect(await statuses(key, 30)).toEqual({ 200: 30 })
    // The probe asks Redis once in a while.
    await expect.poll(ready).toMatch(/^200 [\s\S]*\[!\]redis/)
    // Nobody has a lease of this one.
    const stranger = await addKey(await addCustomer(site.url, operator, 'unleased', 10_000_000))
    expect(await statusOf(stranger)).toBe(503)
    toRedis.restore()
    await expect.poll(() => statusOf(stranger)).toBe(200)
    await expect.poll(() => balanceOf(customer)).toBe(10_000_000 - 35 * cost)
  })

  it('the database goes on with known keys up to its bound, and writes all of it afterwards', async () => {
    const customer = await addCustomer(site.url, operator, 'known', 10_000_000)
    const key = await addKey(customer)
    expect(await statuses(key, 3)).toEqual({ 200: 3 })
    await expect.poll(() => balanceOf(customer)).toBe(10_000_000 - 3 * cost)
    // Rows of the log are written after the money, and wait within the same bound.
    await expect.poll(() => rowsOf('known')).toBe(3)
    toDatabase.cut()
    expect(await statuses(key, mostWaiting - 1)).toEqual({ 200: mostWaiting - 1 })
    await expect.poll(ready).toMatch(/^200 [\s\S]*\[!\]database/)
    expect(await statusOf(key)).toBe(200)
    expect(await ready()).toMatch(/^503 [\s\S]*\[-\]ledger failed/)
    expect(await statuses(key, 3)).toEqual({ 503: 3 })
    toDatabase.restore()
    await expect.poll(() => statusOf(key)).toBe(200)
    await expect.poll(() => balanceOf(customer)).toBe(10_000_000 - (mostWaiting + 4) * cost)
  })
})
