import type { Callable } from 'virtual:contract'
import type { countChannels } from '../../../lib/api/contract.ts'
import type { Facet, FacetCounts } from '../columns/column.ts'

/** Endpoints that count differ in the names of the filters only. */
export const countsOf = (endpoint: Callable<unknown>, query: FacetCounts['query']): FacetCounts => ({
  endpoint: endpoint as Callable<typeof countChannels>,
  query,
})

/**
 * The facets of a list whose choices are counted by `endpoint`, given the list's other filters, and which can also say
 * what is not.
 */
export const withCounts = <F extends string>(
  facets: readonly Facet<F>[],
  endpoint: Callable<unknown>,
  query: Readonly<Record<string, unknown>>,
): readonly Facet<F>[] => {
  const { p: _page, page_size: _size, sort: _sort, ...filter } = query
  const counts = countsOf(endpoint, filter)
  return facets.map((facet) => (facet.kind === 'choice' ? { ...facet, not: true, counts } : facet))
}
