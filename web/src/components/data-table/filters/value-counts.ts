import type { ChannelFacet, ValueCounts } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import type { Facet, FacetCounts } from '../columns/column.ts'

/** Counted when they are looked at, given the other filters of the list. */
export const useCounts = (facet: Facet, counts: FacetCounts): ValueCounts | undefined => {
  // The names of the facets differ from list to list; their endpoints take them all the same way.
  const query = { ...counts.query, facet: facet.id as ChannelFacet }
  return useEndpoint(counts.endpoint, { query }, { staleTimeMs: 0 }).data
}

/** How many rows a value has; where counting stopped, at least so many, or an unknown number. */
export const countText = (value: string, counts: ValueCounts): string => {
  const count = counts.values.find((entry) => entry.value === value)?.count
  if (!counts.capped) return formatInteger(count ?? 0)
  return count === undefined ? '' : `${formatInteger(count)}+`
}
