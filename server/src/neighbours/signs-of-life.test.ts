import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { redisHere, testRedis } from '../../test/support/lib/redis.ts'
import type { Database } from '../db/database.ts'
import { silentLog } from '../lib/log.ts'
import { openSharedRedis } from '../lib/redis/redis-client.ts'
import { deadAfterS, openNeighbours } from './signs-of-life.ts'
import { folderIdentity, redisIdentity } from './store-identity.ts'

const never = 3_600_000

const joined = (database: Database, nodeName: string, store: string | (() => string | undefined), elapsed = () => 0) =>
  openNeighbours({
    database,
    nodeName,
    log: silentLog,
    store: typeof store === 'string' ? () => store : store,
    elapsed,
    everyMs: never,
  })

/** Makes the signs of a node as old as if it had been killed so many seconds ago. */
const silence = (database: Database, node: string, seconds: number) =>
  database.query
    .updateTable('signs_of_life')
    .set(({ eb }) => ({
      last_time: eb('last_time', '-', seconds * 1000),
      started_time: eb('started_time', '-', seconds * 1000),
    }))
    .where('node', '=', node)
    .execute()

const nodesIn = async (database: Database): Promise<string[]> =>
  (
    await database.query.selectFrom('signs_of_life').select('node').where('last_time', '>', 0).orderBy('node').execute()
  ).map(({ node }) => node)

describeEachEngine('gateways on one database', (open) => {
  it('serve together where they share a store, and never beside one of another', async () => {
    const database = await open()
    const first = await joined(database, 'first', 'redis:a')
    const second = await joined(database, 'second', 'redis:a')
    const alone = await joined(database, 'alone', 'folder:x')
    const other = await joined(database, 'other', 'redis:b')
    for (const node of [first, second, alone, other]) await node.look()
    expect([first.stranger, second.stranger]).toEqual([undefined, undefined])
    expect(alone.stranger).toBeDefined()
    expect(other.stranger).toBeDefined()
    // A rolling update: nodes of the Redis come and go, and who waits for them does not take over.
    const newer = await joined(database, 'newer', 'redis:a')
    await first.close()
    await second.close()
    for (const node of [alone, other, newer]) await node.look()
    expect([newer.stranger, alone.stranger, other.stranger]).toEqual([undefined, 'newer', 'newer'])
    await alone.close()
    await other.close()
    expect(await nodesIn(database)).toEqual(['newer'])
    await newer.close()
  })

  it('which begin in one moment agree on the one that serves from their first look on', async () => {
    const database = await open()
    for (let round = 0; round < 15; round += 1) {
      const names = ['a', 'b', 'c', 'd']
      const nodes = await Promise.all(names.map((name) => joined(database, name, `folder:${name}`)))
      const serving = nodes.filter(({ stranger }) => stranger === undefined)
      expect([round, serving.length]).toEqual([round, 1])
      await Promise.all(nodes.map((node) => node.look()))
      expect(nodes.filter(({ stranger }) => stranger === undefined)).toEqual(serving)
      const index = nodes.findIndex(({ stranger }) => stranger === undefined)
      for (const node of nodes) expect(node.refusing).toEqual(names.filter((_, at) => at !== index))
      await Promise.all(nodes.map((node) => node.close()))
    }
  })

  it('which wait take over one after the other, and never wait for each other', async () => {
    const database = await open()
    const first = await joined(database, 'first', 'folder:x')
    const waiting = [await joined(database, 'b', 'folder:b'), await joined(database, 'c', 'folder:c')]
    const strangers: unknown[] = []
    for (const node of waiting) node.whenStranger(() => strangers.push(node.stranger))
    for (let round = 0; round < 3; round += 1) for (const node of waiting) await node.look()
    await first.close()
    for (const node of waiting) await node.look()
    expect(waiting.map(({ stranger }) => stranger)).toEqual([undefined, 'b'])
    expect(strangers).toEqual([undefined, 'b'])
    expect(waiting.map(({ refusing }) => refusing)).toEqual([['c'], ['c']])
    await Promise.all(waiting.map((node) => node.close()))
  })

  it('give way where they were taken for dead, and another has taken over', async () => {
    const database = await open()
    const first = await joined(database, 'first', 'folder:x')
    await silence(database, 'first', deadAfterS + 1)
    const second = await joined(database, 'second', 'folder:y')
    expect(second.stranger).toBeUndefined()
    await first.look()
    await second.look()
    expect([first.stranger, second.stranger]).toEqual(['second', undefined])
    await Promise.all([first.close(), second.close()])
  })

  it('take over at once after a clean end, and after silence of one that was killed', async () => {
    const database = await open()
    const first = await joined(database, 'first', 'folder:x')
    await silence(database, 'first', 1)
    const second = await joined(database, 'second', 'folder:y')
    expect(second.stranger).toBe('first')
    await first.close()
    await second.look()
    expect(second.stranger).toBeUndefined()
    // A killed process leaves its row. A start in the same folder takes the row over without waiting.
    await silence(database, 'second', 2)
    const again = await joined(database, 'second', 'folder:y')
    expect(again.stranger).toBeUndefined()
    await silence(database, 'second', 1)
    const third = await joined(database, 'third', 'folder:z')
    expect(third.stranger).toBe('second')
    await silence(database, 'second', deadAfterS + 1)
    await third.look()
    expect(third.stranger).toBeUndefined()
  })

  it('do not take silence for an end after the database was away', async () => {
    const database = await open()
    const first = await joined(database, 'first', 'folder:x')
    await silence(database, 'first', 1)
    let now = 0
    let isAway = false
    const store = () => {
      if (isAway) throw new Error('no connection')
      return 'folder:y'
    }
    const second = await joined(database, 'second', store, () => now)
    expect(second.stranger).toBe('first')
    isAway = true
    await second.look()
    await silence(database, 'first', deadAfterS + 1)
    isAway = false
    await second.look()
    expect(second.stranger).toBe('first')
    now += deadAfterS * 1000
    await second.look()
    expect(second.stranger).toBeUndefined()
    await first.close()
  })
})

it('a data folder keeps its name by every path, and a copy has another', () => {
  const root = mkdtempSync(join(tmpdir(), 'folder-identity-'))
  try {
    const folder = join(root, 'data')
    cpSync(mkdtempSync(join(root, 'empty-')), folder, { recursive: true })
    const name = folderIdentity(folder)
    symlinkSync(folder, join(root, 'link'))
    cpSync(folder, join(root, 'copy'), { recursive: true })
    expect(folderIdentity(folder)).toBe(name)
    expect(folderIdentity(join(root, 'link'))).toBe(name)
    expect(folderIdentity(join(root, 'copy'))).not.toBe(name)
  } finally {
    rmSync(root, { recursive: true })
  }
})

it.skipIf(!redisHere)('a Redis has one name for all nodes, also when it comes back empty', async () => {
  const server = await testRedis()
  await server.start()
  const clients = await Promise.all([1, 2].map(() => openSharedRedis({ url: server.url, log: silentLog })))
  try {
    const [first, second] = clients.map((redis) => redisIdentity(redis))
    const name = await first?.()
    expect(name).toMatch(/^redis:.{22}$/)
    expect(await second?.()).toBe(name)
    await clients[0]?.run("redis.call('FLUSHALL') return 1", [], [])
    expect(await second?.()).toBe(name)
    expect(await first?.()).toBe(name)
  } finally {
    for (const redis of clients) redis.close()
    await server.stop()
  }
})
