import { type ChannelKey, channelStatus, type LearnedKeyLimits } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema.ts'
import type { Trace } from '../../../db/trace.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../../lib/clock.ts'
import { ownCause } from '../../../lib/json/stored-error.ts'
import type { Secrets } from '../../../lib/security/secrets.ts'
import { keyColumns } from '../change.ts'
import { disabledInfo } from '../disabled-info.ts'
import { type ChannelRow, seedOf } from '../relay-channel.ts'
import { keyHint } from '../rules.ts'
import type { ChannelStore } from '../store.ts'
import { keysOf, vertexType } from '../texts.ts'
import type { KeyStore } from './key-store.ts'

export interface ChannelKeysParts {
  readonly database: Database
  readonly store: Pick<ChannelStore, 'get' | 'update' | 'replaceKey'>
  readonly keys: KeyStore
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt' | 'digest'>
  readonly directory: { changed(ids: readonly number[]): Promise<void> }
  /** Unix seconds until which a key rests; 0 while it works. */
  restsUntil(channelId: number, seed: number): number
  /** Limits of a key as providers stated them. */
  limitsOf(channelId: number, seed: number): readonly LearnedKeyLimits[]
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly clock: Clock
}

/** The `reason` of keys that it answers is as it is stored, see `readCause`. */
export interface ChannelKeys {
  list(channelId: number): Promise<ChannelKey[]>
  /** The key itself, or all of them, one per line. Leaves a trace. */
  reveal(channelId: number, keyId: string | undefined, actor: Actor): Promise<string>
  /** Answers how many were new. */
  add(channelId: number, text: string, actor: Actor): Promise<number>
  setStatus(channelId: number, keyId: string, status: number, actor: Actor): Promise<ChannelKey[]>
  remove(channelId: number, keyId: string, actor: Actor): Promise<ChannelKey[]>
  /** The key itself, for a test. Throws AppError('channel_key_not_found'). */
  keyOf(channelId: number, keyId: string): Promise<string>
  /** Ids of the channels whose keys are others than these, one per line; those that do not exist among them. */
  differing(channels: readonly { readonly id: number; readonly key: string }[]): Promise<number[]>
  /** Keys that the gateway has switched off; at most so many that trying them all takes no ages. */
  switchedOff(channelId: number): Promise<readonly { readonly key: string; readonly hash: string }[]>
  /** True if anything is left to call with. */
  anyOn(channelId: number): Promise<boolean>
  /** Switches on what the gateway had switched off; false when it was not in that state any more. */
  switchOn(channelId: number, keyHash: string): Promise<boolean>
}

interface Entry {
  readonly id: string
  readonly key: string
  readonly hash: string
}

/** As much of the hash as tells the keys of a channel apart. */
const idLength = 16
const mostTried = 20

const isEnabled = ({ status }: ChannelKey): boolean => status === channelStatus.enabled

