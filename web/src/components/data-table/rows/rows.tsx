import { type MouseEvent, type RefObject, useMemo, useState } from 'react'
import { useLatest } from '../../../lib/loading/latest.ts'
import { usePointedAt } from '../../../lib/loading/use-pointed-at.ts'
import type { RowAction } from '../columns/column.ts'
import { useTableKeys } from '../keyboard.ts'
import { Cards } from './cards.tsx'
import { Grid } from './grid.tsx'
import type { DrawnRow, RowHandlers, RowsProps } from './rows-props.ts'

type SharedRowsProps<Row> = Pick<
  RowsProps<Row>,
  'title' | 'columns' | 'selection' | 'sort' | 'onSort' | 'layout' | 'onLayout' | 'waiting' | 'current'
>

export interface TableRowsProps<Row> extends SharedRowsProps<Row> {
  rows: readonly Row[]
  /** Cards instead of a table. */
  cards: boolean
  idOf: (row: Row) => string
  nameOf: (row: Row) => string
  isQuiet: ((row: Row) => boolean) | undefined
  actionsOf: ((row: Row) => readonly RowAction[]) | undefined
  onOpen: ((row: Row) => void) | undefined
  /** Action of Enter on a row; `onOpen` if absent. */
  onEnter: ((row: Row) => void) | undefined
  onPoint: ((row: Row) => void) | undefined
  onContext: (row: Row, event: MouseEvent) => void
  /** Element that contains the rows. */
  frame: RefObject<HTMLElement | null>
}

const useHandlers = <Row,>(props: TableRowsProps<Row>): RowHandlers<Row> => {
  const latest = useLatest(props)
  const intent = usePointedAt(props.onPoint)
  return useMemo(
    () => ({
      open: (row) => latest.current.onOpen?.(row),
      context: (row, event) => latest.current.onContext(row, event),
      toggle: (row, options) => latest.current.selection?.toggle(row, options),
      actions: (row) => latest.current.actionsOf?.(row) ?? [],
      intent,
    }),
    [latest, intent],
  )
}

/** The rows of a table or its cards, and the keyboard among them, which draws nothing but the rows that it is at. */
export const TableRows = <Row,>(props: TableRowsProps<Row>) => {
  const { rows, cards, idOf, nameOf, isQuiet, actionsOf, onOpen, onEnter, onPoint: _, onContext: __, ...others } = props
  const { frame, ...rest } = others
  const [active, setActive] = useState(-1)
  const on = useHandlers(props)
  const drawn = useMemo(
    () =>
      rows.map(
        (row): DrawnRow<Row> => ({
          row,
          id: idOf(row),
          name: nameOf(row),
          quiet: isQuiet?.(row) ?? false,
          menu: actionsOf !== undefined && actionsOf(row).length > 0,
        }),
      ),
    [rows, idOf, nameOf, isQuiet, actionsOf],
  )
  const activeRow = rows[active]
  useTableKeys({
    onMove: (by) => {
      const next = Math.max(0, Math.min(rows.length - 1, active + by))
      setActive(next)
      frame.current?.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus()
    },
    onOpen: () => activeRow !== undefined && (onEnter ?? onOpen)?.(activeRow),
    onToggle: () => activeRow !== undefined && rest.selection?.toggle(activeRow),
  })
  const Rows = cards ? Cards : Grid
  return (
    <Rows {...rest} rows={drawn} opens={onOpen !== undefined} menus={actionsOf !== undefined} on={on} active={active} />
  )
}
