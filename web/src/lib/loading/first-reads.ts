import type { QueryClient } from '@tanstack/react-query'
import type { LooseParts } from '../api/call-address.ts'
import { createQueryClient, readOf } from '../query.ts'
import { holdMoment } from '../time/time-anchor.ts'
import { earlyAnswers, endEarlyReads } from './early-reads.ts'
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

/** How long drawing waits for the answers: with them everything is drawn once, and the page has the console's frame already. */
const mostUndrawnMs = 400

const mostMsToTake = 5000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Begins what the screen at the first address reads first, before anything is drawn; where the page itself began it, this
 * takes the answers. Resolves when they are there, or after a moment. Whatever else the screen reads comes after them.
 */
export const beginFirstReads = async (): Promise<void> => {
  const approach = takeFirstApproach()
  const { firstRead } = (await approach?.load()) ?? {}
  holdMoment()
  const reads: Promise<unknown>[] = []
  if (approach && firstRead) {
    const client = createQueryClient()
    const read: ReadAhead = (endpoint, ...[parts]) => {
      const first = readOf(endpoint, parts as LooseParts | undefined, true)
      reads.push(client.prefetchQuery({ ...first, staleTime: freshForMs }))
    }
    firstRead(read, approach.search, approach.params as Record<string, string>)
    prepared = client
    endEarlyReads()
  } else {
    // A screen with queries of its own takes the answers when it is drawn.
    reads.push(...earlyAnswers())
    setTimeout(endEarlyReads, mostMsToTake)
  }
  const answered = Promise.allSettled(reads)
  letOthersWait(answered)
  await Promise.race([answered, pause(mostUndrawnMs)])
  holdMoment()
}
