import type { Callable } from 'virtual:contract'
import type { DataOf } from '@tollgate/contract'
import { useState } from 'react'
import type { ApiError } from '../api/api.ts'
import { type EndpointArguments, useEndpoint } from '../query.ts'
import { freshForMs } from './read-ahead.ts'

/**
 * Reads current data before it is edited: a recent prefetch counts, older cache entries do not, as balances move with
 * every request.
 */
export const useFresh = <E>(
  endpoint: Callable<E>,
  parts: EndpointArguments<E>[0],
  enabled = true,
): { data: DataOf<E> | undefined; error: ApiError | null; refetch: () => unknown } => {
  const args = [parts, { enabled, staleTimeMs: freshForMs }] as unknown as EndpointArguments<E>
  const { data, error, refetch, isStale, isFetchedAfterMount } = useEndpoint(endpoint, ...args)
  const [wasFresh] = useState(data !== undefined && !isStale)
  return { data: wasFresh || isFetchedAfterMount ? data : undefined, error, refetch }
}
