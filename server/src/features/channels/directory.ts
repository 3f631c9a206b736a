import type { Cause } from '@tollgate/contract'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Bus } from '../../lib/redis/bus.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Asking, Channels, RelayChannel, RouteHealth, UpstreamFailure } from '../../relay/ports.ts'
import { shouldDisable } from '../../relay/routing/auto-disable.ts'
import type { RelayVirtualModel } from '../../relay/routing/virtual/virtual-model.ts'
import { openPendingDisabling } from './jobs/pending-disabling.ts'
import type { KeyDisabling } from './keys/key-store.ts'
import { causeOf } from './reasons.ts'
import { type RelayColumns, toRelayChannel } from './relay-channel.ts'
import { type ChannelPicture, channelSnapshot } from './snapshot.ts'
import type { Disabling } from './store.ts'

/** Rows that the directory reads and writes; the channel store in production. */
export interface DirectoryRows {
  relayRows(ids?: readonly number[]): Promise<RelayColumns[]>
  disable(disabling: Disabling): Promise<boolean>
  disableKey(disabling: KeyDisabling): Promise<boolean>
}

/** Receives the outcome of each attempt and tells routing what to avoid. */
export interface DirectoryHealth extends RouteHealth {
  seen(
    channel: RelayChannel,
    failure: UpstreamFailure | undefined,
    key: string,
    model: string,
    durationMs: number,
    firstContentMs: number,
    asking?: Asking,
  ): void
  charged(channelId: number, model: string, quota: number): void
  /** Clears the recorded failures of a channel, because its settings changed. */
  forgive(channelId: number): void
}

export interface ChannelDirectoryParts {
  readonly rows: DirectoryRows
  provider(type: number): Provider | undefined
  decrypt(cipher: string): string
  /** Keyed hash of one key. */
  digest(key: string): string
  /** The operator's switch and the lower-cased words that give a dead channel away, as the options are now. */
  autoDisable(): { readonly enabled: boolean; readonly keywords: readonly string[] }
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  readonly health?: DirectoryHealth
  /** Called when the snapshot was replaced. */
  readonly redrawn?: () => void
  /** Once per channel that was really switched off, on the node that did it. */
  onDisabled(channel: RelayChannel, cause: Cause): void
  /** The same for one of several keys. */
  onKeyDisabled(channel: RelayChannel, key: string, cause: Cause): void
  /** For the operator's log. */
  warn(event: string, fields: Readonly<Record<string, unknown>>): void
  readonly clock: Clock
}

export interface ChannelDirectory extends Channels {
  snapshot(): ChannelPicture
  /** Reads the named channels again, or all; resolves when the snapshot shows them. */
  refresh(ids?: readonly number[]): Promise<void>
  /** Like `refresh`, and tells the other nodes. For changes made on this node. */
  changed(ids: readonly number[]): Promise<void>
  /** How many channels the snapshot holds. */
  count(): number
  /** The virtual models that stand before the channels, from now on. */
  setVirtualModels(models: readonly RelayVirtualModel[]): void
  /** Switches a channel off at once, whatever the rule says; false when it was off already. */
  disable(channel: RelayChannel, cause: Cause): boolean
}

/** Messages are the ids of the channels that changed, with commas. */
const topic = 'channels'

interface LoadedChannel {
  /** The row as it was read, to see whether it changed without decrypting again. */
  readonly print: string
  readonly channel: RelayChannel
}

/** True when state, address or keys changed, so that earlier failures no longer apply. */
const isOther = (before: RelayChannel | undefined, after: RelayChannel | undefined): boolean =>
  before?.enabled !== after?.enabled ||
  before?.baseUrl !== after?.baseUrl ||
  before?.keys.join('\n') !== after?.keys.join('\n')

/**
 * All channels in memory, for the relay. Reads and the automatic switching-off run one after the other, so that a slow
 * read never undoes a later change.
 */
