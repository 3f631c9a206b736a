import type { Correction } from '@tollgate/contract'
import { type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { insertReturningId, upsert } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import type { CorrectionCallsTable, CorrectionsTable } from './tables.ts'

export type CorrectionRow = Selectable<CorrectionsTable>
export type CorrectionCall = Selectable<CorrectionCallsTable>

export interface CorrectionFilter {
  readonly models: readonly string[]
  readonly channels: readonly number[]
  readonly users: readonly number[]
}

export interface UserSum {
  readonly user_id: number
  readonly username: string
  readonly calls: number
  readonly old_quota: number
  readonly new_quota: number
  readonly applied_calls: number
  readonly applied_old: number
  readonly applied_new: number
}

type NewCorrection = Pick<
  CorrectionRow,
  'created_at' | 'actor_id' | 'actor_name' | 'note' | 'from_time' | 'to_time' | 'filter' | 'changes' | 'price'
>

/** Corrections, their calls and their sums per user. */
export interface CorrectionStore {
  add(row: NewCorrection): Promise<number>
  byId(id: number): Promise<CorrectionRow | undefined>
  page(offset: number, limit: number): Promise<{ rows: CorrectionRow[]; total: number }>
  /** Changes the state where it is one of `from`; false otherwise. */
  move(id: number, from: CorrectionRow['state'], to: CorrectionRow['state'], finished?: number): Promise<boolean>
  /** Ends the computing, with the number of calls that are not in the log; nothing where it was cancelled meanwhile. */
  ready(row: Pick<CorrectionRow, 'id' | 'left_out'>, notLogged: number): Promise<void>
  users(id: number, limit: number): Promise<UserSum[]>
  countUsers(id: number): Promise<number>
  /** The next calls that are not charged anew yet. */
  waiting(id: number, limit: number): Promise<CorrectionCall[]>
  /** Calls after one, in the order in which they were found. */
  callsAfter(id: number, after: number, limit: number): Promise<CorrectionCall[]>
  /** Sums of users after one, by id. */
  usersAfter(id: number, after: number, limit: number): Promise<UserSum[]>
  deleteCalls(id: number): Promise<void>
}

const userColumns = [
  'correction_users.user_id',
  'correction_users.calls',
  'correction_users.old_quota',
  'correction_users.new_quota',
  'correction_users.applied_calls',
  'correction_users.applied_old',
  'correction_users.applied_new',
] as const

export const openCorrectionStore = (database: Database): CorrectionStore => {
  const { query } = database
  const usersOf = (id: number) =>
    query
      .selectFrom('correction_users')
      .leftJoin('users', 'users.id', 'correction_users.user_id')
      .where('correction_id', '=', id)
      .select([...userColumns])
      .select(sql<string>`coalesce(users.username, '')`.as('username'))
  return {
    add: (row) =>
      insertReturningId(query, 'corrections', {
        ...row,
        state: 'preparing',
        scan_at: row.from_time,
        scan_id: 0,
        left_out: '{}',
      }),
    byId: (id) => query.selectFrom('corrections').selectAll().where('id', '=', id).executeTakeFirst(),
    async page(offset, limit) {
      const [rows, counted] = await Promise.all([
        query.selectFrom('corrections').selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),
        query
          .selectFrom('corrections')
          .select(({ fn }) => fn.countAll().as('rows'))
          .executeTakeFirstOrThrow(),
      ])
      return { rows, total: Number(counted.rows) }
    },
    async move(id, from, to, finished = 0) {
      const moved = await query
        .updateTable('corrections')
        .set({ state: to, finished_time: finished, lease_time: 0 })
        .where('id', '=', id)
        .where('state', '=', from)
        .executeTakeFirst()
      return moved.numUpdatedRows > 0n
    },
    async ready({ id, left_out }, notLogged) {
      const leftOut = notLogged === 0 ? left_out : JSON.stringify({ ...JSON.parse(left_out), not_logged: notLogged })
      await query
        .updateTable('corrections')
        .set({ state: 'ready', lease_time: 0, left_out: leftOut })
        .where('id', '=', id)
        .where('state', '=', 'preparing')
        .execute()
    },
    users: (id, limit) =>
      usersOf(id)
        .orderBy(sql`abs(correction_users.new_quota - correction_users.old_quota)`, 'desc')
        .orderBy('correction_users.user_id')
        .limit(limit)
        .execute(),
    async countUsers(id) {
      const counted = query.selectFrom('correction_users').where('correction_id', '=', id)
      const row = await counted.select(({ fn }) => fn.countAll().as('rows')).executeTakeFirstOrThrow()
      return Number(row.rows)
    },
    waiting: (id, limit) =>
      query
        .selectFrom('correction_calls')
        .selectAll()
        .where('correction_id', '=', id)
        .where('state', '=', 'waiting')
        .orderBy('id')
        .limit(limit)
        .execute(),
    callsAfter: (id, after, limit) =>
      query
        .selectFrom('correction_calls')
        .selectAll()
        .where('correction_id', '=', id)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    usersAfter: (id, after, limit) =>
      usersOf(id)
        .where('correction_users.user_id', '>', after)
        .orderBy('correction_users.user_id')
        .limit(limit)
        .execute(),
    async deleteCalls(id) {
      await query.deleteFrom('correction_calls').where('correction_id', '=', id).execute()
    },
  }
}

type Change = Pick<CorrectionCall, 'user_id' | 'old_quota' | 'new_quota'>

/** Adds calls to the sums per user; `kind` says whether they were found or charged anew. */
export const addUserSums = async (
  trx: Transaction<Tables>,
  correctionId: number,
  calls: readonly Change[],
  kind: 'found' | 'applied',
): Promise<void> => {
  const rows = [...Map.groupBy(calls, ({ user_id }) => user_id)]
    .sort(([a], [b]) => a - b)
    .map(([user_id, own]) => {
      const sums = {
        calls: own.length,
        old_quota: own.reduce((sum, call) => sum + call.old_quota, 0),
        new_quota: own.reduce((sum, call) => sum + call.new_quota, 0),
      }
      const none = { calls: 0, old_quota: 0, new_quota: 0 }
      const [found, applied] = kind === 'found' ? [sums, none] : [none, sums]
      return {
        correction_id: correctionId,
        user_id,
        ...found,
        applied_calls: applied.calls,
        applied_old: applied.old_quota,
        applied_new: applied.new_quota,
      }
    })
  await upsert(trx, 'correction_users', rows, {
    key: ['correction_id', 'user_id'],
    add: ['calls', 'old_quota', 'new_quota', 'applied_calls', 'applied_old', 'applied_new'],
  })
}

/** A correction as it is shown. */
export const shownCorrection = (row: CorrectionRow): Correction => {
  const filter = JSON.parse(row.filter) as CorrectionFilter
  return {
    id: row.id,
    created_at: row.created_at,
    actor_id: row.actor_id,
    actor_name: row.actor_name,
    note: row.note,
    state: row.state,
    from: row.from_time,
    to: row.to_time,
    models: [...filter.models],
    channels: [...filter.channels],
    users: [...filter.users],
    changes: JSON.parse(row.changes) as Correction['changes'],
    seen: row.seen,
    left_out: JSON.parse(row.left_out) as Correction['left_out'],
    calls: row.calls,
    old_quota: row.old_quota,
    new_quota: row.new_quota,
    applied: row.applied,
    skipped: row.skipped,
    finished_time: row.finished_time,
  }
}
