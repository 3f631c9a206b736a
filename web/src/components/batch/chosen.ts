import type { BulkAction, Matching } from '../data-table/columns/column.ts'
import { type BatchRows, callsFor } from './tally.ts'

/** The rows of a bulk action: the selected rows, or all that match the filters. */
export interface Chosen {
  calls: readonly BatchRows[]
  count: number
  /** True when there are more than `count`. */
  capped: boolean
  /** True for all rows that match the filters, false for rows selected one by one. */
  matching: boolean
  /** The name of the row, where it is a single one. */
  name: string | undefined
  clear: () => void
}

export const chosenRows = <Row extends { id: number }>(
  rows: readonly Row[],
  clear: () => void,
  nameOf: (row: Row) => string,
): Chosen => ({
  calls: callsFor(rows.map(({ id }) => id)),
  count: rows.length,
  name: rows.length === 1 ? rows.map(nameOf).join() : undefined,
  capped: false,
  matching: false,
  clear,
})

const chosenMatching = ({ filter, count, capped }: Matching, clear: () => void): Chosen => ({
  calls: [{ filter }],
  count,
  name: undefined,
  capped,
  matching: true,
  clear,
})

/** Both ways of a bulk action from one. */
export const forChosen = <Row extends { id: number }>(
  act: (chosen: Chosen) => void,
  nameOf: (row: Row) => string,
): Required<Pick<BulkAction<Row>, 'onClick' | 'onMatching'>> => ({
  onClick: (rows, clear) => act(chosenRows(rows, clear, nameOf)),
  onMatching: (matching, clear) => act(chosenMatching(matching, clear)),
})

/** How many, as people read it. */
export const countText = ({ count, capped }: Pick<Chosen, 'count' | 'capped'>): string => `${count}${capped ? '+' : ''}`
