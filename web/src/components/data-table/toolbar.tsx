import type { ReactNode } from 'react'
import type { TableState } from '../../lib/url/table-state.ts'
import { useUiMessages } from '../messages.ts'
import type { Column, Facet } from './columns/column.ts'
import { ColumnManager } from './columns/column-manager.tsx'
import classes from './data-table.module.css'
import { ExportMenu } from './export/export-menu.tsx'
import type { TableExports } from './export/table-exports.ts'
import { FacetChip } from './filters/facet-chip.tsx'
import { SearchBox } from './filters/search-box.tsx'
import type { TablePreferences } from './preferences.ts'
import type { TableViews } from './views/table-views.ts'
import { ViewsMenu } from './views/views-menu.tsx'

export interface ToolbarProps<Row, F extends string> {
  state: TableState<F>
  columns: readonly Column<Row>[]
  preferences: TablePreferences
  views: TableViews
  search?: { filter: F; placeholder: string }
  facets: readonly Facet<F>[]
  /** Special filters, e.g. a time range; drawn before the chips. */
  filters?: ReactNode
  /** Buttons before the column manager. */
  tools?: ReactNode
  exports: TableExports<Row>
  /** Cards have no columns to manage. */
  cards: boolean
}

export const Toolbar = <Row, F extends string>(props: ToolbarProps<Row, F>) => {
  const say = useUiMessages()
  const { state, search } = props
  return (
    <div className={classes.bar}>
      {search && (
        <SearchBox
          value={state.filters[search.filter] ?? ''}
          placeholder={search.placeholder}
          onSearch={(text) => state.setFilter(search.filter, text)}
        />
      )}
      {props.filters}
      {props.facets.map((facet) => (
        <FacetChip key={facet.id} facet={facet} state={state} />
      ))}
      {state.filtered && (
        <button type="button" className="text-button" onClick={state.clearFilters}>
          {say('clearFilters')}
        </button>
      )}
      <div className={classes.tools}>
        {props.tools}
        <ViewsMenu views={props.views} />
        <ExportMenu exports={props.exports} />
        {!props.cards && <ColumnManager columns={props.columns} preferences={props.preferences} />}
      </div>
    </div>
  )
}
