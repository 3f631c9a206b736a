import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Tables } from '../db/schema.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import type { JobRow } from './row-claims.ts'

/** Processes that hold for rows: one that is silent for `heldForS` is followed by another. */
export interface RowHolds<Job> {
  /** Says that this process holds for its jobs; answers those of them that are open. */
  holding(ids: readonly number[]): Promise<ReadonlySet<number>>
  /** Open jobs without a hold of any live process; `own` where this process did, before it began anew. */
  unheld(limit: number, own: boolean): Promise<readonly Job[]>
  /** Takes the hold of a job over; false where another process was quicker. */
  takeOver(id: number, own: boolean): Promise<boolean>
  /** This process holds nothing any more. */
  letGo(): Promise<void>
}

export interface RowHoldsParts<T extends keyof Tables, Job> {
  readonly database: Pick<Database, 'query'>
  /** Has the columns `id`, `holder` (a process) and `holder_until` (unix seconds). */
  readonly table: T
  /** Names this process among all that share the database. */
  readonly holder: string
  /** Condition of rows that are held for. */
  readonly isOpen: RawBuilder<unknown>
  readonly jobOf: (row: JobRow<T>) => Job
  readonly clock: Clock
}

/** Seconds for which a process says that it holds. */
export const heldForS = 120
/** Most ids in one statement. */
const perStatement = 200

/** Holders of jobs that are rows of a table of their own. */
export const openRowHolds = <T extends keyof Tables, Job>(parts: RowHoldsParts<T, Job>): RowHolds<Job> => {
  const { holder, isOpen, jobOf, clock } = parts
  const { query } = parts.database
  const table = sql.table(parts.table)
  const now = (): number => unixSeconds(clock)
  const claimed = () => sql`update ${table} set holder = ${holder}, holder_until = ${now() + heldForS}`
  const freeFor = (own: boolean): RawBuilder<unknown> => (own ? sql`holder = ${holder}` : sql`holder_until < ${now()}`)

  return {
    async holding(ids) {
      const held = new Set<number>()
      for (let from = 0; from < ids.length; from += perStatement) {
        const some = sql`id in (${sql.join(ids.slice(from, from + perStatement))}) and ${isOpen}`
        await sql`${claimed()} where ${some}`.execute(query)
        const { rows } = await sql<{ readonly id: number }>`select id from ${table} where ${some}`.execute(query)
        for (const { id } of rows) held.add(Number(id))
      }
      return held
    },
    async unheld(limit, own) {
      const { rows } = await sql<JobRow<T>>`select * from ${table} where ${isOpen} and ${freeFor(own)}
        order by id limit ${limit}`.execute(query)
      return rows.map(jobOf)
    },
    async takeOver(id, own) {
      const { numAffectedRows = 0n } = await sql`${claimed()} where id = ${id} and ${isOpen}
        and ${freeFor(own)}`.execute(query)
      return numAffectedRows > 0n
    },
    async letGo() {
      await sql`update ${table} set holder = '', holder_until = 0 where holder = ${holder} and ${isOpen}`.execute(query)
    },
  }
}
