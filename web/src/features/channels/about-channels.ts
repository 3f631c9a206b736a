import { calls } from '../../lib/api/contract.ts'

/** Calls that read channels; they are repeated after a channel was changed. */
export const aboutChannels = [
  calls.browseChannels,
  calls.searchChannels,
  calls.getChannel,
  calls.getChannelHealth,
  calls.listChannelAttention,
] as const
