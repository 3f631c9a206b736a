import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import type { ProviderPlace } from './ask-provider.ts'
import { videoProviderNamed } from './providers/index.ts'
import type { VideoRow } from './video.ts'

/** The account that has a video: the key that made it, else another one of its channel. undefined where the channel is gone. */
export const placeOf = (
  row: Pick<VideoRow, 'channel_id' | 'key_hash' | 'provider'>,
  { channels, keyHashOf }: Pick<ProviderJobs, 'channels' | 'keyHashOf'>,
): ProviderPlace | undefined => {
  const channel = channels.snapshot().byId(row.channel_id)
  const provider = videoProviderNamed(row.provider)
  const key = channel?.keys.find((one) => keyHashOf(one) === row.key_hash) ?? channel?.keys[0]
  return channel === undefined || provider === undefined || key === undefined ? undefined : { provider, channel, key }
}
