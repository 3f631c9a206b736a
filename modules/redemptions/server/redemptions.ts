import { randomBytes } from 'node:crypto'
import {
  type BodyOf,
  type batchRedemptions,
  type countRedemptions,
  type createRedemptions,
  type Page,
  type QueryOf,
  type Redemption,
  redemptionStatus,
  type searchRedemptions,
  undoSeconds,
  type updateRedemption,
  type ValueCounts,
} from '@tollgate/contract'
import type { Trace } from '#server/db/trace.ts'
import type { Actor } from '#server/http/actor.ts'
import { AppError } from '#server/lib/app-error.ts'
import { type Batch, batchOf, batchSlice } from '#server/lib/batch.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import { randomAlphanumerics } from '#server/lib/ids.ts'
import type { RedemptionParts } from './ports.ts'
import { checkedCount, checkedExpiry, checkedName, checkedQuota } from './rules.ts'
import {
  openRedemptionStore,
  type RedemptionChange,
  type RedemptionFilter,
  type RedemptionRow,
  type ShownRow,
} from './store.ts'

const shownAtEachEnd = 4

/** `abcd****wxyz`: enough to tell codes apart, too little to use one. */
const masked = (key: string): string => `${key.slice(0, shownAtEachEnd)}****${key.slice(-shownAtEachEnd)}`

/** A stored code as the API shows it. */
const toRedemption = (row: ShownRow, key: string): Redemption => {
  const { key_hash: _hash, key_cipher: _cipher, deleted_at, creator, used_username, batch_id, ...shown } = row
  return {
    ...shown,
    creator: creator ?? '',
    used_username: used_username ?? '',
    key: masked(key),
    batch_id: batch_id ?? '',
    count: 0,
    DeletedAt: deleted_at === null ? null : new Date(deleted_at * 1000).toISOString(),
  }
}

export interface Redemptions {
  page(query: QueryOf<typeof searchRedemptions>): Promise<Page<Redemption>>
  facet(query: QueryOf<typeof countRedemptions>): Promise<ValueCounts>
  /** The codes that one call of a batch is about. */
  matching(which: BodyOf<typeof batchRedemptions>['which']): Promise<Batch<RedemptionRow>>
  /** Those that were deleted a short time ago; by their ids only. */
  removed(which: BodyOf<typeof batchRedemptions>['which']): Promise<Batch<RedemptionRow>>
  get(id: number): Promise<Redemption>
  /** The whole keys; leaves a trace. */
  reveal(actor: Actor, ids: readonly number[]): Promise<{ id: number; name: string; key: string }[]>
  /** All codes or none; answers their keys, which nothing but `reveal` shows again. */
  create(actor: Actor, body: BodyOf<typeof createRedemptions>): Promise<string[]>
  update(actor: Actor, body: BodyOf<typeof updateRedemption>): Promise<Redemption>
  setStatus(actor: Actor, id: number, status: number | undefined): Promise<Redemption>
  remove(actor: Actor, id: number): Promise<void>
  /** Takes a delete of `undoSeconds` at most back. Throws AppError('not_found'). */
  restore(actor: Actor, id: number): Promise<void>
}

const keyBytes = 16
const batchIdLength = 10
const { unused, disabled } = redemptionStatus
const newestFirst = { column: 'id', descending: true } as const

