import { ownMember } from '@tollgate/contract/own-member'
import { type CSSProperties, type RefObject, useEffect } from 'react'
import type { TableLayout } from '../../../lib/api/contract.ts'
import type { Side } from './layout.ts'

/** Pinned columns may take this share of the table; where they would take more, only the first one stays pinned. */
const mostShare = 0.6

const pinName = (id: string): `--pin-${string}` => `--pin-${id}`

/** How a header or cell of a pinned column is drawn: `data-pin` and its distance from the edge, measured by `usePins`. */
export const pinOf = (pins: TableLayout['pins'], id: string): { 'data-pin'?: Side; style?: CSSProperties } => {
  const side = ownMember(pins, id)
  return side ? { 'data-pin': side, style: { [side]: `var(${pinName(id)})` } } : {}
}

/** The distance of each pinned column from its edge: the widths of the pinned columns before it. */
const distances = (
  columns: readonly { id: string; width: number }[],
  isPinned: (id: string) => boolean,
  start: number,
): { at: ReadonlyMap<string, number>; end: number } => {
  const at = new Map<string, number>()
  let end = start
  for (const { id, width } of columns.filter((column) => isPinned(column.id))) {
    at.set(id, end)
    end += width
  }
  return { at, end }
}

const place = (table: HTMLTableElement, ids: readonly string[], pins: TableLayout['pins']): void => {
  const widths = [...(table.tHead?.rows[0]?.cells ?? [])].map((header) => header.getBoundingClientRect().width)
  // Headers are: the box for selecting where there is one, the columns, the row's menu where there is one.
  const hasMenu = table.tHead?.querySelector('[data-action]') ? 1 : 0
  const hasBox = widths.length - ids.length - hasMenu
  const columns = ids.map((id, index) => ({ id, width: widths[index + hasBox] ?? 0 }))
  const first = ids[0]
  const left = distances(columns, (id) => id === first || ownMember(pins, id) === 'left', hasBox ? (widths[0] ?? 0) : 0)
  const right = distances(
    columns.toReversed(),
    (id) => ownMember(pins, id) === 'right',
    hasMenu ? (widths.at(-1) ?? 0) : 0,
  )
  const room = table.parentElement?.clientWidth ?? 0
  const isCrowded = room > 0 && left.end + right.end > room * mostShare
  for (const [id, distance] of [...left.at, ...right.at])
    table.style.setProperty(pinName(id), isCrowded ? 'auto' : `${distance}px`)
}

/** Keeps pinned columns beside each other however wide they become. `ids` are the columns from left to right. */
export const usePins = (
  table: RefObject<HTMLTableElement | null>,
  ids: readonly string[],
  pins: TableLayout['pins'],
): void => {
  const shape = JSON.stringify([ids, pins])
  // The browser's layout: widths are known only when the table is drawn, and change with what stands in it.
  useEffect(() => {
    const drawn = table.current
    if (!drawn) return
    const [columns, pinned] = JSON.parse(shape) as [string[], TableLayout['pins']]
    const measure = (): void => place(drawn, columns, pinned)
    measure()
    if (typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(measure)
    for (const header of drawn.tHead?.rows[0]?.cells ?? []) observer.observe(header)
    if (drawn.parentElement) observer.observe(drawn.parentElement)
    return () => observer.disconnect()
  }, [table, shape])
}
