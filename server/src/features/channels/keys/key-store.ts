import type { Cause } from '@tollgate/contract'
import type { Selectable, Transaction } from 'kysely'
import type { Database } from '../../../db/database.ts'
import { isUniqueViolation, upsert } from '../../../db/dialect.ts'
import type { ChannelKeysTable, Tables } from '../../../db/schema.ts'
import { printedCause } from '../../../lib/json/stored-error.ts'

export type KeyRow = Omit<Selectable<ChannelKeysTable>, 'id' | 'channel_id'>

/** A key switched off by the gateway itself. `time` in unix seconds. */
export interface KeyDisabling {
  readonly channelId: number
  readonly keyHash: string
  readonly cause: Cause
  readonly time: number
}

export interface KeyCount {
  readonly total: number
  readonly enabled: number
}

export interface KeyStore {
  rows(channelId: number): Promise<KeyRow[]>
  /** How many keys each of these channels has; those with a single key are missing. */
  counts(channelIds: readonly number[]): Promise<ReadonlyMap<number, KeyCount>>
  /** Keeps exactly these keys, the states of those that stay; none for a channel with a single key. */
  sync(trx: Transaction<Tables>, channelId: number, keyHashes: readonly string[]): Promise<void>
  set(trx: Transaction<Tables>, channelId: number, row: KeyRow): Promise<void>
  /** Switches an enabled key off; false when it was not enabled any more. */
  disable(disabling: KeyDisabling): Promise<boolean>
  /** Switches a key on that the gateway had switched off; false when it was not in that state any more. */
  enable(channelId: number, keyHash: string): Promise<boolean>
  /** Switches on what the gateway had switched off, or all keys where nothing would be left to call with. */
  enableAll(trx: Transaction<Tables>, channelIds: readonly number[]): Promise<void>
  remove(trx: Transaction<Tables>, channelIds: readonly number[]): Promise<void>
}

const on = { status: 1, reason: '', status_time: 0 } as const
const rowsPerStatement = 200
/** UTF-16 units of a stored reason. */
const longestReason = 4000

const reasonOf = (cause: Cause): string => printedCause(cause, longestReason)

const listOf = (ids: readonly number[]): number[] => (ids.length === 0 ? [0] : [...ids])

/** The states of the keys of channels with several. */
export const openKeyStore = (database: Database): KeyStore => {
  const keys = (trx: Pick<Transaction<Tables>, 'selectFrom'>, channelId: number) =>
    trx
      .selectFrom('channel_keys')
      .select(['key_hash', 'status', 'reason', 'status_time'])
      .where('channel_id', '=', channelId)
      .execute()

  /** A key that has no row yet is enabled; false when it has one after all. */
  const insertMissing = async ({ channelId, keyHash, cause, time }: KeyDisabling): Promise<boolean> => {
    const row = { channel_id: channelId, key_hash: keyHash, status: 3, reason: reasonOf(cause), status_time: time }
    try {
      await database.query.insertInto('channel_keys').values(row).execute()
      return true
    } catch (error) {
      if (isUniqueViolation(error)) return false
      throw error
    }
  }

  return {
    rows: (channelId) => keys(database.query, channelId),
    counts: async (channelIds) => {
      const rows = await database.query
        .selectFrom('channel_keys')
        .select(['channel_id', 'status'])
        .select((eb) => eb.fn.countAll().as('keys'))
        .where('channel_id', 'in', listOf(channelIds))
        .groupBy(['channel_id', 'status'])
        .execute()
      const byChannel = Map.groupBy(rows, (row) => row.channel_id)
      const sum = (some: typeof rows): number => some.reduce((count, row) => count + Number(row.keys), 0)
      return new Map(
        [...byChannel].map(([id, own]) => [
          id,
          { total: sum(own), enabled: sum(own.filter(({ status }) => status === 1)) },
        ]),
      )
    },
    sync: async (trx, channelId, keyHashes) => {
      const wanted = new Set(keyHashes.length > 1 ? keyHashes : [])
      const there = new Set((await keys(trx, channelId)).map((row) => row.key_hash))
      const gone = [...there].filter((hash) => !wanted.has(hash))
      const fresh = [...wanted].filter((hash) => !there.has(hash))
      for (let at = 0; at < gone.length; at += rowsPerStatement) {
        const some = gone.slice(at, at + rowsPerStatement)
        await trx.deleteFrom('channel_keys').where('channel_id', '=', channelId).where('key_hash', 'in', some).execute()
      }
      for (let at = 0; at < fresh.length; at += rowsPerStatement) {
        const some = fresh.slice(at, at + rowsPerStatement)
        await trx
          .insertInto('channel_keys')
          .values(some.map((key_hash) => ({ channel_id: channelId, key_hash, ...on })))
          .execute()
      }
    },
    set: (trx, channelId, row) =>
      upsert(trx, 'channel_keys', [{ channel_id: channelId, ...row }], {
        key: ['channel_id', 'key_hash'],
        set: ['status', 'reason', 'status_time'],
      }),
    disable: async (disabling) => {
      const { channelId, keyHash, cause, time } = disabling
      const done = await database.query
        .updateTable('channel_keys')
        .set({ status: 3, reason: reasonOf(cause), status_time: time })
        .where('channel_id', '=', channelId)
        .where('key_hash', '=', keyHash)
        .where('status', '=', 1)
        .executeTakeFirst()
      return done.numUpdatedRows > 0n || insertMissing(disabling)
    },
    enable: async (channelId, keyHash) => {
      const done = await database.query
        .updateTable('channel_keys')
        .set(on)
        .where('channel_id', '=', channelId)
        .where('key_hash', '=', keyHash)
        .where('status', '=', 3)
        .executeTakeFirst()
      return done.numUpdatedRows > 0n
    },
    enableAll: async (trx, channelIds) => {
      const ids = listOf(channelIds)
      await trx.updateTable('channel_keys').set(on).where('channel_id', 'in', ids).where('status', '=', 3).execute()
      const usable = await trx
        .selectFrom('channel_keys')
        .select('channel_id')
        .distinct()
        .where('channel_id', 'in', ids)
        .where('status', '=', 1)
        .execute()
      const stuck = ids.filter((id) => !usable.some((row) => row.channel_id === id))
      await trx.updateTable('channel_keys').set(on).where('channel_id', 'in', listOf(stuck)).execute()
    },
    remove: async (trx, channelIds) => {
      await trx.deleteFrom('channel_keys').where('channel_id', 'in', listOf(channelIds)).execute()
    },
  }
}
