import type { Bus } from '../../lib/bus.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Provider } from '../../providers/provider.ts'
import { shouldDisable } from '../../relay/auto-disable.ts'
import type { Channels, RelayChannel } from '../../relay/ports.ts'
import { type RelayColumns, toRelayChannel } from './relay-channel.ts'
import { type ChannelPicture, channelSnapshot } from './snapshot.ts'
import type { Disabling } from './store.ts'

/** What the directory reads and writes; the channel store in production. */
export interface DirectoryRows {
  relayRows(ids?: readonly number[]): Promise<RelayColumns[]>
  disable(disabling: Disabling): Promise<boolean>
}

export interface ChannelDirectoryParts {
  readonly rows: DirectoryRows
  provider(type: number): Provider | undefined
  decrypt(cipher: string): string
  /** The operator's switch and the lower-cased words that give a dead channel away, as the options are now. */
  autoDisable(): { readonly enabled: boolean; readonly keywords: readonly string[] }
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  /** Once per channel that was really switched off, on the node that did it. */
  onDisabled(channel: RelayChannel, reason: string): void
  /** For the operator's log. */
  warn(message: string, cause: unknown): void
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
  /** Switches a channel off at once, whatever the rule says; false when it was off already. */
  disable(channel: RelayChannel, reason: string): boolean
}

/** Messages are the ids of the channels that changed, with commas. */
const topic = 'channels'

interface Known {
  /** The row as it was read, to see whether it changed without decrypting again. */
  readonly print: string
  readonly channel: RelayChannel
}

/**
 * All channels in memory, for the relay. Reads and the automatic switching-off run one after the other, so that a slow
 * read never undoes a later change.
 */
export const openChannelDirectory = async (parts: ChannelDirectoryParts): Promise<ChannelDirectory> => {
  const known = new Map<number, Known>()
  /** Switched off here, not yet in the database; lies over whatever is read meanwhile. */
  const disabling = new Map<number, Disabling>()
  let picture = channelSnapshot([])
  let lane: Promise<unknown> = Promise.resolve()

  const inLane = <T>(work: () => Promise<T>): Promise<T> => {
    const done = lane.then(work)
    lane = done.catch(() => undefined)
    return done
  }

  const publish = (ids: readonly number[]): void => parts.bus.publish(topic, ids.join())

  const redraw = (): void => {
    picture = channelSnapshot(
      [...known.values()].map(({ channel }) => (disabling.has(channel.id) ? { ...channel, enabled: false } : channel)),
    )
  }

  const parse = (row: RelayColumns): RelayChannel | undefined => {
    const provider = parts.provider(row.type)
    if (!provider) return undefined
    try {
      return toRelayChannel(row, provider, parts.decrypt(row.key_cipher))
    } catch (cause) {
      parts.warn(`the key of channel ${row.id} cannot be read`, cause)
      return undefined
    }
  }

  /** Takes one row in; true when the picture changes by it. */
  const take = (row: RelayColumns): boolean => {
    const print = JSON.stringify(row)
    if (known.get(row.id)?.print === print) return false
    const channel = parse(row)
    if (channel) known.set(row.id, { print, channel })
    else return known.delete(row.id)
    return true
  }

  const read = async (ids?: readonly number[]): Promise<void> => {
    await writeDisabling()
    const rows = await parts.rows.relayRows(ids)
    const seen = new Set(rows.map((row) => row.id))
    const gone = (ids ?? [...known.keys()]).filter((id) => !seen.has(id))
    const changes = [...gone.map((id) => known.delete(id)), ...rows.map(take)]
    if (changes.includes(true)) redraw()
  }

  const writeDisabling = async (): Promise<void> => {
    for (const entry of [...disabling.values()]) {
      const channel = known.get(entry.id)?.channel
      const changed = await parts.rows.disable(entry)
      disabling.delete(entry.id)
      if (channel) markDisabled(entry.id, channel)
      if (!changed || !channel) continue
      publish([entry.id])
      parts.onDisabled(channel, entry.reason)
    }
  }

  /** Keeps the channel off in memory; an empty print makes the next read take the row whatever it says. */
  const markDisabled = (id: number, channel: RelayChannel): void => {
    known.set(id, { print: '', channel: { ...channel, enabled: false } })
  }

  const disable = (channel: RelayChannel, reason: string): boolean => {
    if (disabling.has(channel.id) || known.get(channel.id)?.channel.enabled !== true) return false
    disabling.set(channel.id, { id: channel.id, reason, time: unixSeconds(parts.clock) })
    redraw()
    inLane(writeDisabling).catch((cause: unknown) =>
      parts.warn(`channel ${channel.id} is off here but could not be switched off in the database yet`, cause),
    )
    return true
  }

  const refreshInBackground = (ids?: readonly number[]): void => {
    inLane(() => read(ids)).catch((cause: unknown) => parts.warn('channels could not be read again', cause))
  }

  parts.bus.subscribe(topic, (notice) => {
    if (notice.kind === 'resync') refreshInBackground()
    else if (!notice.own) refreshInBackground(notice.message.split(',').map(Number))
  })
  await inLane(() => read())
  return {
    snapshot: () => picture,
    count: () => known.size,
    refresh: (ids) => inLane(() => read(ids)),
    changed: async (ids) => {
      publish(ids)
      await inLane(() => read(ids))
    },
    disable,
    report: (channel, failure) => {
      // Only what the channel is now counts: the failure of a key that was replaced meanwhile must not switch it off.
      if (failure === undefined || !channel.autoBan || known.get(channel.id)?.channel !== channel) return
      const { enabled, keywords } = parts.autoDisable()
      const reason = enabled ? shouldDisable(failure, channel.type, keywords) : undefined
      if (reason !== undefined) disable(channel, reason)
    },
  }
}
