import { type BodyOf, type Channel, channelStatus, type createChannel, type updateTag } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import type { Actor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { type ChangeParts, type ChannelFields, changedModels, channelChange, checkedTag, newChannel } from './change.ts'
import type { KeyCount, KeyStore } from './keys/key-store.ts'
import type { ChannelRow } from './relay-channel.ts'
import { checkedGroups, checkedModelMapping, checkedModels } from './rules.ts'
import type { ChannelChange, ChannelName, ChannelStore, NewChannel } from './store.ts'
import { keysOf } from './texts.ts'

const single: KeyCount = { total: 1, enabled: 1 }

/** A stored channel as the API shows it: never with its key. `keys` is absent where there is one. */
export const toChannel = (row: ChannelRow, keys: KeyCount = single): Channel => {
  const { key_cipher: _cipher, key_hash: _hash, ...shown } = row
  return { ...shown, key: '', key_count: keys.total, key_enabled: keys.enabled }
}

export interface ChannelServiceParts extends ChangeParts {
  readonly database: Database
  readonly store: ChannelStore
  readonly keys: KeyStore
  /** Puts a change into the snapshot here and on the other nodes. */
  readonly directory: {
    changed(ids: readonly number[]): Promise<void>
    refresh(): Promise<void>
    count(): number
  }
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly clock: Clock
}

export interface ChannelService {
  get(id: number): Promise<Channel>
  /** One channel per key, or one with all of them. Answers their ids. */
  create(body: BodyOf<typeof createChannel>, actor: Actor): Promise<number[]>
  update(id: number, fields: ChannelFields, actor: Actor): Promise<Channel>
  /** Adds models to those that the channel has now, and removes others. */
  changeModels(id: number, change: { add: readonly string[]; remove: readonly string[] }, actor: Actor): Promise<void>
  copy(id: number, actor: Actor): Promise<Channel>
  remove(ids: readonly number[], actor: Actor): Promise<number>
  removeDisabled(actor: Actor): Promise<number>
  tag(ids: readonly number[], tag: string | null, actor: Actor): Promise<number>
  setTagStatus(tag: string, status: number, actor: Actor): Promise<void>
  updateTag(body: BodyOf<typeof updateTag>, actor: Actor): Promise<void>
  /** Reads every channel again; answers how many the relay knows. */
  fix(actor: Actor): Promise<number>
  /** Traces what an administrator did with a channel without changing its row; 0 is a channel not saved yet, or all. */
  note(action: string, id: number, after: Readonly<Record<string, unknown>>, actor: Actor): Promise<void>
}

/** Administration of channels. Each change writes its audit entry and is in the snapshot when the promise resolves. */
export const createChannelService = (parts: ChannelServiceParts): ChannelService => {
  const { database, store, keys, directory, audit, secrets } = parts

  const stored = async (id: number): Promise<ChannelRow> => {
    const row = await store.get(id)
    if (!row) throw new AppError('channel_not_found')
    return row
  }

  const shown = async (id: number): Promise<Channel> => {
    const [row, counts] = await Promise.all([stored(id), keys.counts([id])])
    return toChannel(row, counts.get(id))
  }

  const trace = (actor: Actor, action: string, objectId: number): Omit<Trace, 'before' | 'after'> => ({
    actor: { id: actor.id, username: actor.username },
    action: `channel.${action}`,
    object: 'channel',
    objectId,
    ip: actor.ip,
  })

  /** Changes the states of a channel's keys along with its columns. */
  const followUp = async (
    trx: Transaction<Tables>,
    rows: readonly Pick<ChannelRow, 'id' | 'type'>[],
    change: ChannelChange,
  ): Promise<void> => {
    if (change.status === channelStatus.enabled) {
      await keys.enableAll(
        trx,
        rows.map(({ id }) => id),
      )
    }
    if (change.key_cipher === undefined) return
    for (const { id, type } of rows) await syncKeys(trx, id, change.type ?? type, change.key_cipher)
  }

  const syncKeys = (trx: Transaction<Tables>, id: number, type: number, cipher: string): Promise<void> => {
    const texts = keysOf(type, secrets.decrypt('channel_key', cipher))
    return keys.sync(
      trx,
      id,
      texts.map((key) => secrets.digest('channel_key', key)),
    )
  }

  const changeRow = async (row: ChannelRow, change: ChannelChange, actor: Actor): Promise<void> => {
    await database.transaction(async (trx) => {
      await store.update(trx, [row.id], change)
      await followUp(trx, [row], change)
      await audit.record({ ...trace(actor, 'update', row.id), before: { ...row }, after: { ...row, ...change } }, trx)
    })
    await directory.changed([row.id])
  }

  /** The same change for several channels, with a trace for each. */
  const changeAll = async (rows: readonly ChannelName[], change: ChannelChange, actor: Actor): Promise<void> => {
    const ids = rows.map((row) => row.id)
    await database.transaction(async (trx) => {
      await store.update(trx, ids, change)
      await followUp(trx, rows, change)
      for (const row of rows) {
        const before = Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(change, name)))
        await audit.record({ ...trace(actor, 'update', row.id), before, after: { ...change } }, trx)
      }
    })
    await directory.changed(ids)
  }

  const removeAll = async (rows: readonly ChannelName[], actor: Actor): Promise<number> => {
    const ids = rows.map((row) => row.id)
    await database.transaction(async (trx) => {
      await store.remove(trx, ids)
      await keys.remove(trx, ids)
      for (const row of rows) await audit.record({ ...trace(actor, 'delete', row.id), before: { ...row } }, trx)
    })
    await directory.changed(ids)
    return ids.length
  }

  const insertAll = async (rows: readonly NewChannel[], action: string, actor: Actor): Promise<number[]> => {
    const ids = await database.transaction(async (trx) => {
      const made: number[] = []
      for (const row of rows) {
        const id = await store.insert(trx, row)
        await syncKeys(trx, id, row.type, row.key_cipher)
        await audit.record({ ...trace(actor, action, id), after: { ...row } }, trx)
        made.push(id)
      }
      return made
    })
    await directory.changed(ids)
    return ids
  }

  const tagged = async (tag: string): Promise<ChannelName[]> => {
    if (tag.trim() === '') throw new AppError('tag_required')
    return store.tagged(tag.trim())
  }

  return {
    get: shown,
    create: async ({ keys_together, ...body }, actor) => {
      const texts = keysOf(body.type, body.key)
      if (texts.length === 0 && parts.typeOf(body.type)?.key_optional !== true)
        throw new AppError('channel_name_key_required')
      const now = unixSeconds(parts.clock)
      const perChannel = keys_together === true || texts.length === 0 ? [texts.join('\n')] : texts
      return insertAll(
        perChannel.map((key) => newChannel(body, key, now, parts)),
        'create',
        actor,
      )
    },
    update: async (id, fields, actor) => {
      const row = await stored(id)
      await changeRow(row, channelChange(row, fields, parts), actor)
      return shown(id)
    },
    changeModels: async (id, change, actor) => {
      const row = await stored(id)
      await changeRow(row, channelChange(row, { models: changedModels(row.models, change) }, parts), actor)
    },
    copy: async (id, actor) => {
      const { id: _id, used_quota: _used, ...row } = await stored(id)
      const fresh = {
        test_time: 0,
        response_time: 0,
        test_status: 0,
        balance: 0,
        balance_updated_time: 0,
        other_info: '',
      }
      const copy = {
        ...row,
        ...fresh,
        name: `${row.name}_复制`,
        status: channelStatus.disabled,
        created_time: unixSeconds(parts.clock),
      }
      const [made] = await insertAll([copy], 'copy', actor)
      return shown(made ?? 0)
    },
    remove: async (ids, actor) => removeAll(await store.named(ids), actor),
    removeDisabled: async (actor) => removeAll(await store.disabled(), actor),
    tag: async (ids, tag, actor) => {
      const rows = await store.named(ids)
      await changeAll(rows, { tag: checkedTag(tag) }, actor)
      return rows.length
    },
    setTagStatus: async (tag, status, actor) => changeAll(await tagged(tag), { status }, actor),
    updateTag: async (body, actor) => changeAll(await tagged(body.tag), tagChange(body, parts), actor),
    fix: async (actor) => {
      await directory.refresh()
      const count = directory.count()
      await audit.record({ ...trace(actor, 'fix', 0), after: { channels: count } })
      return count
    },
    note: (action, id, after, actor) => audit.record({ ...trace(actor, action, id), after }),
  }
}

/** Absent, null and empty fields stay as they are; an empty `new_tag` dissolves the tag. */
const tagChange = (body: BodyOf<typeof updateTag>, parts: ChangeParts): ChannelChange => ({
  ...(body.new_tag == null ? {} : { tag: checkedTag(body.new_tag) }),
  ...(body.model_mapping ? { model_mapping: checkedModelMapping(body.model_mapping) } : {}),
  ...(body.models ? { models: checkedModels(body.models) } : {}),
  ...(body.groups ? { group: checkedGroups(body.groups, parts.groupExists) } : {}),
  ...(body.priority == null ? {} : { priority: body.priority }),
  ...(body.weight == null ? {} : { weight: Math.max(0, body.weight) }),
})
