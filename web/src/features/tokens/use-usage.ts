import { useMemo } from 'react'
import { calls, tokenUsageDays } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useTimeZone, zoneName } from '../../lib/time/time-zone.ts'

/** A key's spending on each of the last days, oldest first, in quota. */
export interface RecentUse {
  readonly days: readonly number[]
  readonly quota: readonly number[]
  readonly calls: number
}

const zeros: readonly number[] = new Array<number>(tokenUsageDays).fill(0)

/**
 * Recent spending of keys by id, with one call for all of them; undefined while loading, null on failure. The function
 * changes only when its results do.
 */
export const useRecentUse = (ids: readonly number[]): ((id: number) => RecentUse | undefined | null) => {
  const zone = zoneName(useTimeZone())
  const { data, error, isPlaceholderData } = useEndpoint(
    calls.getTokensUsage,
    { query: { ids: ids.join(','), zone } },
    { enabled: ids.length > 0 },
  )
  return useMemo(() => {
    const byId = new Map(data?.tokens.map((token) => [token.id, token]))
    return (id) => {
      const usage = byId.get(id)
      // A key that is missing in the answer for another page may still have been used.
      if (error) return null
      if (!data || (!usage && isPlaceholderData)) return undefined
      return {
        days: data.days,
        quota: usage?.quota ?? zeros,
        calls: usage?.count.reduce((sum, count) => sum + count, 0) ?? 0,
      }
    }
  }, [data, error, isPlaceholderData])
}
