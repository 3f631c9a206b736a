import { type Selectable, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { LogPurgesTable } from '../../db/schema.ts'
import type { JobStore } from '../../jobs/job-store.ts'
import { openRowClaims, type RowClaim } from '../../jobs/row-claims.ts'
import type { Clock } from '../../lib/clock.ts'

export type LogPurge = Selectable<LogPurgesTable>
export type NewPurge = Pick<LogPurge, 'name' | 'type' | 'before' | 'total' | 'created_time'>

export interface PurgeStore {
  /** False when the same purge was requested before. */
  add(purge: NewPurge): Promise<boolean>
  /** Those that are not finished, oldest first. */
  open(): Promise<LogPurge[]>
  /** The same, as jobs of which each is with one node. */
  readonly jobs: JobStore<LogPurge, RowClaim>
  deleted(id: number, rows: number): Promise<void>
  finish(id: number, now: number): Promise<void>
  /** True if the log has rows that a purge means. */
  any(purge: Pick<LogPurge, 'type' | 'before'>): Promise<boolean>
  /** Rows of the log that a purge means. */
  count(purge: Pick<LogPurge, 'type' | 'before'>): Promise<number>
  /** Deletes some of them, oldest first; answers how many. */
  deleteSome(purge: Pick<LogPurge, 'type' | 'before'>, most: number): Promise<number>
}

export interface PurgePlaces {
  readonly database: Database
  /** The same as `database` unless logs live apart. */
  readonly logDatabase: Database
  readonly clock: Clock
}

/** Longer than a chunk takes, whose end prolongs it. */
const leaseSeconds = 60

/** Store of deletions: they are in the main database, the rows in the log database. */
export const openPurgeStore = ({ database, logDatabase, clock }: PurgePlaces): PurgeStore => {
  const meant = ({ type, before }: Pick<LogPurge, 'type' | 'before'>) => {
    const older = logDatabase.query.selectFrom('logs').where('created_at', '<', before)
    return type === 0 ? older : older.where('type', '=', type)
  }

  return {
    async add(purge) {
      try {
        await database.query.insertInto('log_purges').values(purge).execute()
        return true
      } catch (error) {
        if (isUniqueViolation(error)) return false
        throw error
      }
    },
    open: () =>
      database.query.selectFrom('log_purges').selectAll().where('finished_time', '=', 0).orderBy('id').execute(),
    jobs: openRowClaims({
      database,
      table: 'log_purges',
      time: 'lease_time',
      leaseSeconds,
      where: sql`finished_time = 0`,
      clock,
    }),
    async deleted(id, rows) {
      await database.query
        .updateTable('log_purges')
        .set((eb) => ({ deleted: eb('deleted', '+', rows) }))
        .where('id', '=', id)
        .execute()
    },
    async finish(id, now) {
      await database.query.updateTable('log_purges').set({ finished_time: now }).where('id', '=', id).execute()
    },
    any: async (purge) => (await meant(purge).select('id').limit(1).executeTakeFirst()) !== undefined,
    async count(purge) {
      const counted = await meant(purge)
        .select(({ fn }) => fn.countAll().as('rows'))
        .executeTakeFirstOrThrow()
      return Number(counted.rows)
    },
    async deleteSome(purge, most) {
      const rows = await meant(purge).select('id').orderBy('created_at').orderBy('id').limit(most).execute()
      if (rows.length === 0) return 0
      const ids = rows.map(({ id }) => id)
      await logDatabase.query.deleteFrom('logs').where('id', 'in', ids).execute()
      return ids.length
    },
  }
}
