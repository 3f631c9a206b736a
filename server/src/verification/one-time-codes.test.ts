import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import type { Database } from '../db/database.ts'
import { openSecrets } from '../lib/security/secrets.ts'
import { type CodeName, openOneTimeCodes } from './one-time-codes.ts'

const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })
const how = { seconds: 180, apart: 30 }

describeEachEngine('codes sent to people', (open) => {
  let database: Database
  let time = 1_800_000_000_000
  const pass = (seconds: number): void => {
    time += seconds * 1000
  }
  // Two nodes on one database.
  const node = () => openOneTimeCodes({ database, secrets, clock: () => time })
  let count = 0
  const name = (): CodeName => {
    count += 1
    return { purpose: 'register', subject: `reader${count}@example.com` }
  }
  const use = (about: CodeName, code: string): Promise<boolean> =>
    database.transaction((trx) => node().use(trx, about, code))

  beforeAll(async () => {
    database = await open()
  })

  it('takes the right code once, on any node', async () => {
    const about = name()
    expect(await node().put(about, 'a1b2c3', how)).toBe(0)
    expect(await node().guess(about, 'a1b2c3')).toBe(true)
    expect([await use(about, 'a1b2c3'), await use(about, 'a1b2c3')]).toEqual([true, false])
    expect(await node().guess(about, 'a1b2c3')).toBe(false)
  })

  it('lets one of many users at the same moment have it', async () => {
    const about = name()
    await node().put(about, 'a1b2c3', how)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => use(about, 'a1b2c3')))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
  })

  it('keeps the code for another try when what it was for fails', async () => {
    const about = name()
    await node().put(about, 'a1b2c3', how)
    const failing = database.transaction(async (trx) => {
      await node().use(trx, about, 'a1b2c3')
      throw new Error('the name is taken')
    })
    await expect(failing).rejects.toThrow('the name is taken')
    expect(await use(about, 'a1b2c3')).toBe(true)
  })

  it('is void after fifty guesses, even when they come at the same moment', async () => {
    const [slowly, atOnce] = [name(), name()]
    for (const about of [slowly, atOnce]) await node().put(about, 'a1b2c3', how)
    for (let guess = 0; guess < 50; guess += 1) expect(await node().guess(slowly, 'wrong')).toBe(false)
    expect(await node().guess(slowly, 'a1b2c3')).toBe(false)
    const right = await Promise.all(Array.from({ length: 60 }, () => node().guess(atOnce, 'a1b2c3')))
    expect(right.filter(Boolean)).toHaveLength(50)
  })

  it('belongs to one purpose and one reader', async () => {
    const about = name()
    await node().put(about, 'a1b2c3', how)
    expect(await node().guess({ ...about, purpose: 'bind' }, 'a1b2c3')).toBe(false)
    expect(await node().guess(name(), 'a1b2c3')).toBe(false)
    expect(await use({ ...about, purpose: 'bind' }, 'a1b2c3')).toBe(false)
  })

  it('is void after its time', async () => {
    const about = name()
    await node().put(about, 'a1b2c3', how)
    pass(179)
    expect(await node().guess(about, 'a1b2c3')).toBe(true)
    pass(1)
    expect(await node().guess(about, 'a1b2c3')).toBe(false)
    expect(await use(about, 'a1b2c3')).toBe(false)
  })

  it('is not sent again before half a minute has passed, and then the earlier one is void', async () => {
    const about = name()
    await node().put(about, 'first1', how)
    pass(12)
    expect(await node().put(about, 'second', how)).toBe(18)
    expect(await node().guess(about, 'first1')).toBe(true)
    pass(18)
    expect(await node().put(about, 'second', how)).toBe(0)
    expect(await node().guess(about, 'first1')).toBe(false)
    expect(await node().guess(about, 'second')).toBe(true)
  })

  it('is made once when several ask at the same moment', async () => {
    const about = name()
    const waits = await Promise.all(['a', 'b', 'c', 'd'].map((code) => node().put(about, code, how)))
    expect(waits.toSorted((a, b) => a - b)).toEqual([0, 30, 30, 30])
    await node().drop(about)
    expect(await node().put(about, 'again1', how)).toBe(0)
  })

  it('is stored as a hash and removed when its time is over', async () => {
    const about = name()
    await node().put(about, 'a1b2c3', how)
    const stored = () => database.query.selectFrom('one_time_codes').selectAll().execute()
    expect(JSON.stringify(await stored())).not.toMatch(/a1b2c3|example\.com/)
    pass(180)
    await node().purge()
    expect(await stored()).toEqual([])
  })
})
