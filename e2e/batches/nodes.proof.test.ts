import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../server/test/support/lib/redis.ts'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { addCustomer, addKey, openForBusiness, type Person, signIn } from '../support/operator.ts'
import { createSharedDatabase, postgresHere } from '../support/shared-database.ts'
import { type Site, startSite } from '../support/site.ts'

/** A batch on two nodes, on one PostgreSQL and one Redis: the second one goes on when the first is killed, and each line is charged once. */

const here = redisHere && postgresHere
if (!here) console.warn('PostgreSQL or Redis is absent: batches that go on at another node are skipped')

const balance = 50_000_000
const count = 400
const patience = { timeout: 120_000, interval: 500 }

describe.skipIf(!here)('a batch of the gateway on two nodes', () => {
  let redis: TestRedis
  let database: Awaited<ReturnType<typeof createSharedDatabase>>
  let upstream: FakeUpstream
  let nodes: readonly Site[] = []
  let operator: Person
  let customer: Person
  let key: string

  const client = (node: number): OpenAI => new OpenAI({ baseURL: `${nodes[node]?.url}/v1`, apiKey: key, maxRetries: 5 })

  beforeAll(async () => {
    database = await createSharedDatabase('tollgate_own_batches')
    redis = await testRedis()
    await redis.start()
    upstream = await startFakeUpstream({ delayMs: 30 })
    const shared = { SQL_DSN: database.url, REDIS_CONN_STRING: redis.url, CRYPTO_SECRET: 'shared by both' }
    nodes = await Promise.all(['a', 'b'].map((node) => startSite({ ...shared, NODE_NAME: node })))
    const [first, second] = nodes
    if (first === undefined || second === undefined) throw new Error('no node')
    operator = await signIn(second.url)
    await openForBusiness(operator, upstream.url)
    customer = await addCustomer(second.url, operator, 'batches', balance)
    key = await addKey(customer)
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.remove()))
    await upstream?.close()
    await redis?.stop()
    await database?.drop()
  })

  it('goes on at the second, whichever was killed, and bills the sum of its lines', async () => {
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        custom_id: `line-${index}`,
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: 'gpt-4o', messages: [{ role: 'user', content: `say ${index}` }] },
      }),
    )
    const file = await toFile(Buffer.from(lines.join('\n')), 'in.jsonl')
    const { id: input_file_id } = await client(0).files.create({ file, purpose: 'batch' })
    const { id } = await client(0).batches.create({
      input_file_id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    })
    const completed = async (): Promise<number> => (await client(1).batches.retrieve(id)).request_counts?.completed ?? 0
    await expect.poll(completed, patience).toBeGreaterThan(30)
    await nodes[0]?.kill()
    await expect.poll(async () => (await client(1).batches.retrieve(id)).status, patience).toBe('completed')
    const done = await client(1).batches.retrieve(id)
    expect(done.request_counts).toEqual({ total: count, completed: count, failed: 0 })
    const output = await (await client(1).files.content(done.output_file_id ?? '')).text()
    const names = output
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { custom_id: string }).custom_id)
    expect(names).toHaveLength(count)
    expect(new Set(names).size).toBe(count)

    // Charges that the killed node had not written stand in its journal.
    await nodes[0]?.restart()
    const spent = async (): Promise<number> =>
      balance - (await operator.must<{ quota: number }>('GET', `/api/user/${customer.id}`)).quota
    const { items } = await operator.must<{ items: { quota: number }[] }>('GET', '/api/log/?type=2&page_size=1')
    const price = items[0]?.quota ?? 0
    expect(price).toBeGreaterThan(0)
    await expect.poll(spent, patience).toBe(price * count)
    // Rows of the log follow the ledger.
    const logged = async (): Promise<number> =>
      (await operator.must<{ total: number }>('GET', '/api/log/?type=2&username=batches&page_size=1')).total
    await expect.poll(logged, patience).toBe(count)
  })
})