export const openChannelDirectory = async (parts: ChannelDirectoryParts): Promise<ChannelDirectory> => {
  const loaded = new Map<number, LoadedChannel>()
  const pending = openPendingDisabling()
  let virtualModels: readonly RelayVirtualModel[] = []
  let picture = channelSnapshot([])
  const queue = createSerialQueue()

  const publish = (ids: readonly number[]): void => parts.bus.publish(topic, ids.join())

  const redraw = (): void => {
    const channels = [...loaded.values()].map(({ channel }) => pending.over(channel))
    picture = channelSnapshot(channels, virtualModels)
    parts.redrawn?.()
  }

  const parse = (row: RelayColumns): RelayChannel | undefined => {
    const provider = parts.provider(row.type)
    if (!provider) return undefined
    try {
      return toRelayChannel(row, provider, parts.decrypt(row.key_cipher), parts.digest)
    } catch (cause) {
      parts.warn('channel_key_unreadable', { channel: row.id, cause })
      return undefined
    }
  }

  /** Takes one row in; true when the picture changes by it. */
  const take = (row: RelayColumns): boolean => {
    const print = JSON.stringify(row)
    if (loaded.get(row.id)?.print === print) return false
    const channel = parse(row)
    if (channel) loaded.set(row.id, { print, channel })
    else return loaded.delete(row.id)
    return true
  }

  const read = async (ids?: readonly number[]): Promise<void> => {
    await writeDisabling()
    const rows = await parts.rows.relayRows(ids)
    const foundIds = new Set(rows.map((row) => row.id))
    const gone = (ids ?? [...loaded.keys()]).filter((id) => !foundIds.has(id))
    const changes = [...gone.map((id) => loaded.delete(id)), ...rows.map(take)]
    if (changes.includes(true)) redraw()
  }

  /** Applies a written change in memory; the empty print makes the next read replace the entry. */
  const keepAsWritten = (id: number): void => {
    const entry = loaded.get(id)
    if (entry) loaded.set(id, { print: '', channel: pending.over(entry.channel) })
  }

  const writeDisabling = async (): Promise<void> => {
    for (const entry of pending.keys()) {
      const channel = loaded.get(entry.channelId)?.channel
      const changed = await parts.rows.disableKey(entry)
      keepAsWritten(entry.channelId)
      pending.keyWritten(entry)
      if (!changed || !channel) continue
      publish([entry.channelId])
      parts.onKeyDisabled(channel, entry.key, entry.cause)
    }
    for (const entry of pending.channels()) {
      const channel = loaded.get(entry.id)?.channel
      const changed = await parts.rows.disable(entry)
      keepAsWritten(entry.id)
      pending.channelWritten(entry)
      if (!changed || !channel) continue
      publish([entry.id])
      parts.onDisabled(channel, entry.cause)
    }
  }

  const writeSoon = (id: number): void => {
    redraw()
    queue
      .run(writeDisabling)
      .catch((cause: unknown) => parts.warn('channel_disable_not_written', { channel: id, cause }))
  }

  const disable = (channel: RelayChannel, cause: Cause): boolean => {
    if (picture.byId(channel.id)?.enabled !== true) return false
    pending.addChannel({ id: channel.id, cause, time: unixSeconds(parts.clock) })
    writeSoon(channel.id)
    return true
  }

  /** A key goes alone as long as others are left. */
  const disableKey = (channel: RelayChannel, key: string, cause: Cause): void => {
    const now = picture.byId(channel.id)
    if (now?.enabled !== true || !now.keys.includes(key)) return
    const time = unixSeconds(parts.clock)
    pending.addKey({ channelId: channel.id, key, keyHash: parts.digest(key), cause, time })
    if (now.keys.length === 1) pending.addChannel({ id: channel.id, cause, time })
    writeSoon(channel.id)
  }

  const judge = (channel: RelayChannel, failure: UpstreamFailure, key: string | undefined): void => {
    // Only what the channel is now counts: the failure of a key that was replaced meanwhile must not switch it off.
    const isOld = channel.ring === undefined && loaded.get(channel.id)?.channel !== channel
    if (isOld || !channel.autoBan) return
    const { enabled, keywords } = parts.autoDisable()
    if (!enabled || !shouldDisable(failure, channel.type, keywords)) return
    if (channel.ring === undefined || key === undefined) disable(channel, causeOf(failure))
    else disableKey(channel, key, causeOf(failure))
  }

  const refreshInBackground = (ids?: readonly number[]): void => {
    queue.run(() => read(ids)).catch((cause: unknown) => parts.warn('channel_reload_failed', { cause }))
  }

  parts.bus.subscribe(topic, (notice) => {
    if (notice.kind === 'resync') refreshInBackground()
    else if (!notice.own) refreshInBackground(notice.message.split(',').map(Number))
  })
  await queue.run(() => read())
  const { health } = parts
  return {
    snapshot: () => picture,
    count: () => loaded.size,
    refresh: (ids) => queue.run(() => read(ids)),
    changed: async (ids) => {
      publish(ids)
      const before = ids.map((id) => picture.byId(id))
      await queue.run(() => read(ids))
      for (const [index, id] of ids.entries()) if (isOther(before[index], picture.byId(id))) health?.forgive(id)
    },
    setVirtualModels: (models) => {
      virtualModels = models
      redraw()
    },
    disable,
    report: (channel, failure, key, model, durationMs = 0, firstContentMs = -1, asking = undefined) => {
      if (model !== undefined) health?.seen(channel, failure, key ?? '', model, durationMs, firstContentMs, asking)
      if (failure !== undefined) judge(channel, failure, key)
    },
    ...(health ? { health, charged: health.charged } : {}),
  }
}
