import { expect, it } from 'vitest'
import { describeEachAddress } from '../../test/support/db/databases.ts'
import { testUser } from '../../test/support/db/rows.ts'
import { openDatabase } from '../db/engines/open.ts'
import { migrate, migrateTo, pendingSteps } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { checkUpgrade, pendingOf } from './check-upgrade.ts'
import { schemaChanges } from './schema-changes.ts'
import { upgradeText } from './upgrade-command.ts'

const steps = Object.keys(migrations).sort()

/** MariaDB brings each of some hundred tables to the disk, twice. */
const mostMs = 240_000

/** Without the columns of the steps that are still to be made. */
const older = ({ staff_permissions: _, ...user }: ReturnType<typeof testUser>) => user

describeEachAddress('the check of an upgrade', (place) => {
  it(
    'makes the steps on a copy, and leaves the database as it is',
    async () => {
      const [address, to] = [await place(), await place()]
      const made = steps.slice(0, -2)
      const database = await openDatabase(address)
      await migrateTo(database, made)
      await database.query
        .insertInto('users')
        .values(older(testUser('zoë')))
        .execute()

      expect(await pendingOf(address)).toEqual(steps.slice(-2))
      const report = await checkUpgrade(address, to)
      expect(report.steps.map(({ name }) => name)).toEqual(steps.slice(-2))
      expect(report.rows).toBeGreaterThan(0)
      expect(upgradeText(report)).toContain('All 2 took')

      expect(await pendingSteps(database)).toEqual(steps.slice(-2))
      const copy = await openDatabase(to)
      expect(await pendingSteps(copy)).toEqual([])
      expect(await copy.query.selectFrom('users').select('username').execute()).toEqual([{ username: 'zoë' }])
      await migrate(database)
      expect(await pendingOf(address)).toEqual([])
      await Promise.all([copy.close(), database.close()])
    },
    mostMs,
  )
})

it('names what the version before cannot work with', () => {
  const column = { needsValue: false, type: 'text' }
  const needed = { needsValue: true, type: 'text' }
  const before = new Map([
    [
      'kept',
      new Map([
        ['id', column],
        ['old', column],
        ['wide', column],
        ['loose', column],
      ]),
    ],
    ['gone', new Map([['id', column]])],
  ])
  const after = new Map([
    [
      'kept',
      new Map([
        ['id', column],
        ['free', column],
        ['due', needed],
        ['wide', { needsValue: false, type: 'integer' }],
        ['loose', needed],
      ]),
    ],
    ['fresh', new Map([['id', needed]])],
  ])
  expect(schemaChanges(before, after)).toEqual({
    newTables: ['fresh'],
    newColumns: ['kept.free', 'kept.due'],
    breaking: [
      'kept.old goes',
      'gone goes',
      'kept.due needs a value',
      'kept.wide becomes integer',
      'kept.loose needs a value',
    ],
  })
})
