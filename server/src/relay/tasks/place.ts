import type { Channels, RelayChannel } from '../ports.ts'
import type { TaskPlace } from './ports.ts'

/** Channel and key with which the state of a task is fetched; undefined if the channel is gone. */
export const placeOf = (
  task: TaskPlace,
  channels: Channels,
  keyHashOf: (key: string) => string,
): { readonly channel: RelayChannel; readonly key: string } | undefined => {
  const channel = channels.snapshot().byId(task.channel_id)
  if (channel === undefined) return undefined
  const { key_hash: hash } = task
  const key = hash === null ? undefined : channel.keys.find((candidate) => keyHashOf(candidate) === hash)
  return { channel, key: key ?? channel.keys[0] ?? '' }
}
