import { expect, it, vi } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { redisHere, testRedis } from '../../../test/support/lib/redis.ts'
import { plantKeys, readersOf } from '../../../test/support/organisations/organisation-keys.ts'
import { silentLog } from '../../lib/log.ts'
import { openBus } from '../../lib/redis/bus.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import type { NewStoredObject } from '../../relay/stored/ports.ts'
import { openStoredObjects } from './stored-objects.ts'

const secrets = openSecrets({ cryptoSecret: 'stored-objects-test-secret', keyFile: '/nowhere' })
const owner = { userId: 7, tokenId: 3 }

const object = (id: string, changes: Partial<NewStoredObject> = {}): NewStoredObject => ({
  kind: 'response',
  id,
  owner,
  thread: 'resp_1',
  content: { text: `of ${id}` },
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

  it('of an organisation’s wallet are seen by keys of their member, or of their project for machines, and by no other', async () => {
    const database = await open()
    const keys = Object.entries(await plantKeys(database))
    const [one, two] = await Promise.all([node(database, Date.now, 100_000), node(database)])
    for (const [name, by] of keys) one.put(object(name, { owner: by, thread: 'shared' }), 30)
    const seenIn = async (store: typeof one, name: string) => {
      const seen = keys.map(async ([reader, by]) => ((await store.find(by, 'response', name)) ? [reader] : []))
      return (await Promise.all(seen)).flat()
    }
    for (const [name] of keys) expect([name, await seenIn(one, name)]).toEqual([name, readersOf[name]])
    await one.flush()
    for (const [name] of keys) expect([name, await seenIn(two, name)]).toEqual([name, readersOf[name]])
    for (const [reader, by] of keys) {
      const readable = keys.flatMap(([name]) => (readersOf[name]?.some((key) => key === reader) ? [name] : []))
      const page = await two.list(by, 'response', { after: undefined, order: 'asc', limit: 9 })
      expect([reader, page.map(({ id }) => id)]).toEqual([reader, readable])
      expect([reader, (await two.thread(by, 'shared')).map(({ id }) => id)]).toEqual([reader, readable])
      // Another wallet has a project and a member of the same numbers.
      expect(
        await two.list({ ...by, userId: 71, tokenId: 99 }, 'response', { after: undefined, order: 'asc', limit: 9 }),
      ).toEqual([])
    }
    await Promise.all([one.close(), two.close()])
  })

  it('keep the key that made them when another key that sees them changes or removes them', async () => {
    const database = await open()
    const { ann1, machine1, bob1 } = await plantKeys(database)
    const store = await node(database, Date.now, 10)
    store.put(object('resp_1', { owner: ann1 }), 30)
    await store.flush()
    const seen = await store.find(machine1, 'response', 'resp_1')
    if (seen !== undefined) store.put({ ...seen, content: { text: 'changed' } }, 30)
    await store.flush()
    expect(await store.find(ann1, 'response', 'resp_1')).toMatchObject({ content: { text: 'changed' } })
    await store.removeThread(bob1, 'resp_1')
    expect(await store.find(ann1, 'response', 'resp_1')).toBeDefined()
    await store.removeThread(machine1, 'resp_1')
    expect(await store.find(ann1, 'response', 'resp_1')).toBeUndefined()
    await store.close()
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
    await vi.waitFor(async () => expect(await two?.store.find(owner, 'response', 'resp_1')).toBeUndefined())
    // The other node knows the paid hours of a content, too, although it has an older copy in memory.
    const content = (hours: number) => ({
      kind: 'cached_content' as const,
      id: 'cachedContents/a',
      owner,
      thread: 'cachedContents/a',
      content: { hours },
    })
    two?.store.put(content(1), 30)
    await two?.store.flush()
    one?.store.put(content(2), 30)
    await vi.waitFor(async () =>
      expect(await two?.store.find(owner, 'cached_content', 'cachedContents/a')).toMatchObject({
        content: { hours: 2 },
      }),
    )
    for (const { store, bus } of nodes) {
      await store.close()
      await bus.close()
    }
    await redis.stop()
  })
})
