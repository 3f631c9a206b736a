import { momentForPage } from '../time/time-anchor.ts'
import { type RangeName, readRange } from '../time/time-range.ts'
import { timeZone } from '../time/time-zone.ts'
import { type TableQuery, type TableStateOptions, tableQueryAt } from './table-state.ts'
import type { Search } from './url-state.ts'

/** A table with a range of time among its filters, as unix seconds in the query of its list. */
export type RangedTable<F extends string> = TableStateOptions<F | 'range'> & { defaults: { range: RangeName } }

/** The query of a list in a range of time. */
export type RangedQuery<F extends string> = Omit<TableQuery<F>, 'range'> & {
  start_timestamp?: number
  end_timestamp?: number
}

/** Turns the range of a table's query into unix seconds; relative ones count from `anchor`, days begin in `zone`. */
export const rangeQuery = <F extends string>(
  { defaults }: Pick<RangedTable<F>, 'defaults'>,
  query: TableQuery<F | 'range'>,
  { anchor, zone }: { readonly anchor: number; readonly zone: string | undefined },
): RangedQuery<F> => {
  const { range = 'all', ...filter } = query as TableQuery<F> & { range?: string }
  const { from, to } = readRange(range, anchor, defaults.range, zone)
  return {
    ...(filter as Omit<TableQuery<F>, 'range'>),
    ...(from === undefined ? {} : { start_timestamp: Math.floor(from) }),
    ...(to === undefined ? {} : { end_timestamp: Math.floor(to) }),
  }
}

/** The same for the first read of a page, at its address. */
export const firstRangeQuery = <F extends string>(table: RangedTable<F>, search: Search): RangedQuery<F> =>
  rangeQuery(table, tableQueryAt<F | 'range'>(table, search), { anchor: momentForPage(), zone: timeZone() })
