import { Button, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import type { TableState } from '../../lib/table-state.ts'
import { Icon } from '../icon.tsx'
import { useUiWords } from '../messages.ts'
import type { Column, Facet } from './column.ts'
import { ColumnManager } from './column-manager.tsx'
import classes from './data-table.module.css'
import type { ExportFormat } from './export-rows.ts'
import { FacetChip } from './facet-chip.tsx'
import type { TablePreferences } from './preferences.ts'
import { SearchBox } from './search-box.tsx'

const ExportMenu = (props: { onPage: (format: ExportFormat) => void; onAll?: (format: ExportFormat) => void }) => {
  const say = useUiWords()
  return (
    <Menu>
      <Menu.Target>
        <Button variant="subtle" leftSection={<Icon name="download" size={14} />}>
          {say('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => props.onPage('csv')}>{say('exportCsv')}</Menu.Item>
        <Menu.Item onClick={() => props.onPage('json')}>{say('exportJson')}</Menu.Item>
        {props.onAll && (
          <>
            <Menu.Item onClick={() => props.onAll?.('csv')}>{say('exportAllCsv')}</Menu.Item>
            <Menu.Item onClick={() => props.onAll?.('json')}>{say('exportAllJson')}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

export interface ToolbarProps<Row, F extends string> {
  state: TableState<F>
  columns: readonly Column<Row>[]
  preferences: TablePreferences
  search?: { filter: F; placeholder: string }
  facets: readonly Facet<F>[]
  /** Filters of a kind of their own, e.g. a time range; stands before the chips. */
  filters?: ReactNode
  /** Buttons before the column manager. */
  tools?: ReactNode
  onExportPage: (format: ExportFormat) => void
  onExportAll?: (format: ExportFormat) => void
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
      <span className={classes.grow} />
      {props.tools}
      <ExportMenu onPage={props.onExportPage} {...(props.onExportAll ? { onAll: props.onExportAll } : {})} />
      {!props.cards && <ColumnManager columns={props.columns} preferences={props.preferences} />}
    </div>
  )
}
