import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '../../lib/api/api.ts'
import type { TableState } from '../../lib/url/table-state.ts'

type Source = Pick<UseQueryResult<unknown, ApiError>, 'isPending' | 'isPlaceholderData' | 'error' | 'refetch'>

/** State of a table whose rows come in one answer: the rows whose text has the keyword, and one page of them. */
export const pageOfRows = <Row>(
  source: Source,
  rows: readonly Row[] | undefined,
  { page, pageSize, filters }: Pick<TableState<'keyword'>, 'page' | 'pageSize' | 'filters'>,
  textOf: (row: Row) => string,
) => {
  const wanted = filters.keyword?.trim().toLowerCase() ?? ''
  const fitting = rows?.filter((row) => textOf(row).toLowerCase().includes(wanted))
  const data = fitting && { items: fitting.slice((page - 1) * pageSize, page * pageSize), total: fitting.length }
  const { isPending, isPlaceholderData, error, refetch } = source
  return { data, isPending, isPlaceholderData, error, refetch }
}

export const keywordOnly = ['keyword'] as const
