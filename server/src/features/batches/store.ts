import { createHash } from 'node:crypto'
import { parseJson } from '@tollgate/contract/json'
import { type Selectable, sql } from 'kysely'
import { keyTextLength } from '../../db/column-lengths.ts'
import type { Database } from '../../db/database.ts'
import { insertReturningId, isUniqueViolation, upsert } from '../../db/dialect.ts'
import type { DirectBatchesTable } from '../../db/schema/stored.ts'
import type { JobStore } from '../../jobs/job-store.ts'
import { nudgePace } from '../../jobs/nudges.ts'
import { openRowClaims, type RowClaim } from '../../jobs/row-claims.ts'
import { heldForS, openRowHolds, type RowHolds } from '../../jobs/row-holds.ts'
import { isStorable } from '../../lib/bounded-text.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { BatchAddress } from '../../relay/batches/kinds/batch-kind.ts'
import { batchKindOf } from '../../relay/batches/kinds/index.ts'
import type { Batches, BatchInput, BatchPlace, NewBatch, NotedBatch } from '../../relay/batches/ports.ts'
import type { JobOwner } from '../../relay/provider-jobs/ports.ts'

export interface BatchStoreParts {
  readonly database: Database
  readonly clock: Clock
  /** Names this process among all that share the database. */
  readonly holder: string
}

export interface BatchStore extends Batches, RowHolds<NotedBatch> {
  /** Open batches whose end is to be looked for now. Settling writes when they are due again, or closes them. */
  readonly jobs: JobStore<BatchRow, RowClaim>
  /** Makes a channel's batch due that its provider has called about; true where it was made so. */
  nudge(channelId: number, objectId: string): Promise<boolean>
  /** Deletes what is of no use any more. */
  purge(): Promise<void>
}

export type BatchRow = Selectable<DirectBatchesTable>

const open = 'open'
const charged = 'charged'
const day = 86_400
/** Days that charged batches and inputs are kept. */
const chargedDays = 90
const inputDays = 60
/** Seconds until the end of a batch that nobody reads is looked for. */
const unreadS = 900
/** Seconds that a batch is with the process that reads it, unless that prolongs them. */
const leaseSeconds = 120
const hashed = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 40)

/** The same for every channel with the same key, which has the same account. */
const movementOf = ({ kind, objectId, channelId, keyHash }: NewBatch): string =>
  `batch-${hashed(kind, keyHash === '' ? channelId : keyHash, objectId)}`

const jsonIn = <T>(text: string, otherwise: T): T => (parseJson(text) ?? otherwise) as T

const noOwner = { username: '', tokenName: '', tokenUnlimited: true, group: '', ip: '', path: '' }

export const batchOf = (row: BatchRow): NotedBatch => ({
  id: row.id,
  movement: row.movement,
  kind: row.kind,
  objectId: row.object_id,
  channelId: row.channel_id,
  keyHash: row.key_hash,
  maker: { userId: row.user_id, tokenId: row.token_id, projectId: row.project_id, memberId: row.member_id },
  owner: jsonIn<JobOwner>(row.owner, noOwner),
  address: jsonIn<BatchAddress>(row.address, { prefix: '', query: '' }),
  inputs: jsonIn<readonly BatchInput[]>(row.inputs, []),
  files: jsonIn<readonly string[]>(row.files, []),
  held: row.held,
  createdAt: row.created_time * 1000,
  isOpen: row.state === open,
  attempts: row.attempts,
})

const isAt = (row: Pick<BatchRow, 'channel_id' | 'key_hash'>, places: readonly BatchPlace[]): boolean =>
  places.some(({ channelId, keyHash }) => row.channel_id === channelId || row.key_hash === keyHash)

const storable = (ids: readonly string[]): string[] => ids.filter((id) => id !== '' && isStorable(id, keyTextLength))

/** Most ids in one statement. */
const perStatement = 200

