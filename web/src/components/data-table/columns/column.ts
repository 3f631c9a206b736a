import type { Callable } from 'virtual:contract'
import type { ReactNode } from 'react'
import type { countChannels } from '../../../lib/api/contract.ts'
import type { IconName } from '../../display/icon.tsx'

/** One column of a table. */
export interface Column<Row> {
  /** Also the name that the server sorts by, where `sortable`. */
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Stands after the cell: controls, which must not be inside the button that opens the row. */
  beside?: (row: Row) => ReactNode
  /** The plain value for exports; a column without it is not exported. */
  value?: (row: Row) => string | number | boolean | null
  /** The filters of its value: the menu narrows the list to it, or excludes it. */
  filters?: (row: Row) => readonly CellFilter[]
  sortable?: boolean
  /** Right-aligned, for figures. */
  align?: 'right'
  /** Least width in px. */
  width?: number
  /** Most width in px: longer content is cut, and whole on hover and focus. Figures are never cut. */
  most?: number
  /** Exports write the sum of the column under the rows. */
  sum?: boolean
  /** The exported value is quota: a column with the same amount in dollars follows it. */
  money?: boolean
  /** Unit of the exported value, behind the column's name. */
  unit?: 'ms'
  /** Hidden until chosen in the column manager. */
  hidden?: boolean
  /**
   * On a phone, where a row has two lines: `title` stands on the first, `amount` at its right end, `fact` (the default) on the
   * second, `field` below with its name, for what is edited in place, `none` nowhere.
   */
  card?: 'title' | 'amount' | 'fact' | 'field' | 'none'
  /** The cell on a phone, where it differs; null leaves it out. */
  cardCell?: (row: Row) => ReactNode
}

/** A value of a row as a filter of its list. */
export interface CellFilter {
  facet: string
  value: string
}

/** One entry of a row's menu. */
export interface RowAction {
  label: string
  icon?: IconName
  onClick: () => void
  danger?: boolean
  /** It changes something: disabled on a page that may only be looked at. */
  changes?: boolean
  disabled?: boolean
  /** Why it is disabled, or what it does. */
  hint?: string
}

/** One button for the selected rows. */
export interface BulkAction<Row> {
  label: string
  icon?: IconName
  onClick: (rows: readonly Row[], clear: () => void) => void
  /** Does it to everything that fits the filters; without it the action is for chosen rows only. */
  onMatching?: (matching: Matching, clear: () => void) => void
  danger?: boolean
  /** Shown in the menu behind the buttons, for rare actions. */
  more?: boolean
}

/** All rows that match the filters, on every page. */
export interface Matching {
  /** The filters as the list is asked with them. */
  filter: Readonly<Record<string, string>>
  count: number
  /** True when counting stopped: there are more than `count`. */
  capped: boolean
}

export interface FacetOption {
  value: string
  label: string
}

/** Call that counts the rows for each value of a filter, under the filters that are set. */
export interface FacetCounts {
  endpoint: Callable<typeof countChannels>
  query: Readonly<Record<string, unknown>>
}

interface AnyFacet<F extends string> {
  id: F
  label: string
  /** The list can also exclude a value. */
  not?: boolean
}

/** Values to choose from; those that are counted can be chosen, too. */
export interface ChoiceFacet<F extends string = string> extends AnyFacet<F> {
  kind: 'choice'
  options: readonly FacetOption[]
  single?: boolean
  counts?: FacetCounts
}

/** A text that must be contained, or be the whole. */
export interface TextFacet<F extends string = string> extends AnyFacet<F> {
  kind: 'text'
  placeholder?: string
  suggestions?: readonly string[]
  whole?: boolean
  /** Suggests the values that there are, with how many rows each has. */
  counts?: FacetCounts
  /** Names a value that is a number of something, e.g. of a channel. */
  nameOf?: (value: string) => string | undefined
  /** How a suggested value is written, where the text alone would also mean others. */
  exactly?: (value: string) => string
}

/** A filter shown as a chip. */
export type Facet<F extends string = string> = ChoiceFacet<F> | TextFacet<F>
