import { useLayoutEffect, useState } from 'react'
import { isChosen, type TableState } from '../../../lib/url/table-state.ts'
import type { Facet } from '../columns/column.ts'

/** Around the text of a chip: padding, the plus sign and the gap to the next one. */
const chipExtra = 40
const latin = 7.2
const wide = 13.2

/** Pixels of a chip that is not set, from its label alone: measuring would draw every chip twice. */
const chipWidth = (label: string): number =>
  [...label].reduce((sum, sign) => sum + (sign.charCodeAt(0) > 0x2e80 ? wide : latin), chipExtra)

const moreWidth = 44

/** Width of the bar's contents without the chips of filters that are not set. */
const takenWidth = (bar: HTMLElement): number =>
  [...bar.children]
    .filter((child) => !child.matches('[data-facet]:not([data-set])'))
    .reduce((sum, child) => sum + child.getBoundingClientRect().width + 8, 24)

/**
 * The filters that fit into one line of the toolbar; set ones and the one that was just added always do. `rest` is for the
 * menu behind them. Without a layout, all fit.
 */
export const useFittingFacets = <F extends string>(
  bar: HTMLElement | null,
  facets: readonly Facet<F>[],
  state: TableState<F>,
  added: F | undefined,
): { shown: readonly Facet<F>[]; rest: readonly Facet<F>[] } => {
  const [free, setFree] = useState(Number.POSITIVE_INFINITY)
  // Layout is known after drawing only.
  useLayoutEffect(() => {
    if (!bar || typeof ResizeObserver === 'undefined') return
    const measure = (): void => {
      const { width } = bar.getBoundingClientRect()
      if (width > 0) setFree(Math.round(width - takenWidth(bar)))
    }
    const sizes = new ResizeObserver(measure)
    const observe = (): void => {
      sizes.disconnect()
      for (const part of [bar, ...bar.children]) sizes.observe(part)
    }
    observe()
    const parts = new MutationObserver(observe)
    parts.observe(bar, { childList: true })
    return () => {
      sizes.disconnect()
      parts.disconnect()
    }
  }, [bar])
  const always = (facet: Facet<F>): boolean => isChosen(state, facet.id) || facet.id === added
  const widths = facets.map((facet) => (always(facet) ? 0 : chipWidth(facet.label)))
  const all = widths.reduce((sum, width) => sum + width, 0)
  if (all <= free) return { shown: facets, rest: [] }
  let used = moreWidth
  const fits = facets.map((facet, place) => {
    if (always(facet)) return true
    used += widths[place] ?? 0
    return used <= free
  })
  return { shown: facets.filter((_, place) => fits[place]), rest: facets.filter((_, place) => !fits[place]) }
}
