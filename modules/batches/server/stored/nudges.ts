import type { Database } from '#server/db/database.ts'
import { askedLook, unlessNudged } from '#server/jobs/nudges.ts'
import type { RowClaim } from '#server/jobs/row-claims.ts'
import { isStorable } from '#server/lib/bounded-text.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { Batch } from '../forms/batch-form.ts'
import { openStates } from './batch-store.ts'

export interface BatchNudges {
  /**
   * Asks for a look at the provider of a batch: `due` where it is to be now. A batch that a runner has stays with it, and is looked at
   * again when that waits.
   */
  nudge(objectId: string): Promise<'due' | 'later' | 'unknown'>
  /** The batch that the account of a channel has by this id; undefined for none that is open. */
  atProvider(channelId: number, upstreamId: string): Promise<string | undefined>
  /**
   * Gives a batch back until `at`, unix seconds, or until the look that a call has asked for since the batch was read; false where another
   * runner has it.
   */
  wait(batch: Pick<Batch, 'id' | 'nudged_time'>, claim: Pick<RowClaim, 'until'>, at: number): Promise<boolean>
}

/** Looks at providers that their calls have asked for. */
export const openBatchNudges = ({ query }: Pick<Database, 'query'>, clock: Clock): BatchNudges => {
  const now = (): number => unixSeconds(clock)
  return {
    async nudge(objectId) {
      const row = await query
        .selectFrom('batches')
        .select(['id', 'state', 'runner', 'next_time', 'wait_time', 'nudged_time'])
        .where('object_id', '=', objectId)
        .executeTakeFirst()
      if (row === undefined) return 'unknown'
      const isOpen = openStates.some((state) => state === row.state)
      const at = askedLook(row.nudged_time, now())
      if (!isOpen || row.runner === 'own' || at === undefined) return 'later'
      // Only a batch that waits is moved: the time of another one is the lease of its runner.
      const isWaiting = row.next_time === row.wait_time && row.next_time > at
      const { numUpdatedRows } = await query
        .updateTable('batches')
        .set({ nudged_time: at, ...(isWaiting && { next_time: at, wait_time: at }) })
        .where('id', '=', row.id)
        .where('nudged_time', '=', row.nudged_time)
        .where('next_time', '=', row.next_time)
        .executeTakeFirst()
      return numUpdatedRows > 0n && at <= now() ? 'due' : 'later'
    },
    async atProvider(channelId, upstreamId) {
      if (!isStorable(upstreamId, 200)) return undefined
      const found = await query
        .selectFrom('provider_batches')
        .innerJoin('batches', 'batches.id', 'provider_batches.batch_id')
        .select('batches.object_id')
        .where('provider_batches.is_open', '=', 1)
        .where('provider_batches.channel_id', '=', channelId)
        .where('provider_batches.upstream_id', '=', upstreamId)
        .executeTakeFirst()
      return found?.object_id
    },
    async wait({ id, nudged_time: nudged }, { until }, at) {
      const next = unlessNudged(nudged, at)
      const { numUpdatedRows } = await query
        .updateTable('batches')
        .set({ next_time: next, wait_time: next })
        .where('id', '=', id)
        .where('next_time', '=', until)
        .where('state', 'in', [...openStates])
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
