import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { SiteCardRule } from '@tollgate/contract/records/site-cards'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { openNamedJobs } from '../jobs/named-jobs.ts'
import { openJobRunner } from '../jobs/runner.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { openPlace } from '../lib/places/open-place.ts'
import { reasonOf } from '../lib/reason-of.ts'
import { backupCards } from './backup-cards.ts'
import { type BackupRuns, openBackupRuns } from './backup-runs.ts'
import { backupsAt } from './stored-backups.ts'

const lookEveryMs = 10 * 60_000
const longestOutput = 2_000

/** In a process of its own: the copy of a large SQLite file must not hold up calls. */
const runBackup = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'run-backup.ts')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output = `${output}${chunk}`.slice(-longestOutput)
      })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(output.trim()) : reject(new Error(output.trim()))))
  })

/** How often the node that writes says that it is alive, for the others. */
const aliveEveryMs = 30_000

export interface BackupParts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly config: Pick<Config, 'backups' | 'isSlave'>
  readonly runs: Pick<BackupRuns, 'seen' | 'failed'>
  /** Notifies the super admin of a backup that was not written. */
  readonly notifyFailed: (reason: string) => void
  /** Writes one and answers what it says of it; for tests. */
  readonly write?: () => Promise<string>
}

/**
 * Writes a backup when the newest one at `BACKUP_TO` is older than `BACKUP_EVERY_HOURS`, however often servers start; of several nodes
 * one does. The super admin gets a notice of one that failed. Returns the function that stops it; nothing happens where no place is set,
 * and on slaves.
 */
export const scheduleBackups = (parts: BackupParts): (() => void) => {
  const { database, clock, log, runs, notifyFailed, write = runBackup } = parts
  const { to, everyHours } = parts.config.backups
  if (to === undefined || parts.config.isSlave) return () => {}
  const place = openPlace(to, process.env)
  const isDue = async (): Promise<boolean> => {
    const [newest] = await backupsAt(place)
    if (newest !== undefined) await runs.seen(to, newest)
    return newest === undefined || clock() / 1000 - newest.at >= everyHours * 3600
  }
  let isStopped = false
  const runner = openJobRunner({
    store: openNamedJobs(database, clock).store([{ id: 'backup' }], isDue),
    async work() {
      // Another node may have written one between the look and the beginning.
      if (!(await isDue())) return
      log.info('backup_written', { output: await write() })
      const [newest] = await backupsAt(place)
      if (newest !== undefined) await runs.seen(to, newest)
    },
    everyMs: lookEveryMs,
    aliveEveryMs,
    failed(error) {
      // The databases of a server that stops are closed; the row of the work ages by itself.
      if (isStopped) return
      log.error('backup_failed', { error })
      notifyFailed(reasonOf(error))
      void runs.failed(to, reasonOf(error)).catch((cause: unknown) => log.error('backup_failed', { error: cause }))
    },
    clock,
  })
  runner.wake()
  return () => {
    isStopped = true
    void runner.stop()
  }
}

export interface Backups extends Pick<BackupRuns, 'last'> {
  readonly cards: readonly SiteCardRule[]
  stop(): void
}

/** Begins the backups of this server, with what is known of the last ones. */
export const openBackups = (parts: Omit<BackupParts, 'runs'>): Backups => {
  const runs = openBackupRuns(parts.database, parts.clock)
  return { last: runs.last, cards: backupCards(parts.config.backups, runs), stop: scheduleBackups({ ...parts, runs }) }
}
