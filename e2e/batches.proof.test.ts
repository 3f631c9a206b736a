import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BatchProvider, json, lines, openBatchProvider } from '../server/test/support/batches/batch-provider.ts'
import { answered, failedLine, inputFile, openaiBatch } from '../server/test/support/batches/openai-lines.ts'
import { redisHere, type TestRedis, testRedis } from '../server/test/support/lib/redis.ts'
import { addChannel, addCustomer, addKey, type Person, signIn } from './support/operator.ts'
import { createSharedDatabase, postgresHere } from './support/shared-database.ts'
import { type Site, startSite } from './support/site.ts'

/** A batch on two nodes of two workers each, on one PostgreSQL and one Redis, is charged once, however many reads of it there are. */

const here = redisHere && postgresHere
if (!here) console.warn('PostgreSQL or Redis is absent: batches on several nodes are skipped')

describe.skipIf(!here)('a batch on two nodes with two workers each', () => {
  let redis: TestRedis
  let database: Awaited<ReturnType<typeof createSharedDatabase>>
  let provider: BatchProvider
  let nodes: readonly Site[] = []
  let operator: Person
  let customer: Person
  let key: string
  let channelId = 0

  beforeAll(async () => {
    database = await createSharedDatabase('tollgate_batches')
    redis = await testRedis()
    await redis.start()
    provider = await openBatchProvider()
    const shared = {
      SQL_DSN: database.url,
      REDIS_CONN_STRING: redis.url,
      CRYPTO_SECRET: 'shared by both',
      WORKERS: '2',
    }
    nodes = await Promise.all(['a', 'b'].map((node) => startSite({ ...shared, NODE_NAME: node })))
    const [first] = nodes
    if (first === undefined) throw new Error('no node')
    operator = await signIn(first.url)
    const settings = { passthrough: { groups: ['default'], price: 0.01 } }
    await addChannel(operator, provider.url, { models: 'gpt-5.5', setting: JSON.stringify(settings) })
    const [channel] = await operator.must<{ id: number }[]>('GET', '/api/channel/?p=0&page_size=10')
    channelId = channel?.id ?? 0
    customer = await addCustomer(first.url, operator, 'batches', 50_000_000)
    key = await addKey(customer)
  })

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.remove()))
    await provider?.close()
    await redis?.stop()
    await database?.drop()
  })

  /** A connection of its own: any worker may take it. */
  const call = (node: number, path: string, body?: FormData | object): Promise<Response> =>
    fetch(`${nodes[node % 2]?.url}/p/${channelId}${path}`, {
      headers: {
        authorization: `Bearer ${key}`,
        connection: 'close',
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { method: 'POST', body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
  const balance = async (): Promise<number> =>
    (await operator.must<{ quota: number }>('GET', `/api/user/${customer.id}`)).quota

  it('is charged once, by its lines, although both nodes read it many times', async () => {
    const { answers } = provider
    answers.set('POST /v1/files', json({ id: 'file-in', object: 'file', purpose: 'batch' }))
    answers.set('POST /v1/batches', json(openaiBatch('validating')))
    answers.set('GET /v1/batches/batch_1', json(openaiBatch('in_progress')))
    answers.set('GET /v1/files/file-out/content', lines([answered('gpt-5.5', 100_000, 10_000), failedLine]))

    expect((await call(0, '/v1/files', inputFile('gpt-5.5', 2))).status).toBe(200)
    // The upload is a direct call at its flat price of 0.01 dollars.
    const uploaded = 50_000_000 - 5_000
    await expect.poll(balance).toBe(uploaded)
    // Another node than the one of the file makes the batch, and all ask after it.
    await expect
      .poll(
        async () =>
          (
            await call(1, '/v1/batches', {
              input_file_id: 'file-in',
              endpoint: '/v1/chat/completions',
              completion_window: '24h',
            })
          ).status,
      )
      .toBe(200)
    await Promise.all(Array.from({ length: 8 }, (_, node) => call(node, '/v1/batches/batch_1')))
    expect(await balance()).toBe(uploaded)

    answers.set('GET /v1/batches/batch_1', json(openaiBatch('completed', { output_file_id: 'file-out' })))
    const read = async (): Promise<void> => {
      const asked = ['/v1/batches/batch_1', '/v1/files/file-out/content']
      const answered = await Promise.all(
        Array.from({ length: 16 }, (_, at) => call(at, asked[Math.floor(at / 2) % 2] ?? '')),
      )
      await Promise.all(answered.map((answer) => answer.arrayBuffer()))
    }
    await read()
    // 100,000 × 1.25 + 10,000 × 7.5 units: gpt-5.5 in a batch.
    await expect.poll(balance, { timeout: 30_000 }).toBe(uploaded - 200_000)
    await read()
    const charges = await operator.must<{ items: { quota: number }[] }>('GET', '/api/log/?type=2&page_size=100')
    expect(charges.items.map(({ quota }) => quota).filter((quota) => quota === 200_000)).toHaveLength(1)
    expect(await balance()).toBe(uploaded - 200_000)
  })
})
