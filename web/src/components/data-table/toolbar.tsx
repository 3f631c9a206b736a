import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { showsMore } from '../../lib/shows-more.ts'
import { isChosen, type TableState } from '../../lib/url/table-state.ts'
import { Icon } from '../display/icon.tsx'
import { Menu } from '../menu/menu.tsx'
import { useUiMessages } from '../messages.ts'
import type { Column, Facet } from './columns/column.ts'
import { ColumnManager } from './columns/column-manager.tsx'
import classes from './data-table.module.css'
import { ExportMenu } from './export/export-menu.tsx'
import type { TableExports } from './export/table-exports.ts'
import { FacetChip } from './filters/facet-chip.tsx'
import { FilterSheetButton } from './filters/filter-sheet-button.tsx'
import { useFittingFacets } from './filters/fitting-facets.ts'
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
  /** Element that holds the tools instead of the toolbar; null until it is drawn. */
  toolsAt?: HTMLElement | null
  exports: TableExports<Row>
  /** Cards have no columns to manage. */
  cards: boolean
  /** There are no rows, whatever the filters: views, files and columns are of no use. */
  isEmpty: boolean
}

const Tools = <Row, F extends string>(props: ToolbarProps<Row, F>) => (
  <>
    {props.tools}
    {!props.isEmpty && (
      <>
        <ViewsMenu views={props.views} />
        <ExportMenu exports={props.exports} />
        {!props.cards && <ColumnManager columns={props.columns} preferences={props.preferences} />}
      </>
    )}
  </>
)

/** One line: search, filters and tools. Filters that do not fit are in a menu; on a phone they are in a sheet. */
export const Toolbar = <Row, F extends string>(props: ToolbarProps<Row, F>) => {
  const say = useUiMessages()
  const { state, search, facets, cards, toolsAt } = props
  const [bar, setBar] = useState<HTMLElement | null>(null)
  useEffect(() => showsMore(bar), [bar])
  const [added, setAdded] = useState<F>()
  const { shown, rest } = useFittingFacets(bar, facets, state, added)
  const isSet = (facet: Facet<F>): boolean => isChosen(state, facet.id)
  return (
    <div ref={setBar} className={classes.bar}>
      {search && (
        <SearchBox
          value={state.filters[search.filter] ?? ''}
          placeholder={search.placeholder}
          onSearch={(text) => state.setFilter(search.filter, text)}
        />
      )}
      {cards && facets.length > 0 && <FilterSheetButton facets={facets} state={state} />}
      {props.filters}
      {(cards ? facets.filter(isSet) : shown).map((facet) => (
        <FacetChip key={facet.id} facet={facet} state={state} opensAtOnce={facet.id === added} />
      ))}
      {!cards && rest.length > 0 && (
        <Menu
          button={(buttonProps) => (
            <button type="button" className={classes.moreChip} aria-label={say('moreFilters')} {...buttonProps}>
              <Icon name="more" size={14} />
            </button>
          )}
          entries={() => rest.map((facet) => ({ label: facet.label, onClick: () => setAdded(facet.id) }))}
        />
      )}
      {state.filtered && (
        <button type="button" className={`text-button ${classes.clear}`} onClick={state.clearFilters}>
          {say('clearFilters')}
        </button>
      )}
      {toolsAt === undefined ? (
        <div className={classes.tools} data-tools>
          <Tools {...props} />
        </div>
      ) : (
        toolsAt && createPortal(<Tools {...props} />, toolsAt)
      )}
    </div>
  )
}
