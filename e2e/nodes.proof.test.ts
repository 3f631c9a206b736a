import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../server/test/support/lib/redis.ts'
import { type FakeUpstream, startFakeUpstream } from './support/fake-upstream.ts'
import { addChannel, addCustomer, addKey, type Person, signIn } from './support/operator.ts'
import { createSharedDatabase, postgresHere } from './support/shared-database.ts'
import { type Site, startSite } from './support/site.ts'

/** Two nodes on one PostgreSQL and one Redis. */

const here = redisHere && postgresHere
if (!here) console.warn('PostgreSQL or Redis is absent: the proof with two nodes is skipped')

/** Asks until the answer is right; the other node may need a moment. */
const soon = async <T>(ask: () => Promise<T>, right: (answer: T) => boolean): Promise<T> => {
  const until = Date.now() + 30_000
  for (;;) {
    const answer = await ask()
    if (right(answer) || Date.now() > until) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe.skipIf(!here)('two nodes', () => {
  let redis: TestRedis
  let database: Awaited<ReturnType<typeof createSharedDatabase>>
  let upstream: FakeUpstream
  let nodes: Site[] = []
  let operators: Person[] = []

  const call = (node: number, key: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${nodes[node]?.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], max_tokens: 50 }),
    })

  beforeAll(async () => {
    database = await createSharedDatabase('tollgate_nodes')
    redis = await testRedis()
    await redis.start()
    upstream = await startFakeUpstream()
    const shared = { SQL_DSN: database.url, REDIS_CONN_STRING: redis.url, CRYPTO_SECRET: 'shared by both' }
    nodes = await Promise.all(['a', 'b'].map((node) => startSite({ ...shared, NODE_NAME: node })))
    operators = await Promise.all(nodes.map(({ url }) => signIn(url)))
  })

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.remove()))
    await upstream?.close()
    await redis?.stop()
    await database?.drop()
  })

  const [first, second] = [0, 1]
  const operator = (node: number): Person => {
    const person = operators[node]
    if (person === undefined) throw new Error('no such node')
    return person
  }

  it('know each other’s options at once', async () => {
    await operator(first).must('PUT', '/api/option/', { key: 'RetryTimes', value: '3' })
    const options = await soon(
      () => operator(second).must<{ key: string; value: string }[]>('GET', '/api/option/'),
      (list) => list.some(({ key, value }) => key === 'RetryTimes' && value === '3'),
    )
    expect(options.find(({ key }) => key === 'RetryTimes')?.value).toBe('3')
  })

  it('serve each other’s channels and keys, and stop when one is switched off', async () => {
    await addChannel(operator(first), upstream.url)
    const key = await addKey(operator(first))
    expect(
      (
        await soon(
          () => call(second, key),
          ({ status }) => status === 200,
        )
      ).status,
    ).toBe(200)
    const [channel] = await operator(first).must<{ id: number }[]>('GET', '/api/channel/?p=0&page_size=10')
    await operator(first).must('PUT', '/api/channel/', { id: channel?.id, status: 2 })
    expect(
      (
        await soon(
          () => call(second, key),
          ({ status }) => status !== 200,
        )
      ).status,
    ).toBe(503)
    await operator(first).must('PUT', '/api/channel/', { id: channel?.id, status: 1 })
    expect(
      (
        await soon(
          () => call(second, key),
          ({ status }) => status === 200,
        )
      ).status,
    ).toBe(200)
  })

  it('spend one balance together, down to less than a call holds, and never beyond it', async () => {
    const cost = 275
    // The least that is held: 500 tokens at 1.25.
    const leastHold = 625
    const balance = 20 * cost
    const atOnce = 8
    const customer = await addCustomer(nodes[first]?.url ?? '', operator(first), 'shared', balance)
    const key = await addKey(customer)
    let answered = 0
    const caller = async (node: number): Promise<void> => {
      for (let round = 0; round < 15; round += 1) if ((await call(node, key)).status === 200) answered += 1
    }
    await Promise.all(Array.from({ length: atOnce }, (_, index) => caller(index % 2)))
    while (balance - answered * cost >= leastHold && (await call(answered % 2, key)).status === 200) answered += 1
    expect(balance - answered * cost).toBeLessThan(leastHold)
    expect(balance - answered * cost).toBeGreaterThanOrEqual(0)
    const left = await soon(
      () => operator(second).must<{ quota: number }>('GET', `/api/user/${customer.id}`),
      ({ quota }) => quota === balance - answered * cost,
    )
    expect(left.quota).toBe(balance - answered * cost)
  })

  it('stop a session together at its limit', async () => {
    await operator(first).must('PUT', '/api/option/', {
      key: 'SessionLimits',
      value: JSON.stringify({ '*': { calls: 12 } }),
    })
    const key = await addKey(operator(first))
    let sessions = 0
    /** Calls of a new session that are answered, one after the other at the two nodes in turns, as an agent makes them. */
    const answered = async (): Promise<number> => {
      sessions += 1
      let count = 0
      for (; count < 60; count += 1)
        if ((await call(count % 2, key, { 'session-id': `s${sessions}` })).status !== 200) return count
      return count
    }
    // Of another node's calls the last ones may not be known yet: those of 50 ms, here a few.
    await expect.poll(answered).toBeLessThan(20)
    expect(await answered()).toBeGreaterThanOrEqual(12)
    // An option that was changed in between takes effect at once in a session that goes on.
    const stopped = await call(second, key, { 'session-id': 's1' })
    expect([stopped.status, await stopped.text()]).toEqual([400, expect.stringContaining('session_limit_reached')])
    await operator(first).must('PUT', '/api/option/', { key: 'SessionLimits', value: '{}' })
  })

  it('count sensitive calls of an address together', async () => {
    const guess = async (node: number): Promise<number> => {
      const body = JSON.stringify({ email: 'a@example.com', token: 'guess' })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`${nodes[node]?.url}/api/user/reset`, { method: 'POST', headers, body })).status
    }
    const statuses: number[] = []
    for (let call = 0; call < 220; call += 1) statuses.push(await guess(call % 2))
    // An address may fail 200 proofs; each node alone would let it fail as many.
    expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(200)
    expect(statuses.slice(0, 100)).not.toContain(429)
    expect(statuses.slice(-2)).toEqual([429, 429])
  })
})
