import { ownMember } from '@tollgate/contract/own-member'
import type { TableLayout } from '../../../lib/api/contract.ts'
import type { Column } from './column.ts'

export type Side = 'left' | 'right'

type LayoutColumn = Pick<Column<never>, 'id' | 'hidden'>

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')

const recordOf = <T>(value: unknown, is: (entry: unknown) => entry is T): Record<string, T> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, T] => is(entry[1])))
    : {}

/** How a table is drawn for those who never chose anything. */
export const ownLayout = (columns: readonly LayoutColumn[]): TableLayout => ({
  order: columns.map(({ id }) => id),
  hidden: columns.flatMap(({ id, hidden }) => (hidden ? [id] : [])),
  widths: {},
  pins: {},
  density: 'comfortable',
})

/**
 * Fits a stored layout to the present columns: new columns come last, removed ones are dropped, the first column stays
 * first.
 */
export const fittedLayout = (stored: unknown, columns: readonly LayoutColumn[]): TableLayout => {
  const layout = (stored ?? {}) as Partial<Record<keyof TableLayout, unknown>>
  const own = ownLayout(columns)
  if (!isTexts(layout.order) || !isTexts(layout.hidden)) return own
  const first = own.order.slice(0, 1)
  const kept = layout.order.filter((id) => own.order.includes(id) && !first.includes(id))
  const fresh = own.order.filter((id) => !kept.includes(id) && !first.includes(id))
  const [storedIds, hidden] = [new Set(layout.order), new Set(layout.hidden)]
  return {
    order: [...first, ...kept, ...fresh],
    hidden: own.order.filter((id) => (storedIds.has(id) ? hidden.has(id) : own.hidden.includes(id))),
    widths: recordOf(layout.widths, (width): width is number => Number.isInteger(width)),
    pins: recordOf(layout.pins, (side): side is Side => side === 'left' || side === 'right'),
    density: layout.density === 'compact' ? 'compact' : 'comfortable',
  }
}

export const withToggled = (layout: TableLayout, id: string): TableLayout => ({
  ...layout,
  hidden: layout.hidden.includes(id) ? layout.hidden.filter((entry) => entry !== id) : [...layout.hidden, id],
})

/** Puts a column at the place of another one; the first column keeps its place. */
export const withMoved = (layout: TableLayout, id: string, to: number): TableLayout => {
  const rest = layout.order.filter((entry) => entry !== id)
  const place = Math.max(1, Math.min(to, rest.length))
  return { ...layout, order: rest.toSpliced(place, 0, id) }
}

/** Fixes a column to a side; undefined lets it go. */
export const withPinned = (layout: TableLayout, id: string, side: Side | undefined): TableLayout => {
  const { [id]: _, ...pins } = layout.pins
  return { ...layout, pins: side ? { ...pins, [id]: side } : pins }
}

/** Sets a column's width in px; undefined fits it to the content. */
export const withWidth = (layout: TableLayout, id: string, width: number | undefined): TableLayout => {
  const { [id]: _, ...widths } = layout.widths
  return { ...layout, widths: width === undefined ? widths : { ...widths, [id]: width } }
}

/** The columns to draw, from left to right; pinned columns come first or last, at their side. */
export const shownColumns = <Row>(layout: TableLayout, columns: readonly Column<Row>[]): Column<Row>[] => {
  const first = columns[0]?.id
  const ids = layout.order.filter((id) => id === first || !layout.hidden.includes(id))
  const rank = (id: string): number => {
    const side = ownMember(layout.pins, id)
    return id === first ? 0 : side === 'left' ? 1 : side === 'right' ? 3 : 2
  }
  return ids
    .toSorted((left, right) => rank(left) - rank(right))
    .flatMap((id) => columns.find((column) => column.id === id) ?? [])
}
