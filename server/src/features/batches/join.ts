import type { SharedParts } from '../../app/parts.ts'
import { every } from '../../jobs/every.ts'
import { type BatchCalls, openBatchCalls } from '../../relay/batches/batch-calls.ts'
import { openBatchSettling, type SettleBatchesParts } from '../../relay/batches/settle-batches.ts'
import type { Holds } from '../../relay/ports.ts'
import { openHeldJobs } from '../../relay/provider-jobs/held-jobs.ts'
import { openHolding } from '../../relay/provider-jobs/holding.ts'
import { openBatchPoll } from './poll.ts'
import { openBatchStore } from './store.ts'

export interface BatchSide {
  readonly calls: BatchCalls
  /** Ends what is being read; another process, or the next start, goes on. */
  close(): Promise<void>
}

type Shared = Pick<SharedParts, 'config' | 'database' | 'clock' | 'log' | 'storedResponses' | 'channelHooks' | 'bus'>

type Needs = Omit<SettleBatchesParts, 'batches' | 'held' | 'keyHashOf' | 'clock' | 'log'> & { readonly holds: Holds }

/** How often a process says what it holds, and looks for batches that no client has read. */
const holdEveryMs = 30_000
const askEveryMs = 10_000
const purgeEveryMs = 3_600_000

/** Topic of notices that a provider has called about a batch. */
const dueTopic = 'direct_batch_due'

/** Joins what charges batches of direct calls: each process follows its calls and holds, and looks for ends that no client has read. */
export const joinBatches = (shared: Shared, needs: Needs): BatchSide => {
  const { config, database, clock, log, storedResponses, channelHooks, bus } = shared
  const { keyHashOf } = storedResponses
  const store = openBatchStore({ database, clock, holder: config.nodeName })
  const held = openHeldJobs()
  const note = (event: string, fields: Readonly<Record<string, unknown>>): void => log.warn(event, fields)
  const common = { batches: store, held, keyHashOf, clock, log: note }
  const settling = openBatchSettling({ ...needs, ...common })
  const holding = openHolding({ store, held, holds: needs.holds, clock })
  const failed = (error: unknown): void => note('batch_round_failed', { error })
  const poll = openBatchPoll({ store, settling, everyMs: config.isSlave ? undefined : askEveryMs, failed, clock })
  channelHooks.listen(async (channelId, objectId) => {
    if (await store.nudge(channelId, objectId)) bus.publish(dueTopic)
  })
  const stopListening = bus.subscribe(dueTopic, () => {
    if (!config.isSlave) poll.wake()
  })
  let round = holding.resume().catch(failed)
  const stopHolding = every(holdEveryMs, () => (round = holding.tick().catch(failed)), failed)
  const stopPurging = config.isSlave ? () => {} : every(purgeEveryMs, store.purge, failed)
  return {
    calls: openBatchCalls({ ...needs, ...common, settling }),
    async close() {
      stopListening()
      stopHolding()
      stopPurging()
      await Promise.all([round, settling.close(), poll.stop()])
      await holding.close().catch(failed)
    },
  }
}
