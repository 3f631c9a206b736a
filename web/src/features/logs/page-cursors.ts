type Cursors = Map<number, string>

const mostViews = 20
/** Cursors of the pages that were opened, by view; still there after leaving the log and coming back. */
const cursorsByView = new Map<string, Cursors>()

const cursorsOf = (view: string): Cursors => {
  const cursors = cursorsByView.get(view) ?? new Map()
  cursorsByView.set(view, cursors)
  const [oldest] = cursorsByView.keys()
  if (cursorsByView.size > mostViews && oldest !== undefined) cursorsByView.delete(oldest)
  return cursors
}

/**
 * Remembers where the pages of a view begin that were turned to one after the other, so that the hundredth costs the server
 * no more than the first. A page that was jumped to is counted off instead.
 */
export const pageCursors = (
  view: string,
): {
  of: (page: number) => string | undefined
  /** Notes where the next page begins, when that is the one to turn to; answers the page. */
  turnTo: (page: number, current: number, next: string | undefined) => number
} => ({
  of: (page) => cursorsByView.get(view)?.get(page),
  turnTo: (page, current, next) => {
    if (page === current + 1 && next !== undefined) cursorsOf(view).set(page, next)
    return page
  },
})
