import type { CallSession } from '@tollgate/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../server/test/support/lib/redis.ts'
import { type CachingProvider, startCachingProvider } from './support/caching-provider.ts'
import { addChannel, addKey, type Person, signIn } from './support/operator.ts'
import { createSharedDatabase, postgresHere } from './support/shared-database.ts'
import { type Site, startSite } from './support/site.ts'

/** Sessions of coding agents at providers that keep a prompt cache per account: 10 keys on 3 channels, 200 sessions. */

const accounts = [4, 3, 3].map((count, channel) =>
  Array.from({ length: count }, (_, index) => `sk-${channel + 1}-${index + 1}`),
)
const sessions = Array.from({ length: 200 }, (_, index) => `s${index}`)

/** Each session has its own long beginning. */
const beginning = (session: string): string => `session ${session} ${'You are an agent. '.repeat(80)}`

let provider: CachingProvider
let nodes: Site[] = []
let operator: Person
let key: string
let cleanUp: () => Promise<void> = async () => {}

const open = async (environments: readonly Record<string, string>[]): Promise<void> => {
  provider = await startCachingProvider()
  nodes = []
  // One after the other: the first one makes the tables.
  for (const environment of environments) nodes.push(await startSite(environment))
  const [first] = nodes
  if (first === undefined) throw new Error('no node')
  operator = await signIn(first.url)
  await operator.must('PUT', '/api/user/', { id: operator.id, quota: 1_000_000_000 })
  await operator.must('PUT', '/api/option/', { key: 'RetryTimes', value: '2' })
  await operator.must('PUT', '/api/option/', { key: 'SelfUseModeEnabled', value: true })
  for (const [index, keys] of accounts.entries())
    await addChannel(operator, provider.url, {
      name: `channel ${index + 1}`,
      key: keys.join('\n'),
      keys_together: true,
    })
  key = await addKey(operator)
}

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.remove()))
  await provider?.close()
  await cleanUp()
  cleanUp = async () => {}
})

/** Of a session, its turns up to number `turn`, at one node. */
const call = async (node: number, session: string, turn: number): Promise<void> => {
  const messages = [
    { role: 'system', content: beginning(session) },
    ...Array.from({ length: turn + 1 }, (_, index) => ({ role: 'user', content: `turn ${index} ${'x'.repeat(50)}` })),
  ]
  const response = await fetch(`${nodes[node]?.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-session-id': session },
    body: JSON.stringify({ model: 'gpt-4o', messages }),
  })
  if (!response.ok) throw new Error(await response.text())
  await response.arrayBuffer()
}

const atOnce = 10

/** One call of every session; each at the node that `nodeOf` says. */
const round = async (turn: number, nodeOf: (index: number) => number): Promise<void> => {
  const waiting = [...sessions.entries()]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await call(nodeOf(next[0]), next[1], turn)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** The console's list of all sessions, once it has all their calls. */
const reported = async (calls: number) => {
  const read = async () => {
    const rows: CallSession[] = []
    for (let page = 1; page <= 3; page += 1) {
      const { items } = await operator.must<{ items: CallSession[] }>('GET', `/api/sessions/?p=${page}&page_size=100`)
      rows.push(...items)
    }
    const sum = (of: (row: CallSession) => number): number => rows.reduce((total, row) => total + of(row), 0)
    return {
      rows: rows.length,
      calls: sum((row) => row.calls),
      cached: sum((row) => row.cached_tokens),
      prompt: sum((row) => row.prompt_tokens),
    }
  }
  await expect.poll(async () => (await read()).calls).toBe(calls)
  return read()
}

/** Plays five rounds, kills a key, plays one more; returns the calls that were made. */
const play = async (nodeOf: (turn: number, index: number) => number): Promise<number> => {
  for (let turn = 0; turn < 5; turn += 1) await round(turn, (index) => nodeOf(turn, index))
  expect(provider.counted.cached / provider.counted.cacheable).toBeGreaterThanOrEqual(0.95)

  const [dying = ''] = accounts[0] ?? []
  const homes = new Map(sessions.map((session) => [session, provider.keysOf.get(session)?.at(-1)]))
  provider.dead.add(dying)
  await round(5, (index) => nodeOf(5, index))
  for (const session of sessions) {
    const keys = provider.keysOf.get(session) ?? []
    expect(keys).toHaveLength(6)
    // Those of the dead key were answered within the call; all others stayed.
    if (homes.get(session) === dying) expect(keys.at(-1)).not.toBe(dying)
    else expect(keys.at(-1)).toBe(homes.get(session))
  }
  await round(6, (index) => nodeOf(6, index))
  const moved = sessions.filter(
    (session) => provider.keysOf.get(session)?.at(-1) !== provider.keysOf.get(session)?.at(-2),
  )
  expect(moved).toEqual([])
  return 7 * sessions.length
}

it('hit at least 95 % of what caches can have, move alone with their key, and the report is what the provider counted', async () => {
  await open([{}])
  const calls = await play(() => 0)
  const { counted } = provider
  expect(counted.cached / counted.cacheable).toBeGreaterThanOrEqual(0.95)
  expect(await reported(calls)).toEqual({
    rows: sessions.length,
    calls,
    cached: counted.cached,
    prompt: counted.prompt,
  })
})

const here = redisHere && postgresHere
if (!here) console.warn('PostgreSQL or Redis is absent: sessions on two nodes are not tried')

describe.skipIf(!here)('on two nodes', () => {
  it('do the same, wherever their calls arrive', async () => {
    const database = await createSharedDatabase('tollgate_sessions')
    const redis: TestRedis = await testRedis()
    await redis.start()
    cleanUp = async () => {
      await redis.stop()
      await database.drop()
    }
    const shared = { SQL_DSN: database.url, REDIS_CONN_STRING: redis.url, CRYPTO_SECRET: 'shared by both' }
    await open(['a', 'b'].map((node) => ({ ...shared, NODE_NAME: node })))
    // The other node has heard of channels and key when it answers.
    await expect
      .poll(() =>
        call(1, 'first', 0).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    provider.keysOf.clear()
    const before = { ...provider.counted }
    const calls = await play((turn, index) => (turn + index) % 2)
    const { counted } = provider
    const hits = (counted.cached - before.cached) / (counted.cacheable - before.cacheable)
    expect(hits).toBeGreaterThanOrEqual(0.95)
    expect(await reported(calls + 1)).toMatchObject({ cached: counted.cached, prompt: counted.prompt })
  })
})
