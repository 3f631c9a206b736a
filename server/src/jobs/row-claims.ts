import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Tables } from '../db/schema.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import type { Claim, Job, JobStore } from './job-store.ts'

type Columns = Readonly<Record<string, string | number>>

export interface RowClaimParts<J extends Job> {
  readonly database: Pick<Database, 'query'>
  readonly table: keyof Tables & string
  /** Column that holds the job's id; `id` where it is not set. */
  readonly key?: string
  /**
   * Column with unix seconds: the job is due from then on. A claim moves it to the end of its lease, so a job whose process died is due
   * again by itself.
   */
  readonly time: string
  readonly leaseSeconds: number
  /** The time column of a job as it was read. */
  timeOf(job: J): number
  /** Other columns that must still have these values. */
  unchanged?(job: J): Columns
  /** Columns for the number of claims and for why the last one failed. */
  readonly counted?: { readonly attempts: string; readonly error: string; attemptsOf(job: J): number }
  /** Deletes rows of jobs that are done; otherwise the work itself has written the end. */
  readonly deletesDone?: boolean
  due(most: number): Promise<readonly J[]>
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
export const openRowClaims = <J extends Job>(parts: RowClaimParts<J>): JobStore<J, RowClaim> => {
  const { counted, time, table } = parts
  const now = (): number => unixSeconds(parts.clock)

  const all = (columns: Columns, between: string) =>
    sql.join(
      Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
      sql.raw(between),
    )
  const rowOf = (job: J, held: number) =>
    all({ [parts.key ?? 'id']: job.id, [time]: held, ...parts.unchanged?.(job) }, ' and ')

  const changed = async (statement: ReturnType<typeof sql>): Promise<boolean> =>
    ((await statement.execute(parts.database.query)).numAffectedRows ?? 0n) > 0n

  return {
    due: parts.due,
    async claim(job) {
      let until = parts.timeOf(job)
      const attempts = (counted?.attemptsOf(job) ?? 0) + 1
      const write = async (columns: Columns, next: number): Promise<boolean> => {
        const set = all({ ...columns, [time]: next }, ', ')
        const isOurs = await changed(sql`update ${sql.table(table)} set ${set} where ${rowOf(job, until)}`)
        if (isOurs) until = next
        return isOurs
      }
      const lease = (columns: Columns = {}): Promise<boolean> => write(columns, now() + parts.leaseSeconds)
      if (!(await lease(counted === undefined ? {} : { [counted.attempts]: attempts }))) return undefined
      return {
        attempts,
        get until() {
          return until
        },
        keep: () => lease(),
        done: async () =>
          parts.deletesDone !== true || changed(sql`delete from ${sql.table(table)} where ${rowOf(job, until)}`),
        async fail({ at, reason }) {
          if (at === undefined) return true
          return write(counted === undefined ? {} : { [counted.error]: reason.slice(0, longestError) }, at)
        },
      }
    },
  }
}
