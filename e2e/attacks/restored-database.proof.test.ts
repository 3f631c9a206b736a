import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../server/test/support/lib/redis.ts'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { addChannel, addCustomer, addKey, type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'

/** A PostgreSQL database is rolled back to a copy while Redis goes on: what the copy says may be spent, and no more. */

const server = process.env.TEST_POSTGRES_URL ?? 'postgres://tollgate:tollgate@127.0.0.1:5432/tollgate_test'
const name = `tollgate_restored_${process.pid}`
const copy = `${name}_copy`
const cost = 275
const balance = 989

const onServer = async (...statements: string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 2000 })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const postgresHere = await onServer('select 1').then(
  () => true,
  () => process.env.CI === 'true',
)
const here = redisHere && postgresHere
if (!here) console.warn('PostgreSQL or Redis is absent: the proof with a restored database is skipped')

describe.skipIf(!here)('after a restore beside a living Redis', () => {
  let redis: TestRedis
  let upstream: FakeUpstream
  let nodes: Site[] = []

  const database = new URL(server)
  database.pathname = `/${name}`
  const environment = (): Record<string, string> => ({
    SQL_DSN: database.href,
    REDIS_CONN_STRING: redis.url,
    CRYPTO_SECRET: 'shared by both',
  })

  const call = async (node: Site, key: string): Promise<boolean> => {
    const response = await fetch(`${node.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], max_tokens: 50 }),
    })
    await response.text()
    return response.status === 200
  }

  /** Calls at all nodes until each has refused several in a row; answers what was spent. */
  const spendAll = async (key: string): Promise<number> => {
    let answered = 0
    const spend = async (node: Site): Promise<void> => {
      for (let refused = 0; refused < 5 && answered * cost < 50_000; ) {
        if (await call(node, key)) answered += 1
        else refused += 1
      }
    }
    for (const node of nodes) await spend(node)
    return answered * cost
  }

  const startNodes = async (): Promise<Person> => {
    nodes = [
      await startSite({ ...environment(), NODE_NAME: 'a' }),
      await startSite({ ...environment(), NODE_NAME: 'b' }),
    ]
    return signIn(nodes[0]?.url ?? '')
  }

  const stopNodes = async (): Promise<void> => {
    await Promise.all(nodes.map(({ stop }) => stop()))
  }

  const backUp = () => onServer(`create database ${copy} template ${name}`)
  const restore = () => onServer(`drop database ${name} with (force)`, `create database ${name} template ${copy}`)

  const quotaOf = async (id: number): Promise<number> => {
    const client = new pg.Client({ connectionString: database.href })
    await client.connect()
    try {
      const { rows } = await client.query<{ quota: string }>('select quota from users where id = $1', [id])
      return Number(rows[0]?.quota)
    } finally {
      await client.end()
    }
  }

  /** A customer with little in the copy and much afterwards. */
  const openCustomer = async (): Promise<{ id: number; key: string }> => {
    const operator = await startNodes()
    await addChannel(operator, upstream.url)
    const customer = await addCustomer(nodes[0]?.url ?? '', operator, 'customer', balance)
    const key = await addKey(customer)
    await stopNodes()
    await backUp()
    await Promise.all(nodes.map(({ restart }) => restart()))
    const again = await signIn(nodes[0]?.url ?? '')
    await again.must('PUT', '/api/user/', { id: customer.id, quota: 1_000_000 })
    for (const node of nodes) expect(await call(node, key)).toBe(true)
    await expect.poll(() => quotaOf(customer.id)).toBe(1_000_000 - nodes.length * cost)
    return { id: customer.id, key }
  }

  beforeAll(async () => {
    redis = await testRedis()
    await redis.start()
    upstream = await startFakeUpstream()
    await onServer(`create database ${name}`)
  })
  afterEach(async () => {
    await Promise.all(nodes.map(({ remove }) => remove()))
    await onServer(`drop database if exists ${copy}`, `drop database ${name} with (force)`, `create database ${name}`)
  })
  afterAll(async () => {
    await upstream?.close()
    await redis?.stop()
    await onServer(`drop database if exists ${name}`)
  })

  const expectOnlyTheCopy = async (id: number, spent: number): Promise<void> => {
    expect(spent).toBeGreaterThan(0)
    expect(spent).toBeLessThanOrEqual(balance + cost)
    await expect.poll(() => quotaOf(id)).toBe(balance - spent)
  }

  it('nodes that start again spend the balance of the copy', async () => {
    const { id, key } = await openCustomer()
    await stopNodes()
    await restore()
    await Promise.all(nodes.map(({ restart }) => restart()))
    await expectOnlyTheCopy(id, await spendAll(key))
  })

  it('nodes that were running all the time change over when the operator says so', async () => {
    const { id, key } = await openCustomer()
    await restore()
    execFileSync(process.execPath, [join(import.meta.dirname, '../../server/src/ledger/epoch/new-epoch-command.ts')], {
      env: { ...process.env, ...environment() },
    })
    await expect.poll(() => nodes.every(({ output }) => /database_epoch_(changed|renewed)/.test(output()))).toBe(true)
    await expectOnlyTheCopy(id, await spendAll(key))
  })

  it('nodes that were running all the time notice it by themselves', async () => {
    const { id, key } = await openCustomer()
    await restore()
    await expect.poll(() => nodes.every(({ output }) => /database_epoch_(changed|renewed)/.test(output()))).toBe(true)
    await expectOnlyTheCopy(id, await spendAll(key))
  })
})
