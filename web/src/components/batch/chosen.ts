import type { BulkAction, Matching } from '../data-table/columns/column.ts'
import { callsFor, type Which } from './run-batch.ts'

/** The rows of a bulk action: the selected rows, or all that match the filters. */
export interface Chosen {
  calls: readonly Which[]
  count: number
  /** True when there are more than `count`. */
  capped: boolean
  /** True for all rows that match the filters, false for rows selected one by one. */
  matching: boolean
  /** What is said once it is done, in place of the number. */
  done?: string
  clear: () => void
}

export const chosenRows = (rows: readonly { id: number }[], clear: () => void): Chosen => ({
  calls: callsFor(rows.map(({ id }) => id)),
  count: rows.length,
  capped: false,
  matching: false,
  clear,
})

const chosenMatching = ({ filter, count, capped }: Matching, clear: () => void): Chosen => ({
  calls: [{ filter }],
  count,
  capped,
  matching: true,
  clear,
})

/** Both ways of a bulk action from one. */
export const forChosen = <Row extends { id: number }>(
  act: (chosen: Chosen) => void,
): Required<Pick<BulkAction<Row>, 'onClick' | 'onMatching'>> => ({
  onClick: (rows, clear) => act(chosenRows(rows, clear)),
  onMatching: (matching, clear) => act(chosenMatching(matching, clear)),
})

/** How many, as people read it. */
export const countText = ({ count, capped }: Pick<Chosen, 'count' | 'capped'>): string => `${count}${capped ? '+' : ''}`
