import type { Selectable, Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { insertReturningId } from '../../db/dialect.ts'
import type { ChannelsTable, Tables } from '../../db/schema.ts'
import type { RelayColumns } from './relay-channel.ts'

export type ChannelRow = Selectable<ChannelsTable>
export type NewChannel = Omit<ChannelRow, 'id' | 'used_quota'>
export type ChannelChange = Partial<NewChannel>

/** A channel switched off by the gateway itself. `time` in unix seconds. */
export interface Disabling {
  readonly id: number
  readonly reason: string
  readonly time: number
}

export interface ChannelStore {
  relayRows(ids?: readonly number[]): Promise<RelayColumns[]>
  get(id: number): Promise<ChannelRow | undefined>
  insert(trx: Transaction<Tables>, row: NewChannel): Promise<number>
  update(trx: Transaction<Tables>, ids: readonly number[], change: ChannelChange): Promise<void>
  /** Switches an enabled channel off; false when it was not enabled any more. */
  disable(disabling: Disabling): Promise<boolean>
  recordTest(id: number, test: { test_time: number; response_time: number }): Promise<void>
  /** The channels among `ids` that exist. */
  named(ids: readonly number[]): Promise<ChannelName[]>
  /** Those that people or the gateway have disabled. */
  disabled(): Promise<ChannelName[]>
  tagged(tag: string): Promise<ChannelName[]>
  remove(trx: Transaction<Tables>, ids: readonly number[]): Promise<void>
}

export type ChannelName = Pick<ChannelRow, 'id' | 'name' | 'type' | 'status' | 'tag'>

const relayColumns = [
  'id',
  'type',
  'key_cipher',
  'openai_organization',
  'status',
  'name',
  'weight',
  'base_url',
  'other',
  'models',
  'group',
  'model_mapping',
  'status_code_mapping',
  'priority',
  'auto_ban',
  'setting',
  'param_override',
] as const satisfies readonly (keyof RelayColumns)[]

const nameColumns = ['id', 'name', 'type', 'status', 'tag'] as const

/** The channel table; lists have a file of their own. */
export const openChannelStore = (database: Database): ChannelStore => ({
  relayRows: (ids) =>
    database.query
      .selectFrom('channels')
      .select(relayColumns)
      .$if(ids !== undefined, (query) => query.where('id', 'in', listOf(ids ?? [])))
      .orderBy('id')
      .execute(),
  get: (id) => database.query.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst(),
  insert: (trx, row) => insertReturningId(trx, 'channels', row),
  update: async (trx, ids, change) => {
    if (Object.keys(change).length === 0) return
    await trx.updateTable('channels').set(change).where('id', 'in', listOf(ids)).execute()
  },
  disable: async ({ id, reason, time }) => {
    const other_info = JSON.stringify({ status_reason: reason, status_time: time })
    const done = await database.query
      .updateTable('channels')
      .set({ status: 3, other_info })
      .where('id', '=', id)
      .where('status', '=', 1)
      .executeTakeFirst()
    return done.numUpdatedRows > 0n
  },
  recordTest: async (id, test) => {
    await database.query.updateTable('channels').set(test).where('id', '=', id).execute()
  },
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
