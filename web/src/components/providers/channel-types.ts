import { useMemo } from 'react'
import type { ApiError } from '../../lib/api/api.ts'
import { type ChannelType, calls } from '../../lib/api/contract.ts'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { useEndpoint } from '../../lib/query.ts'

const forever = Number.POSITIVE_INFINITY
const none: readonly ChannelType[] = []
/** Keeps the height of a line. */
const noBreakSpace = '\u00A0'

interface ChannelTypes {
  types: readonly ChannelType[]
  /** A space until the types are here, undefined for a type that is none. */
  labelOf: (type: number) => string | undefined
  /** True if upstreams of a type report a balance. */
  hasBalance: (type: number) => boolean
  error: ApiError | null
  retry: () => void
}

/** Channel types in the order of the select; they change only with the server's version. */
export const useChannelTypes = (): ChannelTypes => {
  const language = useLanguage()
  const { data, error, refetch } = useEndpoint(calls.listChannelTypes, {}, { staleTimeMs: forever })
  const types = data ?? none
  const isWaiting = data === undefined && !error
  const lookups = useMemo(() => {
    const byType = new Map(types.map((entry) => [entry.type, entry]))
    return {
      types,
      labelOf: (type: number) => {
        if (isWaiting) return noBreakSpace
        const label = byType.get(type)?.label
        return label && textIn(label, language)
      },
      hasBalance: (type: number) => byType.get(type)?.has_balance === true,
    }
  }, [types, isWaiting, language])
  return {
    ...lookups,
    error,
    retry: () => void refetch(),
  }
}
