import { type JobRunner, type JobTimes, openJobRunner } from '../../jobs/runner.ts'
import type { BatchSettling } from '../../relay/batches/settle-batches.ts'
import { type BatchRow, type BatchStore, batchOf } from './store.ts'

/** Batches that one node reads at a time, each of another channel: one that answers slowly holds up no other. */
const atOnce = 2
/** Between two reads at a channel. */
const paceMs = 1_000
/** The result files of a batch may take long to read. */
const aliveEveryMs = 30_000

export interface BatchPollParts extends JobTimes {
  readonly store: Pick<BatchStore, 'jobs'>
  readonly settling: Pick<BatchSettling, 'settle'>
}

/** Looks for the end of batches that no client has read for a while: of each, so that its maker pays for what was done. */
export const openBatchPoll = ({ store, settling, ...run }: BatchPollParts): JobRunner<BatchRow> =>
  openJobRunner({
    ...run,
    store: store.jobs,
    atOnce,
    keys: { keyOf: ({ channel_id }) => String(channel_id), atOnce: 1, paceMs },
    aliveEveryMs,
    async work(row) {
      await settling.settle(batchOf(row))
    },
  })
