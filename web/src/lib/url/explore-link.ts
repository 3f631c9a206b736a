import type { ExploreDimension, ExploreFilter, ExploreMetric } from '../api/contract.ts'
import { printSearch, type Search } from './url-state.ts'

/** A filter in an address: what is asked, how, and its values. */
export type ExploreFilterTuple = readonly [ExploreDimension, ExploreFilter['is'], ...string[]]

/** Filters as the address of Explore has them. */
export const printFilters = (filters: readonly ExploreFilter[]): string | undefined =>
  filters.length === 0
    ? undefined
    : JSON.stringify(filters.map(({ dimension, is, values }): ExploreFilterTuple => [dimension, is, ...values]))

const isFilter = (
  value: unknown,
  known: readonly string[],
): value is [ExploreDimension, ExploreFilter['is'], ...string[]] =>
  Array.isArray(value) &&
  value.length > 2 &&
  value.every((part) => typeof part === 'string' && part !== '') &&
  known.includes(value[0]) &&
  ['is', 'not', 'contains'].includes(value[1])

/** The inverse of `printFilters`; what cannot be read is left out. */
export const readFilters = (text: string | undefined, known: readonly ExploreDimension[]): readonly ExploreFilter[] => {
  if (!text) return []
  try {
    const value = JSON.parse(text) as unknown
    if (!Array.isArray(value)) return []
    return value
      .filter((entry) => isFilter(entry, known))
      .map(([dimension, is, ...values]) => ({ dimension, is, values }))
  } catch {
    return []
  }
}

/** Parameters with which a list or a page opens Explore; absent ones have Explore's defaults. */
export interface ExploreLink {
  readonly metric?: ExploreMetric
  readonly by?: ExploreDimension
  readonly second?: ExploreDimension
  /** As in other addresses: `7d`, or `from..to` in unix seconds. */
  readonly range?: string | undefined
  readonly filters?: readonly ExploreFilter[]
}

export const exploreSearch = ({ filters = [], ...rest }: ExploreLink): Search =>
  Object.fromEntries(
    Object.entries({ ...rest, filter: printFilters(filters) }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )

/** The address of Explore with a question: the one way in from lists and pages. */
export const exploreLink = (link: ExploreLink): string => `/explore${printSearch(exploreSearch(link))}`
