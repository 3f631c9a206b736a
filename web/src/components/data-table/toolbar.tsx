import type { ReactNode } from 'react'
import type { TableState } from '../../lib/table-state.ts'
import { useUiWords } from '../messages.ts'
import type { Column, Facet } from './column.ts'
import { ColumnManager } from './column-manager.tsx'
import classes from './data-table.module.css'
import { ExportMenu } from './export-menu.tsx'
import { FacetChip } from './facet-chip.tsx'
import type { TablePreferences } from './preferences.ts'
import { SearchBox } from './search-box.tsx'
import type { TableExports } from './table-exports.ts'
import type { TableViews } from './views/table-views.ts'
import { ViewsMenu } from './views/views-menu.tsx'

export interface ToolbarProps<Row, F extends string> {
  state: TableState<F>
  columns: readonly Column<Row>[]
  preferences: TablePreferences
  views: TableViews
  search?: { filter: F; placeholder: string }
  facets: readonly Facet<F>[]
  /** Filters of a kind of their own, e.g. a time range; stands before the chips. */
  filters?: ReactNode
  /** Buttons before the column manager. */
  tools?: ReactNode
  exports: TableExports<Row>
  /** Cards have no columns to manage. */
  cards: boolean
}

export const Toolbar = <Row, F extends string>(props: ToolbarProps<Row, F>) => {
  const say = useUiWords()
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
