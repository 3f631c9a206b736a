import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { plantKeys, readersOf } from '../../../test/support/organisations/organisation-keys.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { openStoredResponses } from './stored-responses.ts'

const reader = (userId: number, tokenId = 3) => ({ userId, tokenId })

const secrets = openSecrets({ cryptoSecret: 'stored-responses-test-secret', keyFile: '/nowhere' })

describeEachEngine('stored responses', (open) => {
  const node = (database: Awaited<ReturnType<typeof open>>, now: () => number = Date.now) =>
    openStoredResponses({
      database,
      secrets,
      clock: now,
      most: 2,
      flushMs: 60_000,
      warn: (_, error) => {
        throw error
      },
    })

  it('are found at once on this node, after a write on every node, and only for their owner', async () => {
    const database = await open()
    const [one, two] = [node(database), node(database)]
    one.note('resp_1', reader(7), { channelId: 3, key: 'sk-a' })
    const place = { channelId: 3, keyHash: one.keyHashOf('sk-a') }
    expect(await one.find('resp_1', reader(7))).toEqual(place)
    expect(await one.find('resp_1', reader(8))).toBe('hidden')
    expect(await two.find('resp_1', reader(7))).toBeUndefined()
    await one.flush()
    expect(await two.find('resp_1', reader(7))).toEqual(place)
    expect(await two.find('resp_1', reader(8))).toBe('hidden')
    const [row] = await database.query.selectFrom('kept_answers').selectAll().execute()
    expect(JSON.stringify(row)).not.toContain('resp_1')
    await Promise.all([one.close(), two.close()])
  })

  it('of an organisation’s wallet are read by keys of their member, or of their project for machines, in memory and after it', async () => {
    const database = await open()
    const keys = await plantKeys(database)
    const store = node(database)
    const entries = Object.entries(keys)
    for (const [name, key] of entries) {
      store.note(name, key, { channelId: 3, key: 'sk-a' })
      expect(entries.filter(([, one]) => store.isNoted(name, one)).map(([one]) => one)).toEqual(readersOf[name])
    }
    await store.flush()
    await database.query
      .updateTable('kept_answers')
      .set({ token_id: 0 })
      .where('token_id', '=', keys.bob1.tokenId)
      .execute()
    const again = node(database)
    for (const [name] of entries) {
      // Of a row from before its key was written the payer is enough, but for a key whose maker has left.
      const known = entries.map(([one]) => one).filter((one) => one !== 'left1')
      const readers = name === 'bob1' ? known : readersOf[name]
      const found = await Promise.all(entries.map(async ([one, key]) => [one, await again.find(name, key)] as const))
      const reading = found.filter(([, place]) => place !== 'hidden' && place !== undefined)
      expect([name, reading.map(([one]) => one)]).toEqual([name, readers])
    }
    await Promise.all([store.close(), again.close()])
  })

  it('leave memory when there are too many, and the database after thirty days', async () => {
    const database = await open()
    let now = 1_900_000_000_000
    const store = node(database, () => now)
    for (const id of ['a', 'b', 'c']) store.note(id, reader(1), { channelId: 1, key: 'k' })
    await store.flush()
    expect(await store.find('a', reader(1))).toBeDefined()
    now += 31 * 86_400_000
    await store.purge()
    const again = node(database, () => now)
    expect(await again.find('a', reader(1))).toBeUndefined()
    await Promise.all([store.close(), again.close()])
  })
})
