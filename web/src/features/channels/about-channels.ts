import { type AttentionReason, calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'

/** Calls that read channels; they are repeated after a channel was changed. */
export const aboutChannels = [
  calls.browseChannels,
  calls.searchChannels,
  calls.getChannel,
  calls.getChannelHealth,
  calls.listChannelAttention,
] as const

export type AttentionById = ReadonlyMap<number, readonly AttentionReason[]>

const often = { refreshEveryMs: 30_000 }

/** Channels that need attention, with their reasons; undefined until it is known. */
export const useAttention = (): AttentionById | undefined => {
  const { data } = useEndpoint(calls.listChannelAttention, {}, often)
  return data && new Map(data.map(({ channel_id, reasons }) => [channel_id, reasons]))
}

/** True if a channel answers none or too few of its calls. */
export const useIsFailing = (id: number): boolean => {
  const { data } = useEndpoint(calls.listChannelAttention, {}, often)
  return data?.find(({ channel_id }) => channel_id === id)?.reasons.includes('failing') ?? false
}
