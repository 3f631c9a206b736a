import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { earlyMoment } from '../loading/early-reads.ts'
import { freshForMs } from '../loading/read-ahead.ts'

/** The page's own reads counted from this moment before the console was there. */
let anchoredNow = earlyMoment() ?? 0
let anchoredAt = anchoredNow

/** Now in whole unix seconds; constant for a few seconds, so that a prefetch and the page send the same query. */
export const momentForPage = (): number => {
  const now = Math.floor(Date.now() / 1000)
  if (Math.abs(now - anchoredAt) * 1000 > freshForMs) {
    anchoredNow = now
    anchoredAt = now
  }
  return anchoredNow
}

/** Older answers are not shown as now. */
const longestHoldSeconds = 30

/** Has what is drawn next count from the moment of the reads that were begun for it, though scripts took their time. */
export const holdMoment = (): void => {
  const now = Math.floor(Date.now() / 1000)
  if (Math.abs(now - anchoredNow) < longestHoldSeconds) anchoredAt = now
}

const mostRemembered = 50
/** The moments of the pages that were visited, by their place in the browser's history. */
const moments = new Map<string, number>()

const remember = (place: string, moment: number): void => {
  moments.delete(place)
  moments.set(place, moment)
  const [oldest] = moments.keys()
  if (moments.size > mostRemembered && oldest !== undefined) moments.delete(oldest)
}

/**
 * The moment that "the last three days" are counted from, in unix seconds, and a way to make it now. Who comes back to a
 * page finds it as it was left: the same moment, and so the same rows from the cache.
 */
export const useTimeAnchor = (): [anchor: number, renew: () => void] => {
  const place = useLocation({ select: ({ state, href }) => state.__TSR_key ?? href })
  const [anchor, setAsOf] = useState(() => moments.get(place) ?? momentForPage())
  useEffect(() => remember(place, anchor), [place, anchor])
  return [anchor, () => setAsOf(Math.floor(Date.now() / 1000))]
}
