import { type CSSProperties, type PointerEvent, type RefObject, useMemo, useState } from 'react'
import type { TableLayout } from '../../../lib/api/contract.ts'
import type { Column } from './column.ts'
import type { Resizing } from './column-edge.tsx'
import classes from './columns.module.css'
import { type Side, withWidth } from './layout.ts'
import { pinOf, usePins } from './pins.ts'

type Drawn = Pick<Column<never>, 'id' | 'width'>

export interface CellLook {
  style?: CSSProperties
  'data-pin'?: Side
  'data-sized'?: true
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void
}

/** The layout's additions to the table, its headers and its cells. */
export interface ColumnLook extends Resizing {
  readonly className: string | undefined
  readonly style: CSSProperties
  readonly header: (column: Drawn) => { style?: CSSProperties; 'data-sized'?: true }
  /** Of the cells of each column, from left to right. */
  readonly cells: readonly CellLook[]
}

const widthName = (id: string): `--width-${string}` => `--width-${id}`

/** Shows the full text of a cut element on hover. */
export const showCutText = ({ currentTarget: cell }: PointerEvent<HTMLElement>): void => {
  const cut = [cell, ...cell.querySelectorAll<HTMLElement>('*')].some((part) => part.scrollWidth > part.clientWidth + 1)
  cell.title = cut ? (cell.textContent ?? '') : ''
}

const cellLook = (id: string, pins: TableLayout['pins'], sized: boolean): CellLook => {
  const { style, ...pin } = pinOf(pins, id)
  if (!sized) return { ...pin, ...(style ? { style } : {}) }
  const widest = { ...style, maxWidth: `var(${widthName(id)})` }
  return { ...pin, 'data-sized': true, style: widest, onPointerEnter: showCutText }
}

/** Draws columns as wide as a person made them, and where they were pinned. */
export const useColumnLook = (
  table: RefObject<HTMLTableElement | null>,
  props: {
    columns: readonly Drawn[]
    layout: TableLayout
    onLayout: (layout: TableLayout) => void
  },
): ColumnLook => {
  const { columns, layout, onLayout } = props
  const [dragged, setDragged] = useState<string>()
  const ids = columns.map(({ id }) => id)
  usePins(table, ids, layout.pins)
  const isSized = (id: string): boolean => id === dragged || Object.hasOwn(layout.widths, id)
  const sizes = Object.entries(layout.widths).map(([id, width]) => [widthName(id), `${width}px`])
  const cells = useMemo(
    () => columns.map(({ id }) => cellLook(id, layout.pins, id === dragged || Object.hasOwn(layout.widths, id))),
    [columns, layout, dragged],
  )
  return {
    widths: layout.widths,
    className: ids.every(isSized) ? `${classes.chosen} ${classes.allSized}` : classes.chosen,
    style: Object.fromEntries(sizes) as CSSProperties,
    header: ({ id, width }) => {
      const { style, ...pin } = pinOf(layout.pins, id)
      const own = width === undefined ? {} : { minWidth: width }
      const sized = {
        width: `var(${widthName(id)})`,
        minWidth: `var(${widthName(id)})`,
        maxWidth: `var(${widthName(id)})`,
      }
      return isSized(id)
        ? { ...pin, 'data-sized': true, style: { ...style, ...sized } }
        : { ...pin, style: { ...style, ...own } }
    },
    cells,
    // Straight to the page: drawing every row anew for every pixel would be slow.
    onDrag: (id, width) => {
      setDragged(id)
      table.current?.style.setProperty(widthName(id), `${width}px`)
    },
    onKeep: (id, width) => {
      setDragged(undefined)
      onLayout(withWidth(layout, id, width))
    },
  }
}
