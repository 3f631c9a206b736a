import { type Selectable, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { insertReturningId } from '#server/db/dialect.ts'
import { heldForS, openRowHolds, type RowHolds } from '#server/jobs/row-holds.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { JobOwner, ProviderJob } from '#server/relay/provider-jobs/ports.ts'
import type { ProviderBatchesTable } from '../tables.ts'

export type ProviderBatch = Selectable<ProviderBatchesTable>

/** A batch that is about to be submitted. */
export type NewSubmission = Pick<
  ProviderBatch,
  | 'batch_id'
  | 'user_id'
  | 'token_id'
  | 'project_id'
  | 'member_id'
  | 'owner'
  | 'provider'
  | 'channel_id'
  | 'key_hash'
  | 'prices'
  | 'held'
  | 'first_line'
  | 'last_line'
>

/** Batches at providers, in the database, for all nodes. */
export interface ProviderBatchStore {
  readonly holds: RowHolds<ProviderJob>
  /** Writes one before its provider is asked; it takes the place of an earlier part of its batch, which is closed. */
  add(batch: NewSubmission): Promise<ProviderBatch>
  of(batchId: number): Promise<ProviderBatch | undefined>
  change(
    id: number,
    changes: Partial<Pick<ProviderBatch, 'stage' | 'upstream_id' | 'misses' | 'cancel_time'>>,
  ): Promise<void>
  /** Those of these ids that batches have at their providers. */
  ofOurs(upstreamIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Nothing is held for it any more. */
  close(id: number): Promise<void>
  /** Deletes those whose batches are deleted. */
  purge(): Promise<void>
}

const isOpen = sql`is_open = 1`

export const jobOf = (row: ProviderBatch): ProviderJob => ({
  id: Number(row.id),
  maker: { userId: row.user_id, tokenId: row.token_id, projectId: row.project_id, memberId: row.member_id },
  owner: JSON.parse(row.owner) as JobOwner,
  held: Number(row.held),
})

export const openProviderBatchStore = ({
  database,
  holder,
  clock,
}: {
  readonly database: Database
  /** Names this process among all that share the database. */
  readonly holder: string
  readonly clock: Clock
}): ProviderBatchStore => {
  const { query } = database
  const now = (): number => unixSeconds(clock)
  return {
    holds: openRowHolds({ database, table: 'provider_batches', holder, isOpen, jobOf, clock }),
    async add(batch) {
      const row = {
        ...batch,
        stage: 'submitting' as const,
        upstream_id: '',
        is_open: 1,
        holder,
        holder_until: now() + heldForS,
        misses: 0,
        cancel_time: 0,
        created_time: now(),
      }
      const earlier = await query
        .selectFrom('provider_batches')
        .select('id')
        .where('batch_id', '=', batch.batch_id)
        .where('is_open', '=', 0)
        .executeTakeFirst()
      if (earlier === undefined) return { ...row, id: await insertReturningId(query, 'provider_batches', row) }
      await query.updateTable('provider_batches').set(row).where('id', '=', earlier.id).execute()
      return { ...row, id: earlier.id }
    },
    of: (batchId) =>
      query.selectFrom('provider_batches').selectAll().where('batch_id', '=', batchId).executeTakeFirst(),
    async change(id, changes) {
      await query.updateTable('provider_batches').set(changes).where('id', '=', id).execute()
    },
    async ofOurs(upstreamIds) {
      if (upstreamIds.length === 0) return new Set()
      const rows = await query
        .selectFrom('provider_batches')
        .select('upstream_id')
        .where('upstream_id', 'in', [...upstreamIds])
        .execute()
      return new Set(rows.map(({ upstream_id: id }) => id))
    },
    async close(id) {
      await query.updateTable('provider_batches').set({ is_open: 0, held: 0 }).where('id', '=', id).execute()
    },
    async purge() {
      await query
        .deleteFrom('provider_batches')
        .where('batch_id', 'not in', (on) => on.selectFrom('batches').select('id'))
        .execute()
    },
  }
}
