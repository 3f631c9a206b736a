import type { FigureCondition, FigureDimension, FigureMetric } from '../api/contract.ts'
import type { Search } from './url-state.ts'

/** A filter in an address: what is asked, how, and its values. */
export type ConditionTuple = readonly [FigureDimension, FigureCondition['is'], ...string[]]

/** Filters as an address has them. */
export const printFilters = (filters: readonly FigureCondition[]): string | undefined =>
  filters.length === 0
    ? undefined
    : JSON.stringify(filters.map(({ dimension, is, values }): ConditionTuple => [dimension, is, ...values]))

const isFilter = (
  value: unknown,
  known: readonly string[],
): value is [FigureDimension, FigureCondition['is'], ...string[]] =>
  Array.isArray(value) &&
  value.length > 2 &&
  value.every((part) => typeof part === 'string' && part !== '') &&
  known.includes(value[0]) &&
  ['is', 'not', 'contains'].includes(value[1])

/** The inverse of `printFilters`; what cannot be read is left out. */
export const readFilters = (
  text: string | undefined,
  known: readonly FigureDimension[],
): readonly FigureCondition[] => {
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

/** A question about figures with which a list or a page opens the page of figures; that page decides what is absent. */
export interface FigureLink {
  readonly metric?: FigureMetric
  readonly by?: FigureDimension
  readonly second?: FigureDimension
  /** As in other addresses: `7d`, or `from..to` in unix seconds. */
  readonly range?: string | undefined
  readonly filters?: readonly FigureCondition[]
}

/** The question as parameters of the address. */
export const figureSearch = ({ filters = [], ...rest }: FigureLink): Search =>
  Object.fromEntries(
    Object.entries({ ...rest, filter: printFilters(filters) }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
