import { join } from 'node:path'
import { openPlace } from '../backup/places/open-place.ts'
import { openClusterJobs } from '../db/cluster-jobs.ts'
import { copiedFiles, folderFiles } from '../features/logs/archive/archive-files.ts'
import { createLogArchiving } from '../features/logs/archive/archive-job.ts'
import { openArchiveParts } from '../features/logs/archive/archive-parts.ts'
import { createArchivedLogs } from '../features/logs/archive/archived-logs.ts'
import { withArchive } from '../features/logs/archive/archived-store.ts'
import type { LogStore } from '../features/logs/store.ts'
import { every } from '../jobs/every.ts'
import { duckDbPackage, hasDuckDb } from '../lib/parquet/duckdb.ts'
import { openParquet } from '../lib/parquet/parquet.ts'
import type { SharedParts } from './parts.ts'

/** Soon after the option is set. One look asks for one row. */
const lookEveryMs = 60_000

export interface LogArchive {
  /** The log together with its archived months. */
  joined(live: LogStore): LogStore
  close(): Promise<void>
}

/** Archived months of the log: every node reads them, and a master moves what is old enough. */
export const openLogArchive = ({ config, database, logDatabase, options, clock, log }: SharedParts): LogArchive => {
  const place = openPlace(config.logArchiveTo, process.env)
  const folder = (name: string): string => join(config.dataDir, name)
  const files = config.logArchiveTo.startsWith('s3://')
    ? copiedFiles(place, folder('log-archive-copies'))
    : folderFiles(place, config.logArchiveTo)
  const parquet = openParquet(folder('log-archive-memory'))
  const parts = openArchiveParts(database)
  const archiving = createLogArchiving({
    database,
    logDatabase,
    parts,
    files,
    parquet,
    clock,
    jobs: openClusterJobs(database, clock),
    afterDays: () => options.get('LogArchiveAfterDays'),
    folder: folder('log-archive-unfinished'),
    archived: ({ name, rows, bytes }) => log.info('log_archived', { file: name, rows, bytes }),
  })
  const failed = (error: unknown): void => log.error('log_archive_failed', { error })
  const look = async (): Promise<void> => {
    if (options.get('LogArchiveAfterDays') === 0) return
    if (hasDuckDb()) await archiving.work()
    else log.warn('log_archive_unavailable', { package: duckDbPackage })
  }
  const stop = config.isSlave ? (): void => {} : every(lookEveryMs, look, failed)
  return {
    joined: (live) =>
      withArchive(live, createArchivedLogs({ parts, files, parquet }), (error) =>
        log.warn('log_archive_unread', { error }),
      ),
    close: async () => {
      stop()
      await archiving.stop()
      await parquet.close()
    },
  }
}
