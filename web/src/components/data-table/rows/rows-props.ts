import type { FocusEvent, MouseEvent, PointerEvent } from 'react'
import type { TableLayout } from '../../../lib/api/contract.ts'
import type { PointedAt } from '../../../lib/loading/use-pointed-at.ts'
import type { Sort } from '../../../lib/url/url-state.ts'
import type { Column, RowAction } from '../columns/column.ts'
import type { Selection } from './selection.ts'

/** What can be done with a row. The functions never change, so that rows are drawn anew for what they show only. */
export interface RowHandlers<Row> {
  open: (row: Row) => void
  context: (row: Row, event: MouseEvent) => void
  toggle: (row: Row, options?: { range?: boolean }) => void
  actions: (row: Row) => readonly RowAction[]
  /** The pointer or the keyboard is at the row. */
  intent: PointedAt<Row>
}

/** What is said of a row beside its cells. */
export interface DrawnRow<Row> {
  row: Row
  id: string
  name: string
  quiet: boolean
  /** Whether there is something to do with it. */
  menu: boolean
}

/** What the table and its cards need to draw rows. */
export interface RowsProps<Row> {
  title: string
  rows: readonly DrawnRow<Row>[]
  columns: readonly Column<Row>[]
  selection: Selection<Row> | undefined
  /** Whether rows can be opened, and whether there is a column for their menus. */
  opens: boolean
  menus: boolean
  on: RowHandlers<Row>
  /** The row that the keyboard is at. */
  active: number
  sort: Sort | undefined
  onSort: (sort: Sort | undefined) => void
  /** How wide columns are and where they are pinned. */
  layout: TableLayout
  onLayout: (layout: TableLayout) => void
  /** Grey rows to draw while the first answer is on its way. */
  waiting: number
}

/** What one row or card is drawn from: only what it shows. */
export interface RowProps<Row> extends Omit<DrawnRow<Row>, 'id'>, Pick<RowsProps<Row>, 'columns' | 'opens' | 'on'> {
  index: number
  active: boolean
  /** Undefined where rows cannot be selected. */
  selected: boolean | undefined
}

/** Clicks on what has a purpose of its own do not open the row; nor does the end of selecting text. */
export const isOwnClick = (event: MouseEvent): boolean =>
  (event.target instanceof Element && event.target.closest('button, a, input, label, [role=menu]') !== null) ||
  (window.getSelection()?.toString() ?? '') !== ''

/** Listeners of a row for who points at it. */
export const pointingAt = <Row>(row: Row, { enter, focus, leave }: PointedAt<Row>) => ({
  onPointerEnter: (event: PointerEvent) => enter(row, event),
  onPointerLeave: leave,
  onFocus: (event: FocusEvent) => focus(row, event),
  onBlur: leave,
})
