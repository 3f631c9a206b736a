import { type AttentionReason, calls } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'

const refreshEveryMs = 30_000

export type AttentionById = ReadonlyMap<number, readonly AttentionReason[]>

/** Channels that need attention, and why; undefined until it is known. */
export const useAttention = (): AttentionById | undefined => {
  const { data } = useEndpoint(calls.listChannelAttention, {}, { refreshEveryMs })
  return data && new Map(data.map(({ channel_id, reasons }) => [channel_id, reasons]))
}

/** True if a channel answers none or too few of its calls. */
export const useIsFailing = (id: number): boolean => {
  const { data } = useEndpoint(calls.listChannelAttention, {}, { refreshEveryMs })
  return data?.find(({ channel_id }) => channel_id === id)?.reasons.includes('failing') ?? false
}