/** The keys of a channel one by one: shown by their ends only, each with a state of its own. */
export const createChannelKeys = (parts: ChannelKeysParts): ChannelKeys => {
  const { database, store, keys, secrets, directory, audit, clock } = parts

  const stored = async (channelId: number): Promise<{ row: ChannelRow; entries: Entry[] }> => {
    const row = await store.get(channelId)
    if (!row) throw new AppError('channel_not_found')
    const entries = keysOf(row.type, secrets.decrypt('channel_key', row.key_cipher)).map((key) => {
      const hash = secrets.digest('channel_key', key)
      return { id: hash.slice(0, idLength), key, hash }
    })
    return { row, entries }
  }

  const entryOf = (entries: readonly Entry[], keyId: string): Entry => {
    const entry = entries.find(({ id }) => id === keyId)
    if (!entry) throw new AppError('channel_key_not_found')
    return entry
  }

  const trace = (actor: Actor, action: string, objectId: number): Omit<Trace, 'before' | 'after'> => ({
    actor: { id: actor.id, username: actor.username },
    action: `channel.${action}`,
    object: 'channel',
    objectId,
    ip: actor.ip,
  })

  const list = async (channelId: number): Promise<ChannelKey[]> => {
    const { row, entries } = await stored(channelId)
    const states = new Map((await keys.rows(channelId)).map((state) => [state.key_hash, state]))
    return entries.map(({ id, key, hash }) => {
      const state = states.get(hash)
      return {
        id,
        hint: keyHint(row.type, key),
        status: state?.status ?? channelStatus.enabled,
        reason: state?.reason ?? '',
        status_time: state?.status_time ?? 0,
        rests_until: entries.length > 1 ? parts.restsUntil(channelId, seedOf(hash)) : 0,
        limits: [...parts.limitsOf(channelId, entries.length > 1 ? seedOf(hash) : 0)],
      }
    })
  }

  /**
   * A channel goes off with its last key and comes back with one again. It counts as switched off by the gateway, so that
   * nothing enables a key again that was disabled by hand.
   */
  const follow = async (trx: Transaction<Tables>, row: ChannelRow, status: number): Promise<void> => {
    const isOn = status === channelStatus.enabled
    if (row.status !== (isOn ? channelStatus.autoDisabled : channelStatus.enabled)) return
    const why = disabledInfo(ownCause('channel_keys_disabled'), unixSeconds(clock))
    await store.update(trx, [row.id], { status, other_info: status === channelStatus.autoDisabled ? why : '' })
  }

  /** Stores another set of keys; the states of those that stay are kept. */
  const replace = async (
    row: ChannelRow,
    texts: readonly string[],
    note: Pick<Trace, 'before' | 'after'> & { action: string; actor: Actor },
    channelBecomes?: number,
  ): Promise<void> => {
    const columns = keyColumns(row.type, texts.join('\n'), { secrets })
    await database.transaction(async (trx) => {
      // Two people who change the keys at once must not lose each other's.
      if (!(await store.replaceKey(trx, row, columns))) throw new AppError('channel_key_not_found')
      await keys.sync(
        trx,
        row.id,
        texts.map((key) => secrets.digest('channel_key', key)),
      )
      if (channelBecomes !== undefined) await follow(trx, row, channelBecomes)
      const { action, actor, ...facts } = note
      await audit.record({ ...trace(actor, action, row.id), ...facts }, trx)
    })
    await directory.changed([row.id])
  }

  const anyOn = async (channelId: number): Promise<boolean> => {
    const all = await list(channelId)
    return all.length < 2 || all.some(isEnabled)
  }

  return {
    list,
    anyOn,
    reveal: async (channelId, keyId, actor) => {
      const { row, entries } = await stored(channelId)
      const shown = keyId === undefined ? entries : [entryOf(entries, keyId)]
      const hint = keyHint(row.type, shown.map(({ key }) => key).join('\n'))
      await audit.record({ ...trace(actor, 'reveal', channelId), after: { key_hint: hint } })
      return shown.map(({ key }) => key).join('\n')
    },
    add: async (channelId, text, actor) => {
      const { row, entries } = await stored(channelId)
      if (row.type === vertexType) throw new AppError('channel_key_single')
      const there = new Set(entries.map(({ key }) => key))
      const fresh = keysOf(row.type, text).filter((key) => !there.has(key))
      if (fresh.length === 0) return 0
      const texts = [...there, ...fresh]
      const hints = { before: { key_hint: row.key_hint }, after: { key_hint: keyHint(row.type, texts.join('\n')) } }
      const becomes = (await anyOn(channelId)) ? undefined : channelStatus.enabled
      await replace(row, texts, { action: 'add_keys', actor, ...hints }, becomes)
      return fresh.length
    },
    setStatus: async (channelId, keyId, status, actor) => {
      const { row, entries } = await stored(channelId)
      const { key, hash } = entryOf(entries, keyId)
      const others = (await list(channelId)).filter((entry) => entry.id !== keyId)
      const isOn = status === channelStatus.enabled
      await database.transaction(async (trx) => {
        const now = isOn ? 0 : unixSeconds(clock)
        // With a single key there is only the channel to switch.
        if (others.length === 0) await store.update(trx, [channelId], { status, other_info: '' })
        else {
          await keys.set(trx, channelId, { key_hash: hash, status, reason: '', status_time: now })
          if (isOn) await follow(trx, row, channelStatus.enabled)
          else if (!others.some(isEnabled)) await follow(trx, row, channelStatus.autoDisabled)
        }
        const facts = { key_hint: keyHint(row.type, key), status }
        await audit.record({ ...trace(actor, 'key_status', channelId), after: facts }, trx)
      })
      await directory.changed([channelId])
      return list(channelId)
    },
    remove: async (channelId, keyId, actor) => {
      const { row, entries } = await stored(channelId)
      const { key } = entryOf(entries, keyId)
      const left = (await list(channelId)).filter(({ id }) => id !== keyId)
      const texts = entries.filter(({ id }) => id !== keyId).map((entry) => entry.key)
      if (texts.length === 0) throw new AppError('channel_key_last')
      const before = { key_hint: keyHint(row.type, key) }
      // A single key has no state of its own: the channel takes that of the last.
      const off = left.length === 1 ? left[0]?.status : channelStatus.autoDisabled
      await replace(row, texts, { action: 'remove_key', actor, before }, left.some(isEnabled) ? undefined : off)
      return list(channelId)
    },
    differing: async (channels) => {
      const differing: number[] = []
      for (const { id, key } of channels) {
        const row = await store.get(id)
        if (row?.key_hash !== keyColumns(row?.type ?? 0, key, { secrets }).key_hash) differing.push(id)
      }
      return differing
    },
    keyOf: async (channelId, keyId) => entryOf((await stored(channelId)).entries, keyId).key,
    switchedOff: async (channelId) => {
      const rows = await keys.rows(channelId)
      const off = new Set(rows.filter(({ status }) => status === channelStatus.autoDisabled).map((row) => row.key_hash))
      if (off.size === 0) return []
      const { entries } = await stored(channelId)
      return entries.filter(({ hash }) => off.has(hash)).slice(0, mostTried)
    },
    switchOn: async (channelId, keyHash) => {
      const changed = await keys.enable(channelId, keyHash)
      if (changed) await directory.changed([channelId])
      return changed
    },
  }
}
