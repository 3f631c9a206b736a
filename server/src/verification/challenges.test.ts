import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import type { Database } from '../db/database.ts'
import { openSecrets } from '../lib/security/secrets.ts'
import { openChallenges } from './challenges.ts'

const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })
const schema = z.object({ verifier: z.string() })

describeEachEngine('what was begun in one browser', (open) => {
  let database: Database
  let time = 1_800_000_000_000
  // Two nodes on one database.
  const node = () => openChallenges({ database, secrets, clock: () => time })
  const begin = (change: object = {}) =>
    node().begin({ purpose: 'oauth', browser: 'a', userId: 7, data: { verifier: 'secret' }, seconds: 60, ...change })

  beforeAll(async () => {
    database = await open()
  })

  it('comes back once, to its browser, for its purpose', async () => {
    const id = await begin()
    expect(await node().take({ id, purpose: 'oauth', browser: 'b' }, schema)).toBeUndefined()
    expect(await node().take({ id, purpose: 'passkey', browser: 'a' }, schema)).toBeUndefined()
    expect(await node().take({ id: `${id}x`, purpose: 'oauth', browser: 'a' }, schema)).toBeUndefined()
    const found = { userId: 7, data: { verifier: 'secret' } }
    expect(await node().look({ id, purpose: 'oauth', browser: 'a' }, schema)).toEqual(found)
    expect(await node().take({ id, purpose: 'oauth', browser: 'a' }, schema)).toEqual(found)
    expect(await node().take({ id, purpose: 'oauth', browser: 'a' }, schema)).toBeUndefined()
  })

  it('is returned to one of many requests at the same moment', async () => {
    const id = await begin()
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => node().take({ id, purpose: 'oauth', browser: 'a' }, schema)),
    )
    expect(outcomes.filter((found) => found !== undefined)).toHaveLength(1)
  })

  it('is over after its time and can be cleared away', async () => {
    const id = await begin()
    time += 61_000
    expect(await node().take({ id, purpose: 'oauth', browser: 'a' }, schema)).toBeUndefined()
    await node().purge()
    expect(await database.query.selectFrom('challenges').selectAll().execute()).toEqual([])
  })

  it('cannot be read from the database', async () => {
    const id = await begin()
    const rows = JSON.stringify(await database.query.selectFrom('challenges').selectAll().execute())
    expect([rows.includes(id), rows.includes('secret'), rows.includes('"a"')]).toEqual([false, false, false])
  })

  it('accepts a message of another service once per purpose, on all nodes together', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => node().once('telegram', 'signature', 60)))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await node().once('telegram', 'signature', 60)).toBe(false)
    expect(await node().once('another', 'signature', 60)).toBe(true)
  })
})
