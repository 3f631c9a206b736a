import type { QueryClient } from '@tanstack/react-query'
import type { LooseParts } from '../api/api.ts'
import { createQueryClient, readOf } from '../query.ts'
import { freshForMs, type ReadAhead } from './read-ahead.ts'
import { takeFirstApproach } from './read-ahead-route.ts'
import { letOthersWait } from './turns.ts'

let prepared: QueryClient | undefined

/** The cache of this page; with the answers of its first reads, where those were begun before it was drawn. */
export const takeCache = (): QueryClient => {
  const client = prepared ?? createQueryClient()
  prepared = undefined
  return client
}

/**
 * Begins what the screen at the first address reads first, before anything is drawn: the line is idle while the browser
 * draws. Whatever else the screen reads comes after the answers.
 */
export const beginFirstReads = async (): Promise<void> => {
  const approach = takeFirstApproach()
  if (!approach) return
  const { firstRead } = await approach.load()
  if (!firstRead) return
  const client = createQueryClient()
  const reads: Promise<void>[] = []
  const read: ReadAhead = (endpoint, ...[parts]) => {
    const first = readOf(endpoint, parts as LooseParts | undefined, true)
    reads.push(client.prefetchQuery({ ...first, staleTime: freshForMs }))
  }
  firstRead(read, approach.search, approach.params as Record<string, string>)
  prepared = client
  letOthersWait(Promise.allSettled(reads))
}
