import type { SharedParts } from '../../app/parts.ts'
import { openClusterJobs } from '../../db/cluster-jobs.ts'
import { every } from '../../jobs/every.ts'
import { endsToTell, type ModelEnd } from './model-ends.ts'

const askEveryMs = 3_600_000
const everySeconds = 72_000
const job = 'model_end_notices'

/**
 * Tells operators before models of this site end. One node looks once a day; `ends` are the ends of all models that channels
 * serve. Returns what stops it.
 */
export const joinModelEndNotices = (
  { database, clock, log }: Pick<SharedParts, 'database' | 'clock' | 'log'>,
  ends: () => readonly ModelEnd[],
  notify: (ending: readonly ModelEnd[]) => void,
): (() => void) => {
  const jobs = openClusterJobs(database, clock)
  const look = async (): Promise<void> => {
    const { finishedTime } = await jobs.state(job)
    const run = await jobs.beginIfDue(job, everySeconds)
    if (run === undefined) return
    const found = endsToTell(ends(), finishedTime === 0 ? undefined : finishedTime * 1000, clock())
    if (found.length > 0) notify(found)
    await run.end(found.length, found.length, {})
  }
  return every(askEveryMs, look, (error) => log.warn('model_end_notice_late', { error }))
}
