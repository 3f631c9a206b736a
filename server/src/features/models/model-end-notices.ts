import type { SharedParts } from '../../app/parts.ts'
import { openNamedJobs } from '../../jobs/named-jobs.ts'
import { openJobRunner } from '../../jobs/runner.ts'
import { endsToTell, type ModelEnd } from './model-ends.ts'

const askEveryMs = 3_600_000
const job = { id: 'model_end_notices', everySeconds: 72_000 }

/**
 * Tells operators before models of this site end. One node looks once a day; `ends` are the ends of all models that channels
 * serve. Returns what stops it.
 */
export const joinModelEndNotices = (
  { database, clock, log }: Pick<SharedParts, 'database' | 'clock' | 'log'>,
  ends: () => readonly ModelEnd[],
  notify: (ending: readonly ModelEnd[]) => void,
): (() => Promise<void>) =>
  openJobRunner({
    store: openNamedJobs(database, clock).store([job]),
    async work(_, { claim: { lastFinished, report } }) {
      const found = endsToTell(ends(), lastFinished === 0 ? undefined : lastFinished * 1000, clock())
      if (found.length > 0) notify(found)
      report(found.length, found.length, {})
    },
    everyMs: askEveryMs,
    failed: (error) => log.warn('model_end_notice_late', { error }),
    clock,
  }).stop
