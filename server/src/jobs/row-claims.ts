import { ownMember } from '@tollgate/contract/own-member'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Tables } from '../db/schema.ts'
import { quickQuestion } from '../db/sqlite/quick-reads.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import type { Claim, JobStore, StoredJob } from './job-store.ts'

/** A row with its id. */
export type JobRow<T extends keyof Tables> = Selectable<Tables[T]> & StoredJob

export interface RowClaimParts<T extends keyof Tables> {
  readonly database: Pick<Database, 'query'>
  readonly table: T
  /** Column with the job's id; `id` where it is not set. */
  readonly key?: string
  /**
   * Indexed column of unix seconds: a row is due from then on. A claim moves it to the end of its lease, so a job whose process died is
   * due again by itself.
   */
  readonly time: string
  readonly leaseSeconds: number
  /** Condition that makes a row a job, which it must still meet at each change. */
  readonly where?: RawBuilder<unknown>
  /** Further column that must still have the value that was read. */
  readonly unchanged?: string
  /** Columns for the number of claims, and for why the last one failed. */
  readonly counted?: { readonly attempts: string; readonly error: string }
  /** Deletes rows of jobs that are done; otherwise the work itself has written the end. */
  readonly deletesDone?: boolean
  readonly clock: Clock
}

export interface RowClaim extends Claim {
  /** Value of the time column that makes this process the holder. */
  readonly until: number
}

const longestError = 500

/**
 * Jobs that are rows of a table of their own. The time column is the token of a claim: each change is written only over the value that
 * the claim has read or written, so of several processes one wins, and a late end changes nothing.
 */
export const openRowClaims = <T extends keyof Tables>(parts: RowClaimParts<T>): JobStore<JobRow<T>, RowClaim> => {
  const { counted, unchanged, clock, where = sql`1 = 1`, key = 'id' } = parts
  const { query } = parts.database
  const [table, time, id] = [sql.table(parts.table), sql.ref(parts.time), sql.ref(key)]
  const ownId = key === 'id' ? sql`` : sql`, ${id} as id`

  return {
    async due(most) {
      const { rows } = await sql<
        JobRow<T>
      >`select ${table}.*${ownId} from ${table} where ${time} <= ${unixSeconds(clock)}
        and ${where} order by ${time}, ${id} limit ${most} ${quickQuestion}`.execute(query)
      return rows
    },
    async claim(job) {
      const cellOf = (column: string): unknown => ownMember(job, column)
      const same = unchanged === undefined ? where : sql`${where} and ${sql.ref(unchanged)} = ${cellOf(unchanged)}`
      const attempts = counted === undefined ? 1 : Number(cellOf(counted.attempts)) + 1
      let until = Number(cellOf(parts.time))
      const change = async (how: RawBuilder<unknown>): Promise<boolean> => {
        const { numAffectedRows = 0n } =
          await sql`${how} where ${id} = ${job.id} and ${time} = ${until} and ${same}`.execute(query)
        return numAffectedRows > 0n
      }
      const write = async (next: number, column?: string, value?: string | number): Promise<boolean> => {
        const more = column === undefined ? sql`` : sql`, ${sql.ref(column)} = ${value}`
        const isOurs = await change(sql`update ${table} set ${time} = ${next}${more}`)
        if (isOurs) until = next
        return isOurs
      }
      const leaseEnd = (): number => unixSeconds(clock) + parts.leaseSeconds
      if (!(await write(leaseEnd(), counted?.attempts, attempts))) return undefined
      return {
        attempts,
        get until() {
          return until
        },
        keep: () => write(leaseEnd()),
        done: async () => parts.deletesDone !== true || change(sql`delete from ${table}`),
        fail: async ({ at, reason }) => at === undefined || write(at, counted?.error, reason.slice(0, longestError)),
      }
    },
  }
}
