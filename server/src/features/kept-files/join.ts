import type { SharedParts } from '../../app/parts.ts'
import { openNamedJobs } from '../../jobs/named-jobs.ts'
import { openJobRunner } from '../../jobs/runner.ts'
import { openKeptFiles } from './kept-files.ts'

const megabyte = 1024 * 1024
const purgeJob = { id: 'kept_files_purge', everySeconds: 3600 }
const askEveryMs = 600_000

/** Joins the store of files, and the job that deletes those whose time is over. */
export const joinKeptFiles = ({
  database,
  secrets,
  options,
  clock,
  log,
}: Pick<SharedParts, 'database' | 'secrets' | 'options' | 'clock' | 'log'>): Pick<SharedParts, 'keptFiles'> & {
  readonly close: () => Promise<void>
} => {
  const keptFiles = openKeptFiles({
    database,
    secrets,
    clock,
    bounds: () => ({
      ofFile: options.get('FileMegabytes') * megabyte,
      ofPayer: options.get('FilesOfUserMegabytes') * megabyte,
      days: options.get('FileDays'),
    }),
  })
  const { stop } = openJobRunner({
    store: openNamedJobs(database, clock).store([purgeJob]),
    async work(_, { claim, signal }) {
      let done = 0
      for (;;) {
        const removed = await keptFiles.purge()
        done += removed
        if (removed === 0 || signal.aborted || !(await claim.progress(done, done, {}))) return
      }
    },
    everyMs: askEveryMs,
    failed: (error) => log.warn('kept_files_purge_failed', { error }),
    clock,
  })
  return { keptFiles, close: stop }
}
