import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ApiError } from '../../lib/api/api.ts'
import { useStatus } from '../../lib/status.ts'
import type { TableState } from '../../lib/url/table-state.ts'
import type { IconName } from '../display/icon.tsx'
import { useUiMessages } from '../messages.ts'
import { EmptyState, ErrorState } from '../states.tsx'
import type { BulkAction, Column, Facet, RowAction } from './columns/column.ts'
import { shownColumns } from './columns/layout.ts'
import classes from './data-table.module.css'
import type { ExportFormat } from './export/export-rows.ts'
import type { ReadRows } from './export/read-all.ts'
import { tableExports } from './export/table-exports.ts'
import { CellFilterDialog, useCellFilters } from './filters/cell-filters.tsx'
import { TableFooter } from './footer.tsx'
import { useTableKeys } from './keyboard.ts'
import { useTablePreferences } from './preferences.ts'
import { ContextMenu, type ContextPlace } from './rows/context-menu.tsx'
import { useHeldActions } from './rows/held-actions.ts'
import { useMatching } from './rows/matching.ts'
import { TableRows } from './rows/rows.tsx'
import { useSelection } from './rows/selection.ts'
import { useKeptRows } from './rows/stable-rows.ts'
import { Toolbar } from './toolbar.tsx'
import { type BuiltInView, useTableViews } from './views/table-views.ts'

/** The part of `useEndpoint`'s result that the table reads. */
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
  /** Element that holds views, export and columns instead of the toolbar, e.g. in the page's head. */
  toolsAt?: HTMLElement | null
  /** The id of the row whose sheet is open beside the table. */
  current?: string | undefined
  /** Rows have two lines. */
  tall?: boolean
  /** Between the filters and the rows, e.g. a histogram. */
  above?: ReactNode
  /** Opens the row's own sheet or page. */
  onOpen?: (row: Row) => void
  /** Opens the row's page with Enter, where a click opens a preview beside the list. */
  onEnter?: (row: Row) => void
  /** Called when a user is about to open the row, so that its data can be prefetched. */
  onPoint?: (row: Row) => void
  /** `drop` takes the row out of the selection, for actions that delete it. */
  rowActions?: (row: Row, drop: () => void) => readonly RowAction[]
  /** Rows can be selected where there is something to do with them. */
  bulkActions?: readonly BulkAction<Row>[]
  /** The text and the actions of a list that has no entries at all. */
  empty: { title: string; text?: ReactNode; action?: ReactNode; icon?: IconName }
  /** Reads everything that fits the filters, for exports. */
  readRows?: ReadRows<Row>
  /** Exports everything in a way of its own, e.g. written by the server. */
  onExportAll?: (format: ExportFormat, columns: readonly string[]) => void
  /** Of exported files; the table's own where it is left out. */
  exportName?: string
  /** Views that everybody finds beside the saved ones. */
  views?: readonly BuiltInView[]
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

/** As many grey rows as a window has place for. */
const mostWaiting = 15

const noRows: readonly never[] = []
const noFacets: readonly Facet<never>[] = []
const noActions: readonly never[] = []
const noViews: readonly BuiltInView[] = []

/** The one table: paging, order, filters, columns, selection, keyboard, export, cards on phones. */
export const DataTable = <Row, F extends string>(props: DataTableProps<Row, F>) => {
  const say = useUiMessages()
  const { query, state, columns, bulkActions = noActions } = props
  const phone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false
  const preferences = useTablePreferences(state.name, columns)
  const views = useTableViews(state, preferences, props.views ?? noViews)
  const { rowId } = props
  const idOf = useCallback((row: Row): string => String(rowId(row)), [rowId])
  const rows = useKeptRows(query.data?.items ?? noRows, idOf)
  const selection = useSelection(rows, idOf)
  useLastPage(query, state)
  const [context, setContext] = useState<ContextPlace>()
  const frame = useRef<HTMLDivElement>(null)

  useTableKeys({ onSearch: () => frame.current?.querySelector<HTMLElement>('[data-table-search]')?.focus() })

  const { layout } = preferences
  const shown = useMemo(() => (phone ? columns : shownColumns(layout, columns)), [phone, layout, columns])
  const { rowActions } = props
  const held = useHeldActions()
  const facets = props.facets ?? (noFacets as readonly Facet<F>[])
  const cells = useCellFilters({
    columns,
    facets,
    state,
    nameOf: props.rowName,
    actionsOf: rowActions && ((row: Row) => held(rowActions(row, () => selection.drop(row)))),
  })
  const { actionsOf } = cells
  const matching = useMatching({ state, page: query.data, selection, bulkActions, cards: phone })
  const openContext = (row: Row, event: MouseEvent): void => {
    if (!actionsOf || window.getSelection()?.toString()) return
    event.preventDefault()
    setContext({ x: event.clientX, y: event.clientY, actions: cells.cellActions(row, event.target) })
  }
  const isWaiting = query.isPending || (rows.length === 0 && (query.data?.total ?? 0) > 0)
  // Nothing to look for, to write into a file or to turn.
  const isEmpty = !isWaiting && query.data?.total === 0 && rows.length === 0 && !state.filtered
  const { readRows, onExportAll } = props
  const { quota_per_unit: quotaPerUnit } = useStatus()
  const name = props.exportName ?? state.name
  const exports = tableExports({ name, rows, columns: shown, readRows, onExportAll, quotaPerUnit })
  return (
    <div
      ref={frame}
      className={`panel ${classes.panel}`}
      data-density={preferences.layout.density}
      data-tall={props.tall || undefined}
      data-waiting={isWaiting || undefined}
    >
      <Toolbar
        state={state}
        columns={columns}
        preferences={preferences}
        views={views}
        facets={facets}
        exports={exports}
        cards={phone}
        isEmpty={isEmpty}
        filters={props.filters}
        {...(props.toolsAt === undefined ? {} : { toolsAt: props.toolsAt })}
        tools={typeof props.tools === 'function' ? props.tools(selection.rows, selection.clear) : props.tools}
        {...(props.search ? { search: props.search } : {})}
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
          <TableRows
            title={props.title}
            rows={rows}
            columns={shown}
            cards={phone}
            idOf={idOf}
            nameOf={props.rowName}
            isQuiet={props.quiet}
            selection={bulkActions.length > 0 ? selection : undefined}
            actionsOf={actionsOf}
            onOpen={props.onOpen}
            onEnter={props.onEnter}
            onPoint={props.onPoint}
            onContext={openContext}
            sort={state.sort}
            onSort={state.setSort}
            layout={layout}
            onLayout={preferences.keep}
            current={props.current}
            waiting={isWaiting ? Math.min(state.pageSize, mostWaiting) : 0}
            frame={frame}
          />
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
      {!isEmpty && (
        <TableFooter
          state={state}
          page={query.data}
          selected={selection.rows}
          bulkActions={bulkActions}
          matching={matching}
          exports={exports}
          onClear={selection.clear}
        />
      )}
      <ContextMenu place={context} onClose={() => setContext(undefined)} />
      <CellFilterDialog {...cells} />
    </div>
  )
}
