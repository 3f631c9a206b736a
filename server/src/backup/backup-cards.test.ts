import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import type { Database } from '../db/database.ts'
import { backupCards } from './backup-cards.ts'
import { openBackupRuns } from './backup-runs.ts'

const hour = 3_600
const start = 1_900_000_000

describeEachEngine('cards about backups', (open) => {
  let database: Database
  let now: number

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    now = start
    await database.query.deleteFrom('backup_runs').execute()
  })

  const settings = { everyHours: 24, keep: undefined, recipients: [], passphraseFile: undefined }
  const runs = () => openBackupRuns(database, () => now * 1000)
  const cards = async () => {
    const rules = backupCards({ ...settings, to: '/backups' }, runs())
    const found = await Promise.all(
      rules.map(async ({ name, read }) => (await read(now)).map((card) => ({ name, card }))),
    )
    return found.flat()
  }
  const backup = (at: number) => ({ name: `tollgate-${at}`, at })

  it('are none where the server writes none, and while they are written in time', async () => {
    expect(backupCards({ ...settings, to: undefined }, runs())).toEqual([])
    expect(await cards()).toEqual([])
    await runs().seen('/backups', backup(now))
    now += 47 * hour
    expect(await cards()).toEqual([])
  })

  it('count the failures since the last backup, and end with the next one', async () => {
    await runs().failed('/backups', 'first')
    await runs().seen('/backups', backup(start + 1))
    for (const reason of ['the disk is full', 'the bucket is gone']) {
      now += hour
      await runs().failed('/backups', reason)
    }
    const [found, ...others] = await cards()
    expect(others).toEqual([])
    expect(found).toMatchObject({
      name: 'backup_failed',
      card: {
        severity: 'bad',
        reason: 'the bucket is gone',
        at: now,
        words: { fact: { values: { failures: { count: 2 }, time: { moment: start + 1 } } } },
      },
    })
    await runs().seen('/backups', backup(now + 1))
    expect(await cards()).toEqual([])
  })

  it('name the days without one where no attempt is made', async () => {
    await runs().seen('/backups', backup(now))
    now += 75 * hour
    expect(await cards()).toMatchObject([
      { name: 'backup_late', card: { severity: 'warn', words: { fact: { values: { days: { count: 3 } } } } } },
    ])
  })

  it('are of a bounded number of rows', async () => {
    for (let turn = 0; turn < 130; turn += 1) {
      now += 600
      await runs().failed('/backups', 'no')
    }
    const rows = await database.query.selectFrom('backup_runs').select('time').execute()
    expect(rows.length).toBeLessThanOrEqual(100)
    expect(Math.max(...rows.map(({ time }) => time))).toBe(now)
  })
})
