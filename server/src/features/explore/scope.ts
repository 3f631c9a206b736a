import {
  type ExploreDimension,
  type ExploreFilter,
  type ExploreMetric,
  isKnownTogether,
  isOperatorDimension,
  isOperatorMetric,
  isOrganisationDimension,
} from '@tollgate/contract'
import type { FigureFilter } from '../../ledger/figures/dimensions.ts'
import { AppError } from '../../lib/app-error.ts'

/** Readable part of an organisation: all calls that its wallet paid, or those of some of its keys. */
export interface OrganisationScope {
  /** The wallet. */
  readonly userId: number
  readonly tokenIds?: readonly number[]
}

/** Scope of figures: all users, one user, or the readable part of an organisation. */
export type ExploreScope =
  | { readonly all: true }
  | { readonly userId: number }
  | { readonly organisation: OrganisationScope }

interface Asked {
  readonly metric: ExploreMetric
  readonly filters: readonly ExploreFilter[]
}

/** A call with several tags would count for each of those that are meant. */
const isBlurred = ({ dimension, is, values }: ExploreFilter): boolean =>
  dimension === 'tag' && (is !== 'is' || values.length > 1)

/** Throws permission_denied where somebody asks for what only operators see, and invalid_parameter for what is not kept together. */
export const checkRights = (
  scope: ExploreScope,
  { metric, filters }: Asked,
  dimensions: readonly ExploreDimension[] = [],
): void => {
  const asked = [...dimensions, ...filters.map(({ dimension }) => dimension)]
  if (!isKnownTogether(metric, asked) || filters.some(isBlurred)) throw new AppError('invalid_parameter')
  if ('all' in scope) return
  const isOpen = (dimension: ExploreDimension): boolean =>
    'organisation' in scope ? isOrganisationDimension(dimension) : !isOperatorDimension(dimension)
  if (isOperatorMetric(metric) || !asked.every(isOpen)) throw new AppError('permission_denied')
}

const only = (dimension: 'user' | 'key', ids: readonly number[]): FigureFilter => ({
  dimension,
  is: 'is',
  values: ids.map(String),
})

/** The filters of a question, and those that keep it within its scope. */
export const filtersOf = (scope: ExploreScope, filters: readonly ExploreFilter[]): readonly FigureFilter[] => {
  if ('all' in scope) return filters
  if ('userId' in scope) return [...filters, only('user', [scope.userId])]
  const { userId, tokenIds } = scope.organisation
  return [...filters, only('user', [userId]), ...(tokenIds === undefined ? [] : [only('key', tokenIds)])]
}
