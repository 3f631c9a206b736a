import type { DeadlineCalls } from '#server/gateway/deadlines/deadline-calls.ts'
import type { BatchedCalls } from '#server/gateway/own-calls/batched-calls.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { LinePlace } from '#server/relay/batches/lines/batch-lines.ts'
import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import type { Batch, BatchForm } from '../forms/batch-form.ts'
import type { RunMode } from '../run/run-mode.ts'
import type { Progress } from '../stored/batch-store.ts'
import type { BatchChunks } from '../stored/chunks.ts'
import type { ProviderBatch, ProviderBatchStore } from './provider-batch-store.ts'
import type { ProviderLane } from './provider-lane.ts'

export interface ProviderRunParts {
  readonly store: ProviderBatchStore
  readonly calls: BatchedCalls
  readonly jobs: ProviderJobs
  readonly chunks: Pick<BatchChunks, 'doneLines'>
  /** Ids of the channels whose provider runs batches. */
  readonly channelIds: () => ReadonlySet<number>
  readonly linesAtOnce: () => number
  /** Address for calls of a provider about a batch; undefined where the site has no public one. */
  readonly callbackUrl: (objectId: string) => string | undefined
  /** Absent where calls have no deadlines. */
  readonly deadlines?: DeadlineCalls | undefined
  /** Bytes. */
  readonly longestLine: number
  readonly clock: Clock
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** A batch in the hands of its runner. */
export interface RunningBatch {
  readonly batch: Batch
  readonly form: BatchForm
  readonly mode: RunMode
  /** Set where it has a deadline. */
  readonly lane?: ProviderLane | undefined
  readonly input: (from: number) => AsyncIterable<Uint8Array>
  /** Writes a change of the batch; the mode is `left` where another runner has it. */
  change(changes: { readonly runner?: Batch['runner'] }): Promise<void>
  /** Gives it back until so many unix seconds, or until the look that a call of its provider asks for. */
  wait(at: number): Promise<void>
  /** Writes results that follow the chunk of number `after`. */
  write(group: Progress, after: number): Promise<void>
  /** All lines have results. */
  finalize(): Promise<void>
}

/** Seconds between looks at a batch, by its age. */
export const paceFor = (ageS: number): number => (ageS < 3_600 ? 30 : ageS < 6 * 3_600 ? 60 : 120)

/** True once another runner has the batch, or its provider is waited for. */
export const isLeft = ({ mode }: RunningBatch): boolean => mode.current === 'left'

/** Steps that a batch takes wherever it stands. */
export const openRunSteps = ({ store, jobs, clock, log }: ProviderRunParts) => {
  const { held, channels, keyHashOf } = jobs
  const now = (): number => unixSeconds(clock)

  const toOwnRunner = async ({ batch, change }: RunningBatch, cause: string): Promise<void> => {
    log('batch_left_to_runner', { batch: batch.object_id, cause })
    await change({ runner: 'own' })
  }

  /** Nothing is held for it any more. It comes before the state that follows: a batch of a closed row is found, money of a forgotten one is not. */
  const close = async (row: ProviderBatch): Promise<void> => {
    await store.close(Number(row.id))
    held.release(Number(row.id))
  }

  return {
    now,
    close,
    /** Its lines are made one by one, because no provider has begun them. */
    toOwnRunner,
    /** Waits for the provider; the batch is looked at again after so many seconds. */
    async later({ wait, mode }: RunningBatch, seconds: number): Promise<void> {
      await wait(now() + seconds)
      mode.set('left')
    },
    /** The provider has begun nothing of a batch that was to be submitted. */
    async refused(running: RunningBatch, row: ProviderBatch, cause: string): Promise<void> {
      if (isLeft(running)) return
      await close(row)
      await toOwnRunner(running, cause)
    },
    /** The account that has the batch: the key that submitted it, else another one of its channel. */
    placeOf(row: ProviderBatch): LinePlace | undefined {
      const channel = channels.snapshot().byId(row.channel_id)
      const key = channel?.keys.find((one) => keyHashOf(one) === row.key_hash) ?? channel?.keys[0]
      return channel === undefined || key === undefined ? undefined : { channel, key }
    },
  }
}

export type RunSteps = ReturnType<typeof openRunSteps>
