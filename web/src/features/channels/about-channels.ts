import { calls } from '../../lib/api/contract.ts'

/** What shows data about channels: it is read again after one of them was changed. */
export const aboutChannels = [
  calls.browseChannels,
  calls.searchChannels,
  calls.getChannel,
  calls.getChannelHealth,
] as const
