import type { FocusEvent, MouseEvent, PointerEvent } from 'react'
import type { TableLayout } from '../../../lib/api/contract.ts'
import type { PointedAt } from '../../../lib/loading/use-pointed-at.ts'
import type { Sort } from '../../../lib/url/url-state.ts'
import type { Column, RowAction } from '../columns/column.ts'
import type { Selection } from './selection.ts'

/** The handlers of a row. They never change, so that a row is drawn again only when its content changes. */
export interface RowHandlers<Row> {
  open: (row: Row) => void
  context: (row: Row, event: MouseEvent) => void
  toggle: (row: Row, options?: { range?: boolean }) => void
  actions: (row: Row) => readonly RowAction[]
  /** The pointer or the keyboard is at the row. */
  intent: PointedAt<Row>
}

/** Attributes of a row beside its cells. */
export interface DrawnRow<Row> {
  row: Row
  id: string
  name: string
  quiet: boolean
  /** True if the row has actions. */
  menu: boolean
}

/** The common props of the grid and the cards. */
export interface RowsProps<Row> {
  title: string
  rows: readonly DrawnRow<Row>[]
  columns: readonly Column<Row>[]
  selection: Selection<Row> | undefined
  /** True if rows can be opened; `menus` is true if there is a column for their menus. */
  opens: boolean
  menus: boolean
  on: RowHandlers<Row>
  /** The row that the keyboard is at. */
  active: number
  /** The id of the row whose sheet is open beside the table. */
  current?: string | undefined
  sort: Sort | undefined
  onSort: (sort: Sort | undefined) => void
  /** How wide columns are and where they are pinned. */
  layout: TableLayout
  onLayout: (layout: TableLayout) => void
  /** Grey rows to draw while the first answer is on its way. */
  waiting: number
}

/** The content of one row or card. */
export interface RowProps<Row> extends Omit<DrawnRow<Row>, 'id'>, Pick<RowsProps<Row>, 'columns' | 'opens' | 'on'> {
  index: number
  active: boolean
  /** Undefined where rows cannot be selected. */
  selected: boolean | undefined
}

/** True for clicks that must not open the row: on controls, and at the end of a text selection. */
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
