import { expect, it, vi } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { redisHere, testRedis } from '../../../test/support/lib/redis.ts'
import { silentLog } from '../../lib/log.ts'
import { openBus } from '../../lib/redis/bus.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import type { NewStoredObject } from '../../relay/stored/ports.ts'
import { openStoredObjects } from './stored-objects.ts'

const secrets = openSecrets({ cryptoSecret: 'stored-objects-test-secret', keyFile: '/nowhere' })
const owner = { userId: 7, tokenId: 3 }

const object = (id: string, changes: Partial<NewStoredObject> = {}): NewStoredObject => ({
  ...{ kind: 'response', id, owner, thread: 'resp_1', content: { text: `of ${id}` } },
  ...changes,
})

describeEachEngine('stored objects', (open) => {
  const node = async (database: Awaited<ReturnType<typeof open>>, now: () => number = Date.now, mostInMemory = 1_000) =>
    openStoredObjects({
      database,
      secrets,
      bus: openBus({ nodeName: 'one', log: silentLog }),
      clock: now,
      flushMs: 60_000,
      mostInMemory,
      warn: (event, error) => {
        throw error ?? new Error(event)
      },
    })

  it('are found at once by the key that made them, by every node after a write, and are encrypted', async () => {
    const database = await open()
    const [one, two] = await Promise.all([node(database), node(database)])
    one.put(object('resp_1'), 30)
    expect(await one.find(owner, 'response', 'resp_1')).toMatchObject({ content: { text: 'of resp_1' } })
    expect(await one.find({ userId: 7, tokenId: 4 }, 'response', 'resp_1')).toBeUndefined()
    expect(await two.find(owner, 'response', 'resp_1')).toBeUndefined()
    await one.flush()
    expect(await two.find(owner, 'response', 'resp_1')).toMatchObject({ id: 'resp_1', thread: 'resp_1' })
    expect(await two.find({ userId: 7, tokenId: 4 }, 'response', 'resp_1')).toBeUndefined()
    const rows = await database.query.selectFrom('stored_objects').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('resp_1')
    await Promise.all([one.close(), two.close()])
  })

  it('of a thread come in their order, and go together', async () => {
    const database = await open()
    const store = await node(database, () => 1_900_000_000_000, 10)
    for (const id of ['resp_1', 'resp_2', 'resp_3']) store.put(object(id), 30)
    store.put(object('other', { thread: 'other' }), 30)
    expect((await store.thread(owner, 'resp_1')).map(({ id }) => id)).toEqual(['resp_1', 'resp_2', 'resp_3'])
    const newest = await store.list(owner, 'response', { after: undefined, order: 'desc', limit: 2 })
    expect(newest.map(({ id }) => id)).toEqual(['other', 'resp_3'])
    const rest = await store.list(owner, 'response', { after: newest.at(-1)?.order, order: 'desc', limit: 5 })
    expect(rest.map(({ id }) => id)).toEqual(['resp_2', 'resp_1'])
    await store.remove({ owner, kind: 'response', id: 'other' })
    await store.removeThread(owner, 'resp_1')
    expect(await store.list(owner, 'response', { after: undefined, order: 'asc', limit: 5 })).toEqual([])
    for (const id of ['other', 'resp_2']) expect(await store.find(owner, 'response', id)).toBeUndefined()
    await store.close()
  })

  it('are gone on their day, but no part of a thread before its last', async () => {
    const database = await open()
    let now = 1_900_000_000_000
    const day = 86_400_000
    const store = await node(database, () => now, 10)
    store.put(object('resp_1'), 30)
    store.put(object('alone', { thread: 'alone' }), 30)
    await store.flush()
    now += 20 * day
    store.put(object('resp_2'), 30)
    await store.flush()
    now += 20 * day
    await store.purge()
    expect((await store.thread(owner, 'resp_1')).map(({ id }) => id)).toEqual(['resp_1', 'resp_2'])
    expect(await store.find(owner, 'response', 'alone')).toBeUndefined()
    now += 11 * day
    expect(await store.thread(owner, 'resp_1')).toEqual([])
    await store.purge()
    expect(await database.query.selectFrom('stored_objects').selectAll().execute()).toEqual([])
    await store.close()
  })
})

describeEachEngine('stored objects of two nodes behind one Redis', (open) => {
  it.runIf(redisHere)('are gone from the other node’s memory once one has deleted them', async () => {
    const redis = await testRedis()
    await redis.start()
    const database = await open()
    const nodes = await Promise.all(
      ['one', 'two'].map(async (nodeName) => {
        const bus = openBus({ nodeName, log: silentLog, redis: redis.url })
        await bus.ready()
        return {
          bus,
          store: openStoredObjects({ database, secrets, bus, clock: Date.now, flushMs: 60_000, warn: () => {} }),
        }
      }),
    )
    const [one, two] = nodes
    // Both have it in memory: a later turn of the same response came to the other node.
    for (const { store } of nodes) store.put(object('resp_1'), 30)
    await Promise.all(nodes.map(({ store }) => store.flush()))
    expect(await two?.store.find(owner, 'response', 'resp_1')).toMatchObject({ id: 'resp_1' })
    await one?.store.remove({ owner, kind: 'response', id: 'resp_1' })
    await vi.waitFor(async () => expect(await two?.store.find(owner, 'response', 'resp_1')).toBeUndefined(), 10_000)
    for (const { store, bus } of nodes) {
      await store.close()
      await bus.close()
    }
    await redis.stop()
  })
})
