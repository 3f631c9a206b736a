import { growingPauses } from '#server/jobs/job-policy.ts'
import { type JobRunner, type JobTimes, openJobRunner } from '#server/jobs/runner.ts'
import type { Batch } from './forms/batch-form.ts'
import { type BatchRunParts, runBatch } from './run/run-batch.ts'

/** Batches that one process runs at a time, and of each payer. */
const [atOnce, ofPayer] = [16, 4]
/** Seconds before a batch that could not go on is tried again. */
const pauses = growingPauses({ first: 5, growth: 2, longest: 600 })

/** Runs batches that are due; each runs in one process at a time, which prolongs its own lease. */
export const openBatchRunner = (parts: BatchRunParts & JobTimes): JobRunner<Batch> =>
  openJobRunner({
    store: parts.store.jobs,
    atOnce,
    keys: { keyOf: ({ user_id }) => String(user_id), atOnce: ofPayer, paceMs: 0 },
    everyMs: parts.everyMs,
    retry: { pauses },
    clock: parts.clock,
    failed: parts.failed,
    async work(job, run) {
      try {
        await runBatch(parts, job, run)
      } catch (error) {
        parts.failed(error)
        throw error
      }
    },
  })
