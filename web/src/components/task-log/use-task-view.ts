import { useTimeAnchor } from '../../lib/time/time-anchor.ts'
import { useTimeZone } from '../../lib/time/time-zone.ts'
import { type RangedQuery, type RangedTable, rangeQuery } from '../../lib/url/range-query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { type TableState, useTableState } from '../../lib/url/table-state.ts'

/** Filters, range and the open row of a list of tasks, as the address has them. */
export interface TaskView<F extends string> {
  readonly state: TableState<F | 'range'>
  readonly query: RangedQuery<F>
  /** Counts relative ranges from now. */
  readonly renew: () => void
  /** The row whose sheet is open, if it is among these. */
  readonly openAmong: <Row extends { readonly id: number }>(rows: readonly Row[]) => Row | undefined
  readonly show: (row: { readonly id: number }) => void
  readonly close: () => void
}

export const useTaskView = <F extends string>(table: RangedTable<F>): TaskView<F> => {
  const zone = useTimeZone()
  const [search, setSearch] = useSearchParams()
  const [anchor, renew] = useTimeAnchor()
  const state = useTableState<F | 'range'>(table)
  return {
    state,
    query: rangeQuery<F>(table, state.query, { anchor, zone }),
    renew,
    openAmong: (rows) => rows.find(({ id }) => String(id) === search.id),
    show: ({ id }) => setSearch({ id: String(id) }),
    close: () => setSearch({ id: undefined }),
  }
}
