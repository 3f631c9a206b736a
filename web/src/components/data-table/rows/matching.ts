import { useState } from 'react'
import type { TableState } from '../../../lib/url/table-state.ts'
import type { BulkAction, Matching } from '../columns/column.ts'
import type { Selection } from './selection.ts'

export interface MatchingChoice {
  /** Everything that fits the filters, when that is chosen. */
  chosen: Matching | undefined
  /** All rows that match; undefined when the page holds all of them, or when no action accepts them. */
  offered: Matching | undefined
  choose: () => void
}

interface Parts<Row, F extends string> {
  state: TableState<F>
  page: { items: readonly unknown[]; total: number; total_capped?: boolean | undefined } | undefined
  selection: Selection<Row>
  bulkActions: readonly BulkAction<Row>[]
  /** Cards have no box that selects the page: one of them is enough. */
  cards: boolean
}

/** Offers all rows that match where the whole page is selected; other filters or fewer rows take that back. */
export const useMatching = <Row, F extends string>(parts: Parts<Row, F>): MatchingChoice => {
  const { state, page, selection } = parts
  const [chosenFor, setChosenFor] = useState<string>()
  const { p: _page, page_size: _size, sort: _sort, ...filter } = state.query
  const whole = selection.page === 'all' || (parts.cards && selection.page === 'some')
  const more = page !== undefined && page.total > page.items.length
  const key = JSON.stringify(filter)
  const matching: Matching | undefined =
    whole && more && parts.bulkActions.some(({ onMatching }) => onMatching)
      ? { filter: filter as Record<string, string>, count: page.total, capped: page.total_capped === true }
      : undefined
  if (chosenFor !== undefined && (matching === undefined || chosenFor !== key)) setChosenFor(undefined)
  return {
    chosen: chosenFor === key ? matching : undefined,
    offered: chosenFor === key ? undefined : matching,
    choose: () => {
      // One card was enough to be offered it; now the whole page is shown as selected.
      if (selection.page !== 'all') selection.togglePage()
      setChosenFor(key)
    },
  }
}
