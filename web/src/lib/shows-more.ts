type Ends = 'start' | 'end' | 'both'

/** Pixels of which zoomed pages are unsure. */
const slack = 2

const hiddenEnds = ({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): Ends | undefined => {
  const isBefore = scrollLeft > slack
  const isBehind = scrollLeft + clientWidth < scrollWidth - slack
  if (isBefore && isBehind) return 'both'
  return isBefore ? 'start' : isBehind ? 'end' : undefined
}

/**
 * The ref of an element that scrolls sideways: fades the ends beyond which there is more, by `data-more` (styles/look.css). Returns what
 * ends it, as React wants of a ref.
 */
export const showsMore = (element: HTMLElement | null): (() => void) | undefined => {
  if (element === null) return undefined
  const mark = (): void => {
    const ends = hiddenEnds(element)
    if (ends === undefined) delete element.dataset.more
    else element.dataset.more = ends
  }
  const sizes = new ResizeObserver(mark)
  const watchSizes = (): void => {
    for (const part of [element, ...element.children]) sizes.observe(part)
    mark()
  }
  const parts = new MutationObserver(watchSizes)
  parts.observe(element, { childList: true })
  element.addEventListener('scroll', mark, { passive: true })
  watchSizes()
  return () => {
    sizes.disconnect()
    parts.disconnect()
    element.removeEventListener('scroll', mark)
  }
}
