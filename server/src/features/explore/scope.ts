import {
  type ExploreDimension,
  type ExploreFilter,
  type ExploreMetric,
  isKnownTogether,
  isOperatorDimension,
  isOperatorMetric,
} from '@tollgate/contract'
import type { FigureFilter } from '../../ledger/figures/dimensions.ts'
import { AppError } from '../../lib/app-error.ts'

/** Whose figures: everybody's, or one user's. */
export type Scope = { readonly all: true } | { readonly userId: number }

interface Asked {
  readonly metric: ExploreMetric
  readonly filters: readonly ExploreFilter[]
}

/** A call with several tags would count for each of those that are meant. */
const isBlurred = ({ dimension, is, values }: ExploreFilter): boolean =>
  dimension === 'tag' && (is !== 'is' || values.length > 1)

/** Throws permission_denied where a user asks for what only operators see, and invalid_parameter for what is not kept together. */
export const checkRights = (
  scope: Scope,
  { metric, filters }: Asked,
  dimensions: readonly ExploreDimension[] = [],
): void => {
  const asked = [...dimensions, ...filters.map(({ dimension }) => dimension)]
  if (!isKnownTogether(metric, asked) || filters.some(isBlurred)) throw new AppError('invalid_parameter')
  if ('all' in scope) return
  if (isOperatorMetric(metric) || asked.some(isOperatorDimension)) throw new AppError('permission_denied')
}

/** The filters of a question, and that it is about one user where it is. */
export const filtersOf = (scope: Scope, filters: readonly ExploreFilter[]): readonly FigureFilter[] =>
  'all' in scope ? filters : [...filters, { dimension: 'user', is: 'is', values: [String(scope.userId)] }]
