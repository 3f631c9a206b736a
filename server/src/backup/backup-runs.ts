import type { Database } from '../db/database.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import type { StoredBackup } from './stored-backups.ts'

/** A backup that was written, or an attempt that failed. */
export interface BackupRun {
  /** Unix seconds. */
  readonly time: number
  /** Folder or bucket. */
  readonly place: string
  /** Name of the backup, or why it failed. */
  readonly detail: string
}

export interface LastBackups {
  readonly written: BackupRun | undefined
  /** Absent where a later backup was written. */
  readonly failed: BackupRun | undefined
  /** Attempts that failed since the last backup, as far as they are stored. */
  readonly failures: number
}

export interface BackupRuns {
  /** Stores the newest backup of a place, unless it is known: commands and other nodes write there, too. */
  seen(place: string, newest: StoredBackup): Promise<void>
  /** Stores an attempt that failed now. */
  failed(place: string, reason: string): Promise<void>
  last(): Promise<LastBackups>
}

/** Of each outcome. */
const mostStored = 100
const longestPlace = 500
const longestDetail = 1_000

/** How the last backups of the server ended. */
export const openBackupRuns = ({ query }: Pick<Database, 'query'>, clock: Clock): BackupRuns => {
  const ofOutcome = (outcome: 'written' | 'failed') =>
    query.selectFrom('backup_runs').where('outcome', '=', outcome).orderBy('time', 'desc').orderBy('id', 'desc')

  const newestOf = (outcome: 'written' | 'failed'): Promise<BackupRun | undefined> =>
    ofOutcome(outcome).select(['time', 'place', 'detail']).limit(1).executeTakeFirst()

  const add = async (outcome: 'written' | 'failed', { time, place, detail }: BackupRun): Promise<void> => {
    await query
      .insertInto('backup_runs')
      .values({ outcome, time, place: place.slice(0, longestPlace), detail: detail.slice(0, longestDetail) })
      .execute()
    const oldest = await ofOutcome(outcome).select('time').offset(mostStored).limit(1).executeTakeFirst()
    if (oldest === undefined) return
    await query.deleteFrom('backup_runs').where('outcome', '=', outcome).where('time', '<=', oldest.time).execute()
  }

  return {
    async seen(place, { name, at }) {
      const known = await newestOf('written')
      if (known === undefined || known.time < at) await add('written', { time: at, place, detail: name })
    },
    failed: (place, reason) => add('failed', { time: unixSeconds(clock), place, detail: reason }),
    async last() {
      const [written, failed] = await Promise.all([newestOf('written'), newestOf('failed')])
      if (failed === undefined || (written !== undefined && written.time >= failed.time))
        return { written, failed: undefined, failures: 0 }
      const { failures } = await query
        .selectFrom('backup_runs')
        .select((eb) => eb.fn.countAll<number | string>().as('failures'))
        .where('outcome', '=', 'failed')
        .where('time', '>', written?.time ?? 0)
        .executeTakeFirstOrThrow()
      return { written, failed, failures: Number(failures) }
    },
  }
}
