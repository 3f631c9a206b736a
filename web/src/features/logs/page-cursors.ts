import { useRef } from 'react'

interface Cursors {
  readonly view: string
  readonly after: Map<number, string>
}

/**
 * Remembers where the pages of a view begin that were turned to one after the other, so that the hundredth costs the server
 * no more than the first. A page that was jumped to is counted off instead.
 */
export const usePageCursors = (
  view: string,
): {
  of: (page: number) => string | undefined
  /** Notes where the next page begins, when that is the one to turn to; answers the page. */
  turnTo: (page: number, current: number, next: string | undefined) => number
} => {
  const known = useRef<Cursors>({ view, after: new Map() })
  const cursors = (): Cursors => {
    if (known.current.view !== view) known.current = { view, after: new Map() }
    return known.current
  }
  return {
    of: (page) => cursors().after.get(page),
    turnTo: (page, current, next) => {
      if (page === current + 1 && next !== undefined) cursors().after.set(page, next)
      return page
    },
  }
}
