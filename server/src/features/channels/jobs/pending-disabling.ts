import type { RelayChannel } from '../../../relay/ports.ts'
import type { KeyDisabling } from '../keys/key-store.ts'
import { withoutKeys } from '../relay-channel.ts'
import type { Disabling } from '../store.ts'

/** A key on its way out, with the key itself. */
export interface PendingKey extends KeyDisabling {
  readonly key: string
}

/** Channels and keys that were disabled in memory and are not in the database yet. */
export interface PendingDisabling {
  addChannel(disabling: Disabling): void
  addKey(disabling: PendingKey): void
  channels(): readonly Disabling[]
  keys(): readonly PendingKey[]
  channelWritten(disabling: Disabling): void
  keyWritten(disabling: PendingKey): void
  /** A channel as it was read, with what is pending laid over it. */
  over(channel: RelayChannel): RelayChannel
}

const placeOf = ({ channelId, keyHash }: KeyDisabling): string => `${channelId}|${keyHash}`

export const openPendingDisabling = (): PendingDisabling => {
  const channels = new Map<number, Disabling>()
  const keys = new Map<string, PendingKey>()
  return {
    addChannel: (disabling) => void channels.set(disabling.id, disabling),
    addKey: (disabling) => void keys.set(placeOf(disabling), disabling),
    channels: () => [...channels.values()],
    keys: () => [...keys.values()],
    channelWritten: ({ id }) => void channels.delete(id),
    keyWritten: (disabling) => void keys.delete(placeOf(disabling)),
    over: (channel) => {
      const own = keys.size === 0 ? [] : [...keys.values()].filter(({ channelId }) => channelId === channel.id)
      const left = own.length === 0 ? channel : withoutKeys(channel, new Set(own.map(({ key }) => key)))
      return channels.has(channel.id) ? { ...left, enabled: false, autoDisabled: true } : left
    },
  }
}
