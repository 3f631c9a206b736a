import type { ReactNode } from 'react'
import type { IconName } from '../icon.tsx'

/** One column of a table. */
export interface Column<Row> {
  /** Also the name that the server sorts by, where `sortable`. */
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The plain value for exports; a column without it is not exported. */
  value?: (row: Row) => string | number | boolean | null
  sortable?: boolean
  /** Figures stand at the right. */
  align?: 'right'
  /** Least width in px. */
  width?: number
  /** Hidden until chosen in the column manager. */
  hidden?: boolean
  /** On a phone: `title` heads the card, `fact` (the default) is a labelled line, `none` leaves it out. */
  card?: 'title' | 'fact' | 'none'
}

/** One entry of a row's menu. */
export interface RowAction {
  label: string
  icon?: IconName
  onClick: () => void
  danger?: boolean
  disabled?: boolean
  /** Why it is disabled, or what it does. */
  hint?: string
}

/** One button for the selected rows. */
export interface BulkAction<Row> {
  label: string
  icon?: IconName
  onClick: (rows: readonly Row[], clear: () => void) => void
  danger?: boolean
}

export interface FacetOption {
  value: string
  label: string
  count?: number
}

/** A filter shown as a chip: values to choose from, or a text that must be contained. */
export type Facet<F extends string = string> =
  | { kind: 'choice'; id: F; label: string; options: readonly FacetOption[]; single?: boolean }
  | { kind: 'text'; id: F; label: string; placeholder?: string; suggestions?: readonly string[] }
