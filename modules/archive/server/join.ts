import { join as joinPath } from 'node:path'
import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { openNamedJobs } from '#server/jobs/named-jobs.ts'
import { duckDbPackage, hasDuckDb } from '#server/lib/parquet/duckdb.ts'
import { openParquet } from '#server/lib/parquet/parquet.ts'
import { openPlace } from '#server/lib/places/open-place.ts'
import { copiedFiles, folderFiles } from './archive-files.ts'
import { openLogArchiving } from './archive-job.ts'
import { openArchiveParts } from './archive-parts.ts'
import { isArchivedAfter } from './archived-days.ts'
import { createArchivedLogs } from './archived-logs.ts'
import { withArchive } from './archived-store.ts'

/** Soon after the option is set. One look asks for one row. */
const lookEveryMs = 60_000

/** Joins archived months of the log: every node reads them, and a master moves what is old enough. */
export const join: JoinModule = ({ config, database, logDatabase, options, clock, log }) => {
  const folder = (name: string): string => joinPath(config.dataDir, name)
  const to = config.ofModules.LOG_ARCHIVE_TO ?? folder('log-archive')
  const place = openPlace(to, process.env)
  const files = to.startsWith('s3://') ? copiedFiles(place, folder('log-archive-copies')) : folderFiles(place, to)
  const parquet = openParquet(folder('log-archive-memory'))
  const parts = openArchiveParts(database)
  const afterDays = (): number => options.get('LogArchiveAfterDays')
  const hasPackage = (): boolean => {
    if (afterDays() === 0 || hasDuckDb()) return true
    log.warn('log_archive_unavailable', { package: duckDbPackage })
    return false
  }
  const archiving = openLogArchiving({
    database,
    logDatabase,
    parts,
    files,
    parquet,
    clock,
    jobs: openNamedJobs(database, clock),
    afterDays: () => (hasPackage() ? afterDays() : 0),
    everyMs: config.isSlave ? undefined : lookEveryMs,
    failed: (error) => log.error('log_archive_failed', { error }),
    folder: folder('log-archive-unfinished'),
    archived: ({ name, rows, bytes }) => log.info('log_archived', { file: name, rows, bytes }),
  })
  return {
    olderLogs: {
      joined: (live) =>
        withArchive(live, createArchivedLogs({ parts, files, parquet }), (error) =>
          log.warn('log_archive_unread', { error }),
        ),
      hasAllAfter: (days) => isArchivedAfter(afterDays(), days),
    },
    close: async () => {
      await archiving.stop()
      await parquet.close()
    },
  }
}
