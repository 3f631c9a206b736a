import type { Callable } from 'virtual:contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PartsArgument } from '../api/api.ts'
import type { LooseParts } from '../api/call-address.ts'
import { readOf } from '../query.ts'
import type { Search } from '../url/url-state.ts'
import { mayReadAhead } from './may-read-ahead.ts'

/** How long a prefetch counts as fresh, also for reads that are otherwise repeated on every opening. */
export const freshForMs = 5000

/** A user has 180 calls in three minutes (option GLOBAL_API_RATE_LIMIT); prefetches use at most a sixth. */
const windowMs = 180_000
const mostInWindow = 30

/** Reads an endpoint into the cache before it is needed. Failures are reported by the read that needs it. */
export type ReadAhead = <E>(endpoint: Callable<E>, ...parts: PartsArgument<E>) => void

/** The first reads of a screen at an address, for prefetching while the pointer is on a link. */
export type FirstRead = (read: ReadAhead, search: Search, params: Readonly<Record<string, string>>) => void

/** Reads ahead into a cache: once, and nothing while it knows an answer that is fresh. */
export const readAheadInto = (client: QueryClient): ReadAhead => {
  let taken: readonly number[] = []
  return (endpoint, ...[parts]) => {
    if (!mayReadAhead()) return
    const read = readOf(endpoint, parts as LooseParts | undefined)
    const query = client.getQueryCache().find({ queryKey: read.queryKey })
    if (query && (query.state.fetchStatus !== 'idle' || !query.isStaleByTime(freshForMs))) return
    const now = Date.now()
    taken = taken.filter((at) => now - at < windowMs)
    if (taken.length >= mostInWindow) return
    taken = [...taken, now]
    void client.prefetchQuery({ ...read, staleTime: freshForMs, meta: { ahead: true } })
  }
}

const readers = new WeakMap<QueryClient, ReadAhead>()

/** The cache's own reader: links and rows share its measure. */
export const readAheadOf = (client: QueryClient): ReadAhead => {
  const reader = readers.get(client) ?? readAheadInto(client)
  readers.set(client, reader)
  return reader
}

export const useReadAhead = (): ReadAhead => {
  const client = useQueryClient()
  return useMemo(() => readAheadOf(client), [client])
}
