import type { Search } from '../url/url-state.ts'
import { mayReadAhead } from './may-read-ahead.ts'
import type { FirstRead, ReadAhead } from './read-ahead.ts'

let reader: ReadAhead | undefined
/** The console registers its prefetcher here; the sign-in pages have no cache. */
export const readAheadWith = (read: ReadAhead): void => {
  reader = read
}

interface Approach {
  preload: boolean
  search: Search
  params: object
}

interface FirstApproach extends Approach {
  load: () => Promise<{ readonly firstRead?: FirstRead }>
}

let firstApproach: FirstApproach | undefined
let isUnderWay = true

/** The page that the console was opened at; undefined once it was taken. */
export const takeFirstApproach = (): FirstApproach | undefined => {
  const approach = firstApproach
  firstApproach = undefined
  isUnderWay = false
  return approach
}

/**
 * Loader of a route that prefetches when the pointer rests on a link to it: it loads the code of the screen and then the screen's
 * `firstRead`. The screen makes the same reads when it is drawn and finds their answers in the cache.
 */
export const readsAhead =
  (load: () => Promise<{ readonly firstRead?: FirstRead }>) =>
  ({ preload, search, params }: Approach): void => {
    if (isUnderWay && !preload) firstApproach = { load, preload, search, params }
    if (!preload || !reader || !mayReadAhead()) return
    const read = reader
    // A failed prefetch is ignored; the read that needs the data reports failures.
    void load().then(
      ({ firstRead }) => firstRead?.(read, search, params as Record<string, string>),
      () => undefined,
    )
  }
