import { ActionIcon, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { ClearLogsDialog, useClearLogsEntry } from '../../components/clear-logs/clear-logs.tsx'
import { CopyDialog, useCopy } from '../../components/copy/copy-text.tsx'
import type { RowAction } from '../../components/data-table/columns/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import type { ExportFormat } from '../../components/data-table/export/export-rows.ts'
import type { BuiltInView } from '../../components/data-table/views/table-views.ts'
import { Hint } from '../../components/display/hint.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { RangeFilter } from '../../components/display/time/range-filter.tsx'
import { useFigurePage } from '../../components/figure-link.ts'
import { Menu } from '../../components/menu/menu.tsx'
import { PageHeader, ToolsPlace } from '../../components/page-header.tsx'
import { ScreenParts } from '../../components/parts/screen-parts.tsx'
import { calls, type LogEntry, logType } from '../../lib/api/contract.ts'
import { isStaffNow, useIsStaff } from '../../lib/api/staff.ts'
import { download } from '../../lib/download.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { notifyInfo } from '../../lib/notify.tsx'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { statusStore, useStatus } from '../../lib/status.ts'
import { momentForPage, useTimeAnchor } from '../../lib/time/time-anchor.ts'
import { printRange } from '../../lib/time/time-range.ts'
import { timeZone, useTimeZone } from '../../lib/time/time-zone.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { type TableQuery, tableQueryAt, useTableState } from '../../lib/url/table-state.ts'
import { logColumns } from './columns.tsx'
import { exportColumns } from './export-columns.ts'
import { figureLinkOfLog } from './figures-of-log.ts'
import { type LogFilterName, logFilters, useLogFacets } from './filters.ts'
import { lanesOf, noLanes, sessionOfLog } from './lanes/session-lanes.tsx'
import classes from './logs.module.css'
import { type SayLog, useLogMessages } from './messages.ts'
import { pageCursors } from './page-cursors.ts'
import { usePlaceFacets, useShownPlaces } from './places/place-facets.ts'
import { defaultRange, logRange } from './range.ts'
import { LogNotes } from './sheet/notes.tsx'
import { LogStrip } from './volume/log-strip.tsx'

/** Pixels that a page may be scrolled by with its newest rows still in sight. */
const topPx = 120

const onScroll = (changed: () => void): (() => void) => {
  window.addEventListener('scroll', changed, { passive: true })
  return () => window.removeEventListener('scroll', changed)
}

/** True if the page stands at its top. Someone who has scrolled down reads rows that must not move away. */
const useAtTop = (): boolean => useSyncExternalStore(onScroll, () => window.scrollY <= topPx)

const used = String(logType.consume)

/** Built-in views of the log: failed, slow, expensive, and today's requests. */
const logViews = (say: SayLog): readonly BuiltInView[] => [
  { id: 'errors', name: say('viewErrors'), search: { range: '24h', type: String(logType.error) } },
  { id: 'slow', name: say('viewSlow'), search: { range: '24h', type: used, sort: '-use_time' } },
  { id: 'expensive', name: say('viewExpensive'), search: { range: '24h', type: used, sort: '-quota' } },
  { id: 'today', name: say('viewToday'), search: { range: 'today' } },
]

const LogSheet = onDemand(async () => (await import('./sheet/log-sheet.tsx')).LogSheet)
const StorageRefunds = onDemand(async () => (await import('./storage-refunds/panel.tsx')).StorageRefunds)

const liveEveryMs = 5000
const table = { name: 'logs', filters: logFilters, defaults: { range: defaultRange } } as const

// Both lists have the same shape; only who may call them differs.
const listOf = (isAdmin: boolean) => (isAdmin ? calls.listLogs : calls.listOwnLogs) as typeof calls.listLogs
const entryOf = (isAdmin: boolean) => (isAdmin ? calls.getLog : calls.getOwnLog) as typeof calls.getLog
const statOf = (isAdmin: boolean) => (isAdmin ? calls.statLogs : calls.statOwnLogs) as typeof calls.statLogs

/** The least cost that was asked for, in quota units; a text that is no amount asks for none. */
const leastOf = (amount: string | undefined, perUnit: number): { min_quota?: number } => {
  const least = Math.ceil(Number((amount ?? '').replace(/^\$/, '')) * perUnit)
  return Number.isSafeInteger(least) && least > 0 ? { min_quota: least } : {}
}

/** The queries of the list and of the figures above it. */
const queriesOf = (
  { range = 'all', min_cost, ...rest }: TableQuery<LogFilterName>,
  anchor: number,
  { follow, zone, perUnit }: { follow: boolean; zone: string | undefined; perUnit: number },
) => {
  const filter = { ...rest, ...leastOf(min_cost, perUnit) }
  const { p: _page, page_size: _size, sort: _sort, ...some } = filter
  const span = logRange(range, anchor, { follow, zone })
  return { list: { ...filter, ...span }, stat: { ...some, ...span } }
}

export const firstRead: FirstRead = (read, search) => {
  const isAdmin = isStaffNow('logs')
  const queries = queriesOf(tableQueryAt(table, search), momentForPage(), {
    follow: false,
    zone: timeZone(),
    perUnit: statusStore.get().quota_per_unit,
  })
  read(listOf(isAdmin), { query: queries.list })
  read(statOf(isAdmin), { query: queries.stat })
}

/** The open row: from the page's rows if it is there, else fetched by the request id in the address. */
const OpenLog = ({ rows, isAdmin }: { rows: readonly LogEntry[]; isAdmin: boolean }) => {
  const [search, setSearch] = useSearchParams()
  const request = search.request ?? ''
  const id = search.id ?? ''
  const place = rows.findIndex((row) => isAt(row, search))
  const elsewhere = useEndpoint(
    listOf(isAdmin),
    { query: { request_id: request } },
    { enabled: place < 0 && request !== '' },
  )
  const listed = rows[place] ?? (request === '' ? undefined : elsewhere.data?.items[0])
  // Lists cut long texts.
  const whole = useEndpoint(
    entryOf(isAdmin),
    { params: { id: listed?.id ?? 0 } },
    { enabled: listed?.cut === true, staleTimeMs: Number.POSITIVE_INFINITY },
  )
  const isWhole = listed?.cut === true && whole.data?.id === listed.id
  const go = (to: LogEntry | undefined) => to && (() => setSearch({ ...addressOf(to) }, { replace: true }))
  return (
    <LogSheet
      log={isWhole ? whole.data : listed}
      wanted={request || id}
      loading={place < 0 && elsewhere.isLoading}
      error={place < 0 ? elsewhere.error : null}
      isAdmin={isAdmin}
      onClose={() => setSearch({ request: undefined, id: undefined })}
      returnTo={() => document.querySelector<HTMLElement>(`[data-row="${place}"]`)}
      onPrevious={place > 0 ? go(rows[place - 1]) : undefined}
      onNext={place >= 0 ? go(rows[place + 1]) : undefined}
    />
  )
}

/** Rows without a request (top-ups, administration) are addressed by their number on the page. */
const addressOf = (log: LogEntry): { request: string | undefined; id: string | undefined } =>
  log.request_id === '' ? { request: undefined, id: String(log.id) } : { request: log.request_id, id: undefined }

const isAt = (
  log: LogEntry,
  { request = '', id = '' }: { request?: string | undefined; id?: string | undefined },
): boolean => (id !== '' ? String(log.id) === id : request !== '' && log.request_id === request)

const noRows: readonly LogEntry[] = []

export const LogsScreen = () => {
  const say = useLogMessages()
  const isAdmin = useIsStaff('logs')
  const seesMoney = useIsStaff('billing')
  const [search, setSearch] = useSearchParams()
  const zone = useTimeZone()
  const [anchor, renew] = useTimeAnchor()
  const [live, setLive] = useState(false)
  const follows = useAtTop() && live
  const { copy, byHand } = useCopy()
  const state = useTableState(table)
  const clear = useClearLogsEntry(isAdmin)
  const figurePage = useFigurePage()
  const { quota_per_unit: perUnit } = useStatus()
  const { range } = state.filters
  const { list, stat } = queriesOf(state.query, anchor, { follow: live, zone, perUnit })
  const cursors = pageCursors(JSON.stringify({ ...list, p: undefined }))
  const after = cursors.of(state.page)
  const query = { ...list, ...(after === undefined ? {} : { after }) }
  const logs = useEndpoint(listOf(isAdmin), { query }, follows ? { refreshEveryMs: liveEveryMs } : {})
  const turning = {
    ...state,
    setPage: (page: number, how?: { replace?: boolean }) =>
      state.setPage(cursors.turnTo(page, state.page, logs.data?.next), how),
  }
  const rows = logs.data?.items ?? noRows
  // Between rows in another order a thread would pass calls of other sessions.
  const isByTime = (state.sort?.column ?? 'id') === 'id'
  const lanes = useMemo(() => {
    if (!rows.some((row) => sessionOfLog(row) !== undefined)) return undefined
    return isByTime ? lanesOf(rows) : noLanes
  }, [rows, isByTime])
  const shown = useShownPlaces(isAdmin, rows, state.filters)
  const { tags, endUsers, places } = shown
  const columns = useMemo(
    () => logColumns(say, { isAdmin, lanes, tags, endUsers, places }),
    [say, isAdmin, lanes, tags, endUsers, places],
  )
  const facets = [...useLogFacets(isAdmin, stat, rows), ...usePlaceFacets(shown, rows, state.filters)]
  const [toolsAt, setToolsAt] = useState<HTMLElement | null>(null)
  const open = rows.find((row) => isAt(row, search))

  const chooseRange = (value: string | undefined): void => {
    renew()
    state.setFilter('range', value ?? defaultRange)
  }
  const exportAll = async (format: ExportFormat, shown: readonly string[]): Promise<void> => {
    notifyInfo(say('exporting'))
    const exportOf = isAdmin ? calls.exportLogs : calls.exportOwnLogs
    await download(exportOf, { query: { ...stat, format, columns: exportColumns(shown).join() } }, `logs.${format}`)
  }
  const exporting = useAction(exportAll, { done: say('exported') })
  const actions = (log: LogEntry): readonly RowAction[] => [
    { label: say('open'), icon: 'document', onClick: () => setSearch(addressOf(log)) },
    ...(log.request_id === ''
      ? []
      : [{ label: say('copyRequest'), icon: 'copy', onClick: () => void copy(log.request_id) } as const]),
  ]
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          <>
            <ToolsPlace onPlace={setToolsAt} />
            <Hint label={say('refresh')}>
              <ActionIcon className={classes.wide ?? ''} aria-label={say('refresh')} onClick={renew}>
                <Icon name="refresh" size={15} />
              </ActionIcon>
            </Hint>
            <Button
              className={classes.live ?? ''}
              aria-pressed={live}
              title={say('liveHint')}
              variant={live ? 'light' : 'default'}
              onClick={() => setLive(!live)}
            >
              {say(live && !follows ? 'livePaused' : 'live')}
            </Button>
            <Menu
              width={220}
              button={(buttonProps) => (
                <ActionIcon aria-label={say('moreActions')} {...buttonProps}>
                  <Icon name="more" size={15} />
                </ActionIcon>
              )}
              entries={() => [
                { label: say('refresh'), icon: 'refresh', onClick: renew },
                ...(figurePage
                  ? [
                      {
                        label: figurePage.label,
                        icon: 'trend' as const,
                        to: figurePage.hrefOf(figureLinkOfLog(state.filters, state.not)),
                      },
                    ]
                  : []),
                ...(seesMoney ? [{ label: say('unknownUsage'), icon: 'receipt' as const, to: '/unknown-usage' }] : []),
                ...clear.entries,
              ]}
            />
            <ClearLogsDialog clearing={clear.clearing} />
          </>
        }
      />
      {seesMoney && <ScreenParts place="charges above the log" />}
      {isAdmin && <StorageRefunds />}
      <DataTable
        title={say('title')}
        columns={columns}
        query={logs}
        state={turning}
        rowId={(log) => log.id}
        rowName={(log) => log.request_id || String(log.id)}
        quiet={(log) => log.type === logType.unknown}
        search={{ filter: 'request_id', placeholder: say('keywordRequest') }}
        filters={<RangeFilter value={range ?? 'all'} fallback={defaultRange} onChange={chooseRange} />}
        facets={facets}
        toolsAt={toolsAt}
        current={open && String(open.id)}
        above={
          <>
            <LogStrip
              query={stat}
              live={follows}
              isAdmin={isAdmin}
              onRange={(from, to) => chooseRange(printRange({ from, to }))}
            />
            <LogNotes page={logs.data} />
          </>
        }
        rowActions={actions}
        onOpen={(log) => setSearch(addressOf(log))}
        views={logViews(say)}
        onExportAll={(format, shown) => void exporting.run(format, shown)}
        empty={{
          icon: 'document',
          title: say('emptyTitle'),
          text: say('emptyText'),
          action: (
            <>
              <Button onClick={() => state.setFilter('range', 'all')}>{say('emptyAction')}</Button>
              <Link to="/token">{say('emptyTokens')}</Link>
            </>
          ),
        }}
      />
      {(search.request || search.id) && <OpenLog rows={rows} isAdmin={isAdmin} />}
      <CopyDialog {...byHand} />
    </>
  )
}