/** Batches in the database, for all nodes. */
export const openBatchStore = ({ database, clock, holder }: BatchStoreParts): BatchStore => {
  const { query } = database
  const now = (): number => unixSeconds(clock)
  const rows = () => query.selectFrom('direct_batches').selectAll()

  const byMovement = async (movement: string): Promise<NotedBatch | undefined> => {
    const row = await rows().where('movement', '=', movement).executeTakeFirst()
    return row && batchOf(row)
  }

  const change = async (id: number, set: Readonly<Partial<BatchRow>>): Promise<boolean> => {
    const changed = await query
      .updateTable('direct_batches')
      .set(set)
      .where('id', '=', id)
      .where('state', '=', open)
      .executeTakeFirst()
    return changed.numUpdatedRows > 0n
  }

  return {
    async add(batch) {
      if (storable([batch.objectId]).length === 0) return undefined
      const movement = movementOf(batch)
      const { maker } = batch
      const row = {
        movement,
        kind: batch.kind,
        collection: batchKindOf(batch.kind)?.collection ?? '',
        object_id: batch.objectId,
        channel_id: batch.channelId,
        key_hash: batch.keyHash,
        user_id: maker.userId,
        token_id: maker.tokenId,
        project_id: maker.projectId,
        member_id: maker.memberId,
        owner: JSON.stringify(batch.owner),
        address: JSON.stringify(batch.address),
        inputs: JSON.stringify(batch.inputs),
        files: '[]',
        result_file: '',
        held: batch.held,
        holder,
        holder_until: now() + heldForS,
        state: open,
        created_time: Math.floor(batch.createdAt / 1000),
        next_time: now() + unreadS,
        nudged_time: 0,
        attempts: 0,
      }
      try {
        const id = await insertReturningId(query, 'direct_batches', row)
        return { ...batchOf({ ...row, id }), isNew: true }
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        // A provider may answer the same request twice with the same batch (`Idempotency-Key`).
        const known = await byMovement(movement)
        return known && { ...known, isNew: false }
      }
    },
    async find(collection, objectIds, places) {
      const ids = storable(objectIds).slice(0, perStatement)
      if (ids.length === 0) return []
      const found = await rows().where('object_id', 'in', ids).where('collection', '=', collection).execute()
      return found.filter((row) => isAt(row, places)).map(batchOf)
    },
    async ofFile(file, places) {
      const [id] = storable([file])
      if (id === undefined) return undefined
      const found = await rows().where('result_file', '=', id).where('state', '=', open).execute()
      const row = found.find((one) => isAt(one, places))
      return row && batchOf(row)
    },
    async grow(id, inputs, held) {
      const row = await rows().where('id', '=', id).executeTakeFirst()
      if (row === undefined || row.state !== open) return false
      const all = [...jsonIn<readonly BatchInput[]>(row.inputs, []), ...inputs]
      const grown = await query
        .updateTable('direct_batches')
        .set(({ eb }) => ({ inputs: JSON.stringify(all), held: eb('held', '+', held), next_time: now() + unreadS }))
        .where('id', '=', id)
        .where('state', '=', open)
        .executeTakeFirst()
      return grown.numUpdatedRows > 0n
    },
    async noteFiles(id, files) {
      const [first = ''] = storable(files)
      await change(id, { files: JSON.stringify(files), result_file: first })
    },
    async isOpen(id) {
      const row = await query.selectFrom('direct_batches').select('state').where('id', '=', id).executeTakeFirst()
      return row?.state === open
    },
    async close(id) {
      await change(id, { state: charged, held: 0, next_time: now() })
    },
    async nudge(channelId, objectId) {
      if (storable([objectId]).length === 0) return false
      const changed = await query
        .updateTable('direct_batches')
        .set({ next_time: now(), nudged_time: now() })
        .where('object_id', '=', objectId)
        .where('channel_id', '=', channelId)
        .where('state', '=', open)
        // An earlier time may be the lease of a process that reads it.
        .where('next_time', '>', now() + leaseSeconds)
        .where('nudged_time', '<=', now() - nudgePace)
        .executeTakeFirst()
      return changed.numUpdatedRows > 0n
    },
    async later(id, { nextAt, attempts }) {
      await change(id, { next_time: Math.floor(nextAt / 1000), attempts })
    },
    async noteInput(file, { channelId, keyHash }, inputs) {
      const [id] = storable([file])
      if (id === undefined) return
      const row = {
        id_hash: hashed(channelId, keyHash, id),
        file_id: id,
        channel_id: channelId,
        key_hash: keyHash,
        inputs: JSON.stringify(inputs),
        expires_time: now() + inputDays * day,
      }
      await upsert(query, 'batch_inputs', [row], { key: ['id_hash'], set: ['inputs', 'expires_time'] })
    },
    async inputsOf(files, places) {
      const ids = storable(files).slice(0, perStatement)
      const found = await query.selectFrom('batch_inputs').selectAll().where('file_id', 'in', ids).execute()
      const own = found.filter((row) => isAt(row, places))
      const isWhole = files.every((file) => own.some((row) => row.file_id === file))
      return isWhole ? own.flatMap((row) => jsonIn<readonly BatchInput[]>(row.inputs, [])) : undefined
    },

    jobs: openRowClaims({
      database,
      table: 'direct_batches',
      time: 'next_time',
      leaseSeconds,
      where: sql`state = ${open}`,
      clock,
    }),
    ...openRowHolds({ database, table: 'direct_batches', holder, isOpen: sql`state = ${open}`, jobOf: batchOf, clock }),
    async purge() {
      const old = now() - chargedDays * day
      await query.deleteFrom('direct_batches').where('state', '=', charged).where('next_time', '<', old).execute()
      await query.deleteFrom('batch_inputs').where('expires_time', '<=', now()).execute()
    },
  }
}
