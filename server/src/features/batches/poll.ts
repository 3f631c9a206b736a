import type { ClusterJobs } from '../../db/cluster-jobs.ts'
import type { BatchSettling } from '../../relay/batches/settle-batches.ts'
import type { BatchStore } from './store.ts'

export const batchPollJob = 'batch-poll'

/** Seconds between two rounds, whatever number of nodes there are. */
const everySeconds = 60
/** Batches in one round. */
const perRound = 50

/** Looks for the end of batches that nobody has read for a while: of each, so that its maker pays for what was done. */
export const createBatchPoll = (parts: {
  readonly states: ClusterJobs
  readonly store: Pick<BatchStore, 'due' | 'purge'>
  readonly settling: Pick<BatchSettling, 'settle'>
}) => {
  const { states, store, settling } = parts
  return {
    /** One round; does nothing where another node had one within the interval. */
    async tick(): Promise<void> {
      const run = await states.beginIfDue(batchPollJob, everySeconds)
      if (run === undefined) return
      let done = 0
      try {
        await store.purge()
        const due = await store.due(perRound)
        for (const batch of due) {
          await settling.settle(batch)
          done += 1
          if (!(await run.progress(done, due.length, {}))) return
        }
      } finally {
        await run.end(done, done, {})
      }
    },
  }
}
