import type { Cause } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { insertReturningId } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'
import { disabledInfo } from './disabled-info.ts'
import type { ChannelRow, RelayColumns } from './relay-channel.ts'
import { splitList } from './texts.ts'

export type NewChannel = Omit<ChannelRow, 'id' | 'used_quota'>
export type ChannelChange = Partial<NewChannel>

/** A channel switched off by the gateway itself. `time` in unix seconds. */
export interface Disabling {
  readonly id: number
  readonly cause: Cause
  readonly time: number
}

export interface ChannelStore {
  relayRows(ids?: readonly number[]): Promise<RelayColumns[]>
  get(id: number): Promise<ChannelRow | undefined>
  insert(trx: Transaction<Tables>, row: NewChannel): Promise<number>
  update(trx: Transaction<Tables>, ids: readonly number[], change: ChannelChange): Promise<void>
  /** Stores another key unless it is not what it was any more; false then. */
  replaceKey(
    trx: Transaction<Tables>,
    was: Pick<ChannelRow, 'id' | 'key_hash'>,
    change: Pick<ChannelRow, 'key_cipher' | 'key_hash' | 'key_hint'>,
  ): Promise<boolean>
  /** Switches an enabled channel off; false when it was not enabled any more. */
  disable(disabling: Disabling): Promise<boolean>
  /** Switches a channel on that the gateway had switched off; false when it was not in that state any more. */
  enable(id: number): Promise<boolean>
  recordTest(id: number, test: { test_time: number; response_time: number; test_status: number }): Promise<void>
  recordBalance(id: number, found: { balance: number; balance_updated_time: number }): Promise<void>
  /** Names of the models that a channel serves. Throws AppError('channel_not_found'). */
  modelsOf(id: number): Promise<readonly string[]>
  /** All channels, for work on each of them. */
  all(): Promise<ChannelName[]>
  /** The channels among `ids` that exist. */
  named(ids: readonly number[]): Promise<ChannelName[]>
  /** Channels disabled by hand or automatically. */
  disabled(): Promise<ChannelName[]>
  tagged(tag: string): Promise<ChannelName[]>
  remove(trx: Transaction<Tables>, ids: readonly number[]): Promise<void>
}

export type ChannelName = Pick<ChannelRow, 'id' | 'name' | 'type' | 'status' | 'tag' | 'auto_ban'>

const relayColumns = [
  'id',
  'type',
  'key_cipher',
  'openai_organization',
  'max_input_tokens',
  'status',
  'name',
  'weight',
  'base_url',
  'other',
  'models',
  'group',
  'tag',
  'model_mapping',
  'status_code_mapping',
  'priority',
  'auto_ban',
  'setting',
  'param_override',
] as const satisfies readonly (keyof RelayColumns)[]

const nameColumns = ['id', 'name', 'type', 'status', 'tag', 'auto_ban'] as const

/** Channel id → hashes of its keys that are disabled, in order. */
const offKeys = async (
  { query }: Pick<Database, 'query'>,
  ids: readonly number[] | undefined,
): Promise<ReadonlyMap<number, string[]>> => {
  const rows = await query
    .selectFrom('channel_keys')
    .select(['channel_id', 'key_hash'])
    .where('status', '<>', 1)
    .$if(ids !== undefined, (all) => all.where('channel_id', 'in', listOf(ids ?? [])))
    .orderBy('key_hash')
    .execute()
  const byChannel = Map.groupBy(rows, (row) => row.channel_id)
  return new Map([...byChannel].map(([id, keys]) => [id, keys.map((row) => row.key_hash)]))
}

/** The channel table; lists have a file of their own. */
export const openChannelStore = (database: Database): ChannelStore => ({
  relayRows: async (ids) => {
    const [rows, off] = await Promise.all([
      database.query
        .selectFrom('channels')
        .select(relayColumns)
        .$if(ids !== undefined, (query) => query.where('id', 'in', listOf(ids ?? [])))
        .orderBy('id')
        .execute(),
      offKeys(database, ids),
    ])
    return rows.map((row) => ({ ...row, off_keys: off.get(row.id) ?? [] }))
  },
  get: (id) => database.query.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst(),
  insert: (trx, row) => insertReturningId(trx, 'channels', row),
  update: async (trx, ids, change) => {
    if (Object.keys(change).length === 0) return
    await trx.updateTable('channels').set(change).where('id', 'in', listOf(ids)).execute()
  },
  replaceKey: async (trx, { id, key_hash }, change) => {
    const done = await trx
      .updateTable('channels')
      .set(change)
      .where('id', '=', id)
      .where('key_hash', '=', key_hash)
      .executeTakeFirst()
    return done.numUpdatedRows > 0n
  },
  disable: async ({ id, cause, time }) => {
    const other_info = disabledInfo(cause, time)
    const done = await database.query
      .updateTable('channels')
      .set({ status: 3, other_info })
      .where('id', '=', id)
      .where('status', '=', 1)
      .executeTakeFirst()
    return done.numUpdatedRows > 0n
  },
  enable: async (id) => {
    const done = await database.query
      .updateTable('channels')
      .set({ status: 1, other_info: '' })
      .where('id', '=', id)
      .where('status', '=', 3)
      .executeTakeFirst()
    return done.numUpdatedRows > 0n
  },
  recordTest: async (id, test) => {
    await database.query.updateTable('channels').set(test).where('id', '=', id).execute()
  },
  recordBalance: async (id, found) => {
    await database.query.updateTable('channels').set(found).where('id', '=', id).execute()
  },
  modelsOf: async (id) => {
    const row = await database.query.selectFrom('channels').select('models').where('id', '=', id).executeTakeFirst()
    if (!row) throw new AppError('channel_not_found')
    return splitList(row.models)
  },
  all: () => database.query.selectFrom('channels').select(nameColumns).orderBy('id').execute(),
  named: (ids) =>
    database.query.selectFrom('channels').select(nameColumns).where('id', 'in', listOf(ids)).orderBy('id').execute(),
  disabled: () =>
    database.query.selectFrom('channels').select(nameColumns).where('status', 'in', [2, 3]).orderBy('id').execute(),
  tagged: (tag) =>
    database.query.selectFrom('channels').select(nameColumns).where('tag', '=', tag).orderBy('id').execute(),
  remove: async (trx, ids) => {
    await trx.deleteFrom('channels').where('id', 'in', listOf(ids)).execute()
  },
})

/** An empty `in ()` is no SQL; no row has the id 0. */
const listOf = (ids: readonly number[]): number[] => (ids.length === 0 ? [0] : [...ids])