/** Actions of administrators on redemption codes. */
export const createRedemptionService = (
  parts: Pick<RedemptionParts, 'database' | 'secrets' | 'audit' | 'shortAmount' | 'clock'>,
): Redemptions => {
  const { database, secrets, audit } = parts
  const store = openRedemptionStore(database)
  const now = (): number => unixSeconds(parts.clock)

  const keyOf = (row: ShownRow): string => secrets.decrypt('redemption', row.key_cipher)
  const shown = (row: ShownRow): Redemption => toRedemption(row, keyOf(row))

  const rowOf = async (id: number): Promise<ShownRow> => {
    const [row] = await store.byIds([id])
    if (row === undefined) throw new AppError('not_found')
    return row
  }

  const trace = (actor: Actor, action: string, objectId: number | string): Omit<Trace, 'before' | 'after'> => ({
    actor: { id: actor.id, username: actor.username },
    action: `redemption.${action}`,
    object: 'redemption',
    objectId,
    ip: actor.ip,
  })

  const facts = ({ name, quota, status, expired_time }: RedemptionChange) => ({ name, quota, status, expired_time })

  /** Changes a code while its status is one of `from`; another one throws `otherwise`. */
  const change = async (
    actor: Actor,
    id: number,
    wanted: RedemptionChange,
    { from, otherwise }: { from: readonly number[]; otherwise: 'redemption_locked' | 'redemption_spent' },
  ): Promise<Redemption> => {
    const before = await rowOf(id)
    await database.transaction(async (trx) => {
      const after = await store.change(trx, id, wanted, from)
      if (after === undefined) throw new AppError(otherwise)
      await audit.record({ ...trace(actor, 'update', id), before: facts(before), after: facts(after) }, trx)
    })
    return shown(await rowOf(id))
  }

  const filterOf = (query: Omit<QueryOf<typeof countRedemptions>, 'facet'>): RedemptionFilter => ({
    keyword: query.keyword.trim(),
    status: query.status,
    batchId: query.batch_id.trim(),
    not: query.not,
    now: now(),
  })

  return {
    async page(query) {
      const { p, page_size, sort } = query
      const filter = filterOf(query)
      const slice = { offset: (p - 1) * page_size, limit: page_size }
      const [rows, total] = await Promise.all([store.find(filter, sort ?? newestFirst, slice), store.count(filter)])
      return { items: rows.map(shown), total, page: p, page_size }
    },
    facet: (query) => store.countStatus(filterOf(query)),
    async matching(which) {
      const filter =
        'ids' in which
          ? { keyword: '', status: [], batchId: '', not: [], now: now(), ids: which.ids }
          : { ...filterOf(which.filter), before: which.before }
      return batchOf(which, await store.find(filter, newestFirst, batchSlice))
    },
    async removed(which) {
      if (!('ids' in which)) throw new AppError('invalid_parameter')
      return batchOf(which, await store.removed(which.ids, now() - undoSeconds))
    },
    get: async (id) => shown(await rowOf(id)),
    async reveal(actor, ids) {
      const rows = await store.byIds(ids)
      const revealed = rows.map(({ id }) => id)
      const [first = ''] = revealed
      await audit.record({
        ...trace(actor, 'reveal', revealed.length === 1 ? first : ''),
        after: { ids: revealed },
      })
      return rows.map((row) => ({ id: row.id, name: row.name, key: keyOf(row) }))
    },
    async create(actor, body) {
      const quota = checkedQuota(body.quota)
      const name = checkedName(body.name.trim() === '' ? parts.shortAmount(quota) : body.name)
      const count = checkedCount(body.count)
      const time = now()
      const expired_time = checkedExpiry(body.expired_time, time)
      const batch_id = randomAlphanumerics(batchIdLength)
      const keys = Array.from({ length: count }, () => randomBytes(keyBytes).toString('hex'))
      await database.transaction(async (trx) => {
        const common = { user_id: actor.id, status: unused, name, quota, created_time: time, expired_time, batch_id }
        for (const key of keys) {
          const key_hash = secrets.digest('redemption', key)
          await store.insert(trx, { ...common, key_hash, key_cipher: secrets.encrypt('redemption', key) })
        }
        await audit.record({ ...trace(actor, 'create', batch_id), after: { name, quota, count, expired_time } }, trx)
      })
      return keys
    },
    update(actor, { id, name, quota, expired_time }) {
      const wanted: RedemptionChange = {
        ...(name === undefined ? {} : { name: checkedName(name) }),
        ...(quota === undefined ? {} : { quota: checkedQuota(quota) }),
        ...(expired_time === undefined ? {} : { expired_time: checkedExpiry(expired_time, now()) }),
      }
      return change(actor, id, wanted, { from: [unused], otherwise: 'redemption_locked' })
    },
    async setStatus(actor, id, status) {
      if (status !== unused && status !== disabled) throw new AppError('invalid_parameter')
      return change(actor, id, { status }, { from: [unused, disabled], otherwise: 'redemption_spent' })
    },
    async remove(actor, id) {
      const row = await rowOf(id)
      await database.transaction(async (trx) => {
        if (!(await store.remove(trx, id, now()))) throw new AppError('not_found')
        await audit.record({ ...trace(actor, 'delete', id), before: facts(row) }, trx)
      })
    },
    async restore(actor, id) {
      await database.transaction(async (trx) => {
        if (!(await store.restore(trx, id, now() - undoSeconds))) throw new AppError('not_found')
        await audit.record(trace(actor, 'restore', id), trx)
      })
    },
  }
}
