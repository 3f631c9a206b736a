import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type MouseEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ApiError } from '../../lib/api.ts'
import type { TableState } from '../../lib/table-state.ts'
import type { IconName } from '../icon.tsx'
import { useUiWords } from '../messages.ts'
import { EmptyState, ErrorState } from '../states.tsx'
import { Cards } from './cards.tsx'
import type { BulkAction, Column, Facet, RowAction } from './column.ts'
import classes from './data-table.module.css'
import { type ExportFormat, printRows, saveFile } from './export-rows.ts'
import { TableFooter } from './footer.tsx'
import { Grid, type RowsProps } from './grid.tsx'
import { useTableKeys } from './keyboard.ts'
import { useTablePreferences } from './preferences.ts'
import { ContextMenu, type ContextPlace } from './row-menu.tsx'
import { useSelection } from './selection.ts'
import { Toolbar } from './toolbar.tsx'

/** What the table reads of `useEndpoint`'s result. */
interface PageQuery<Row> {
  data: { items: readonly Row[]; total: number; total_capped?: boolean | undefined } | undefined
  isPending: boolean
  isPlaceholderData: boolean
  error: ApiError | null
  refetch: () => unknown
}

export interface DataTableProps<Row, F extends string> {
  /** The accessible name of the table. */
  title: string
  columns: readonly Column<Row>[]
  query: PageQuery<Row>
  state: TableState<F>
  rowId: (row: Row) => string | number
  /** How a row is called in the names of its controls. */
  rowName: (row: Row) => string
  /** Rows that are off (disabled, cancelled) are written in grey. */
  quiet?: (row: Row) => boolean
  search?: { filter: F; placeholder: string }
  facets?: readonly Facet<F>[]
  filters?: ReactNode
  /** Buttons before the column manager; a function is given the selected rows and a way to select none. */
  tools?: ReactNode | ((selected: readonly Row[], clear: () => void) => ReactNode)
  /** Between the filters and the rows, e.g. a histogram. */
  above?: ReactNode
  /** Opens the row's own sheet or page. */
  onOpen?: (row: Row) => void
  /** `drop` takes the row out of the selection, for actions that delete it. */
  rowActions?: (row: Row, drop: () => void) => readonly RowAction[]
  /** Rows can be selected where there is something to do with them. */
  bulkActions?: readonly BulkAction<Row>[]
  /** What to say and offer while nothing exists at all. */
  empty: { title: string; text?: ReactNode; action?: ReactNode; icon?: IconName }
  onExportAll?: (format: ExportFormat) => void
}

/** A page behind the last one, left empty because its rows were deleted or an address is old, gives way to the last. */
const useLastPage = <Row, F extends string>(
  { data, isPlaceholderData }: PageQuery<Row>,
  state: TableState<F>,
): void => {
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / state.pageSize))
  const behind = data !== undefined && !isPlaceholderData && data.items.length === 0 && state.page > last
  const turn = useEffectEvent(() => state.setPage(last, { replace: true }))
  useEffect(() => {
    if (behind) turn()
  }, [behind])
}

const noFacets: readonly Facet<never>[] = []
const noActions: readonly never[] = []

/** The one table: paging, order, filters, columns, selection, keyboard, export, cards on phones. */
export const DataTable = <Row, F extends string>(props: DataTableProps<Row, F>) => {
  const say = useUiWords()
  const { query, state, columns, bulkActions = noActions } = props
  const phone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false
  const preferences = useTablePreferences(state.name, columns)
  const rows = query.data?.items ?? []
  const idOf = (row: Row): string => String(props.rowId(row))
  const selection = useSelection(rows, idOf)
  useLastPage(query, state)
  const [active, setActive] = useState(-1)
  const [context, setContext] = useState<ContextPlace>()
  const frame = useRef<HTMLDivElement>(null)

  const shown = phone
    ? columns
    : preferences.order.flatMap((id) => {
        const column = columns.find((entry) => entry.id === id)
        return column && (id === columns[0]?.id || !preferences.hidden.includes(id)) ? [column] : []
      })
  const activeRow = rows[active]
  useTableKeys({
    onMove: (by) => {
      const next = Math.max(0, Math.min(rows.length - 1, active + by))
      setActive(next)
      frame.current?.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus()
    },
    onOpen: () => activeRow !== undefined && props.onOpen?.(activeRow),
    onToggle: () => activeRow !== undefined && bulkActions.length > 0 && selection.toggle(activeRow),
    onSearch: () => frame.current?.querySelector<HTMLElement>('[data-table-search]')?.focus(),
  })
  const { rowActions } = props
  const actionsOf = rowActions && ((row: Row) => rowActions(row, () => selection.drop(row)))
  const openContext = (row: Row, event: MouseEvent): void => {
    if (!actionsOf || window.getSelection()?.toString()) return
    event.preventDefault()
    setContext({ x: event.clientX, y: event.clientY, actions: actionsOf(row) })
  }
  const isWaiting = query.isPending || (rows.length === 0 && (query.data?.total ?? 0) > 0)
  const rowsProps: RowsProps<Row> = {
    title: props.title,
    rows,
    columns: shown,
    idOf,
    nameOf: props.rowName,
    isQuiet: props.quiet ?? (() => false),
    selection: bulkActions.length > 0 ? selection : undefined,
    actionsOf,
    onOpen: props.onOpen,
    onContext: openContext,
    active,
    sort: state.sort,
    onSort: state.setSort,
    waiting: isWaiting ? Math.min(state.pageSize, 10) : 0,
  }
  const exportPage = (format: ExportFormat): void => saveFile(state.name, printRows(rows, shown, format), format)
  const Rows = phone ? Cards : Grid
  return (
    <div ref={frame} className={`panel ${classes.panel}`} data-density={preferences.density}>
      <Toolbar
        state={state}
        columns={columns}
        preferences={preferences}
        facets={props.facets ?? (noFacets as readonly Facet<F>[])}
        onExportPage={exportPage}
        cards={phone}
        filters={props.filters}
        tools={typeof props.tools === 'function' ? props.tools(selection.rows, selection.clear) : props.tools}
        {...(props.search ? { search: props.search } : {})}
        {...(props.onExportAll ? { onExportAll: props.onExportAll } : {})}
      />
      {props.above}
      {query.error && query.data && (
        <div className={classes.stale} role="alert">
          <span>{query.error.message}</span>
          <button type="button" className="text-button" onClick={() => void query.refetch()}>
            {say('retry')}
          </button>
        </div>
      )}
      <div className={classes.rows} aria-busy={query.isPlaceholderData}>
        {query.error && !query.data ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : rows.length > 0 || isWaiting ? (
          <Rows {...rowsProps} />
        ) : state.filtered ? (
          <EmptyState
            icon="filter"
            title={say('nothingMatches')}
            text={say('nothingMatchesText')}
            action={<Button onClick={state.clearFilters}>{say('clearFilters')}</Button>}
          />
        ) : (
          <EmptyState {...props.empty} />
        )}
      </div>
      <TableFooter
        state={state}
        page={query.data}
        selected={selection.rows}
        bulkActions={bulkActions}
        onClear={selection.clear}
      />
      <ContextMenu place={context} onClose={() => setContext(undefined)} />
    </div>
  )
}
