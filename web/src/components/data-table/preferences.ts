import { ownMember } from '@tollgate/contract/own-member'
import { useMemo, useState } from 'react'
import type { TableLayout } from '../../lib/api/contract.ts'
import { preferencesStore, usePreferences } from '../../lib/preferences/preferences.ts'
import type { Column } from './columns/column.ts'
import { fittedLayout, ownLayout } from './columns/layout.ts'

export interface TablePreferences {
  /** The layout to draw: the draft while there is one. */
  readonly layout: TableLayout
  /** Keeps a layout for this person. */
  readonly keep: (layout: TableLayout) => void
  /** Draws a layout without keeping it; undefined goes back to the kept one. */
  readonly tryOut: (layout: TableLayout | undefined) => void
  /** Draws the layout of a view until another one is kept; undefined goes back to the kept one. */
  readonly showLayout: (layout: TableLayout | undefined) => void
  /** The layout of those who never chose one. */
  readonly own: TableLayout
}

const isSame = (left: TableLayout, right: TableLayout): boolean => JSON.stringify(left) === JSON.stringify(right)

/** Which columns a person sees, in which order, how wide, fixed where and how dense; kept per person and table. */
export const useTablePreferences = <Row>(name: string, columns: readonly Column<Row>[]): TablePreferences => {
  const stored = ownMember(usePreferences().tables, name)
  const [draft, setDraft] = useState<TableLayout>()
  const [ofView, setOfView] = useState<TableLayout>()
  const own = ownLayout(columns)
  const wanted = draft ?? ofView ?? stored
  const layout = useMemo(() => fittedLayout(wanted, columns), [wanted, columns])
  return {
    layout,
    own,
    tryOut: setDraft,
    showLayout: setOfView,
    keep: (chosen) => {
      setDraft(undefined)
      setOfView(undefined)
      // A user with the default layout gets the defaults of later versions.
      preferencesStore.change({ tables: { [name]: isSame(chosen, own) ? null : chosen } })
    },
  }
}
