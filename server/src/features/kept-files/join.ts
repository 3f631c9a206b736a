import type { SharedParts } from '../../app/parts.ts'
import { openNamedJobs } from '../../jobs/named-jobs.ts'
import { openJobRunner } from '../../jobs/runner.ts'
import { openPlace } from '../../lib/places/open-place.ts'
import { openFilePlaces } from './file-places.ts'
import { openKeptFiles } from './kept-files.ts'

const megabyte = 1024 * 1024
const purgeJob = { id: 'kept_files_purge', everySeconds: 3600 }
const askEveryMs = 600_000

/** Joins the store of files, and the job that deletes those whose time is over. */
export const joinKeptFiles = ({
  config,
  database,
  secrets,
  options,
  clock,
  log,
}: Pick<SharedParts, 'config' | 'database' | 'secrets' | 'options' | 'clock' | 'log'>): Pick<
  SharedParts,
  'keptFiles'
> & {
  readonly close: () => Promise<void>
} => {
  const failed = (error: unknown): void => log.error('kept_files_place_failed', { error })
  const places = openFilePlaces({
    database,
    address: config.filesTo,
    openPlace: (address) => openPlace(address, process.env),
    clock,
    failed,
  })
  // The log says at the start what calls would meet later.
  if (config.filesTo !== undefined)
    places
      .current()
      .then((id) => places.bytesAt(id))
      .catch(() => undefined)
  const keptFiles = openKeptFiles({
    places,
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
