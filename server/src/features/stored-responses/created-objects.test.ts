import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { plantKeys, readersOf } from '../../../test/support/organisations/organisation-keys.ts'
import type { Database } from '../../db/database.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { makerOf, mayRead } from '../../relay/reader.ts'
import { openMadeObjects } from './created-objects.ts'

const secrets = openSecrets({ cryptoSecret: 'made-objects-test-secret', keyFile: '/nowhere' })
const ann = { userId: 7, tokenId: 0, projectId: 0, memberId: 0 }
const ben = { userId: 8, tokenId: 0, projectId: 0, memberId: 0 }
const place = { channelId: 3, key: 'sk-a' }
const here = { channelId: 3, keyHashes: new Set<string>() }
const file = (id: string) => ({ kind: 'files', id })

describeEachEngine('made objects', (open) => {
  const node = (database: Database, changes: Partial<Parameters<typeof openMadeObjects>[0]> = {}) =>
    openMadeObjects({
      database,
      secrets,
      clock: Date.now,
      flushMs: 60_000,
      warn: (event, error) => {
        throw error ?? new Error(event)
      },
      ...changes,
    })

  it('are known at once, and by every node after a write; the database has hashes alone', async () => {
    const database = await open()
    const [one, two] = [node(database), node(database)]
    one.note([file('file-1'), { kind: 'batches', id: 'batch_1' }], ann, place)
    const names = [file('file-1'), { kind: 'batches', id: 'file-1' }, file('file-2')]
    expect([...(await one.find(names)).keys()]).toEqual(['files/file-1'])
    await one.flush()
    const keyHash = secrets.digest('channel_key', 'sk-a')
    expect(await two.find(names)).toEqual(new Map([['files/file-1', [{ maker: ann, channelId: 3, keyHash }]]]))
    expect(JSON.stringify(await database.query.selectFrom('made_objects').selectAll().execute())).not.toMatch(
      /file-1|sk-a/,
    )
    await Promise.all([one.close(), two.close()])
  })

  it('of two makers have both of them, and go for all when one is deleted where it is', async () => {
    const database = await open()
    const store = node(database)
    store.note([file('file-1')], ann, place)
    store.note([file('file-1')], ann, place)
    store.note([file('file-1')], ben, { channelId: 3, key: undefined })
    await store.flush()
    const found = (await store.find([file('file-1')])).get('files/file-1') ?? []
    expect(found.map(({ maker }) => maker.userId).toSorted()).toEqual([7, 8])
    await store.remove(file('file-1'), { channelId: 4, keyHashes: new Set() })
    expect((await store.find([file('file-1')])).size).toBe(1)
    await store.remove(file('file-1'), here)
    expect((await store.find([file('file-1')])).size).toBe(0)
    store.note([file('file-2')], ann, place)
    await store.remove(file('file-2'), { channelId: 4, keyHashes: new Set([secrets.digest('channel_key', 'sk-a')]) })
    expect((await store.find([file('file-2')])).size).toBe(0)
    await store.close()
  })

  it('of an organisation are read by keys of their member, or of their project for machines', async () => {
    const database = await open()
    const store = node(database)
    const keys = Object.entries(await plantKeys(database))
    for (const [name, key] of keys) store.note([file(name)], makerOf(key), place)
    await store.flush()
    for (const [name] of keys) {
      const [claim] = (await store.find([file(name)])).get(`files/${name}`) ?? []
      const readers = keys.filter(([, key]) => claim !== undefined && mayRead(key, claim.maker))
      expect([name, readers.map(([reader]) => reader)]).toEqual([name, readersOf[name]])
    }
    await store.close()
  })

  it('go 400 days after they were last named, answers after 30', async () => {
    const database = await open()
    let now = 1_900_000_000_000
    const day = 86_400_000
    const store = node(database, { clock: () => now })
    store.note([file('used'), file('left'), { kind: 'responses', id: 'resp_1' }], ann, place)
    await store.flush()
    now += 31 * day
    expect((await store.find([{ kind: 'responses', id: 'resp_1' }, file('left')])).size).toBe(1)
    now += 300 * day
    expect((await store.find([file('used')])).size).toBe(1)
    await expect
      .poll(async () => {
        const rows = await database.query.selectFrom('made_objects').select('expires_time').execute()
        return rows.filter(({ expires_time }) => expires_time > now / 1000 + 399 * 86_400).length
      })
      .toBe(1)
    now += 110 * day
    await store.purge()
    expect(await database.query.selectFrom('made_objects').selectAll().execute()).toHaveLength(1)
    expect((await store.find([file('used'), file('left')])).size).toBe(1)
    await store.close()
  })

  it('that cannot be written stay in memory, so many of them, and are written later', async () => {
    const database = await open()
    const warnings: string[] = []
    let isAway = true
    const query = new Proxy(database.query, {
      get: (target, name) => {
        if (isAway && name === 'executeQuery') throw new Error('away')
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const store = node({ ...database, query }, { mostWaiting: 2, warn: (event) => warnings.push(event) })
    for (const id of ['file-1', 'file-2', 'file-3']) store.note([file(id)], ann, place)
    await store.flush()
    expect(warnings).toContain('made_objects_not_written')
    isAway = false
    await store.flush()
    expect([...(await store.find(['file-1', 'file-2', 'file-3'].map(file))).keys()].toSorted()).toEqual([
      'files/file-2',
      'files/file-3',
    ])
    expect(store.any).toBe(true)
    await store.close()
  })
})

describeEachEngine('where nothing was made', (open) => {
  it('nothing is looked for', async () => {
    const store = openMadeObjects({ database: await open(), secrets, clock: Date.now, warn: () => {} })
    await expect.poll(() => store.any).toBe(false)
    store.note([file('file-1')], ann, place)
    expect(store.any).toBe(true)
    await store.close()
  })
})
