import { useMemo } from 'react'
import { useUnpriced } from '../../components/unpriced/use-unpriced.ts'
import { type Channel, calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import type { ListedChannel } from './columns.tsx'

/** How often the figures of the last day are read again while the list is open. */
const healthEveryMs = 30_000

/** The channels of this page with their health and the number of models without a price, so that news of one channel draws its row and no other. */
export const useListed = (channels: readonly Channel[]): readonly ListedChannel[] => {
  const ids = channels.map(({ id }) => id)
  const health = useEndpoint(
    calls.listChannelHealth,
    { query: { ids: ids.join() } },
    { enabled: ids.length > 0, refreshEveryMs: healthEveryMs },
  )
  const unpriced = useUnpriced()
  return useMemo(() => {
    const healthById = new Map((health.data ?? []).map((entry) => [entry.channel_id, entry]))
    const without = new Set((unpriced ?? []).map(({ model }) => model))
    return channels.map((channel) => ({
      ...channel,
      health: healthById.get(channel.id),
      unpriced: without.size === 0 ? 0 : channel.models.split(',').filter((model) => without.has(model)).length,
    }))
  }, [channels, health.data, unpriced])
}
