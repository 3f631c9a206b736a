import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConsole } from '../../../test/support/features/accounts.ts'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { migrate } from '../../db/migrate.ts'
import { silentLog } from '../../lib/log.ts'
import { openSharedRedis, type SharedRedis } from '../../lib/redis/redis-client.ts'

const from = '203.0.113.7'

const places = [
  { place: 'on one node', shared: false },
  { place: 'on two nodes with a Redis', shared: true },
]

const here = places.filter(({ shared }) => redisHere || !shared)

describe.each(here)('an office behind one address $place', ({ shared }) => {
  let database: Database
  let server: TestRedis | undefined
  let redis: SharedRedis | undefined
  let nodes: Awaited<ReturnType<typeof openConsole>>[]

  beforeAll(async () => {
    database = await openDatabase({ engine: 'sqlite', url: ':memory:' })
    await migrate(database)
    if (shared) {
      server = await testRedis()
      await server.start()
      redis = await openSharedRedis({ url: server.url, log: silentLog })
    }
    nodes = [await openConsole(database, { redis }), ...(shared ? [await openConsole(database, { redis })] : [])]
    for (let count = 1; count <= 30; count += 1) await nodes[0]?.users.create(newcomer(`colleague${count}`))
  })

  afterAll(async () => {
    redis?.close()
    await server?.stop()
    await database.close()
  })

  const newcomer = (username: string) => ({
    username,
    password: `${username} password`,
    displayName: '',
    role: 1,
    quota: 0,
  })
  let turn = 0
  const login = async (username: string, password = `${username} password`) => {
    const answer = await nodes[turn++ % nodes.length]?.login(username, password, { from })
    if (answer === undefined) throw new Error('There is no node.')
    return answer
  }
  const pass = (seconds: number): void => {
    for (const { state } of nodes) state.now += seconds * 1000
  }

  it('signs in within a minute, while two of it guess until they have to wait', async () => {
    const guessing = async (username: string) => {
      const statuses: number[] = []
      for (let guess = 0; guess < 15; guess += 1) statuses.push((await login(username, `guess ${guess}`)).status)
      return statuses
    }
    for (let count = 1; count <= 30; count += 1) {
      if (count === 5 || count === 11) {
        expect(await guessing(`colleague${count}`)).toEqual([...Array(5).fill(200), ...Array(10).fill(429)])
      } else {
        expect((await login(`colleague${count}`)).json).toMatchObject({ success: true })
      }
      pass(2)
    }
  })

  it('lets in users who signed in there before, when strangers use up the failures of the address', async () => {
    const guess = async (count: number) => {
      await nodes[0]?.throttle.attempt({ account: `name:stranger${count}`, address: from })
    }
    await Promise.allSettled(Array.from({ length: 201 }, (_, count) => guess(count)))
    expect((await login('colleague5')).json).toMatchObject({ success: false, code: 'login_throttled' })
    expect((await login('colleague1')).json).toMatchObject({ success: true })
  })
})
