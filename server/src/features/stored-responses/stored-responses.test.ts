import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { openStoredResponses } from './stored-responses.ts'

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
    one.note('resp_1', 7, { channelId: 3, key: 'sk-a' })
    const place = { channelId: 3, keyHash: one.keyHashOf('sk-a') }
    expect(await one.find('resp_1', 7)).toEqual(place)
    expect(await one.find('resp_1', 8)).toBeUndefined()
    expect(await two.find('resp_1', 7)).toBeUndefined()
    await one.flush()
    expect(await two.find('resp_1', 7)).toEqual(place)
    expect(await two.find('resp_1', 8)).toBeUndefined()
    const [row] = await database.query.selectFrom('kept_answers').selectAll().execute()
    expect(JSON.stringify(row)).not.toContain('resp_1')
    await Promise.all([one.close(), two.close()])
  })

  it('leave memory when there are too many, and the database after thirty days', async () => {
    const database = await open()
    let now = 1_900_000_000_000
    const store = node(database, () => now)
    for (const id of ['a', 'b', 'c']) store.note(id, 1, { channelId: 1, key: 'k' })
    await store.flush()
    expect(await store.find('a', 1)).toBeDefined()
    now += 31 * 86_400_000
    await store.purge()
    const again = node(database, () => now)
    expect(await again.find('a', 1)).toBeUndefined()
    await Promise.all([store.close(), again.close()])
  })
})
