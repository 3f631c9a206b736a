import { Button, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { CopyDialog, useCopy } from '#web/components/copy/copy-text.tsx'
import type { Facet, RowAction } from '#web/components/data-table/columns/column.ts'
import { DataTable } from '#web/components/data-table/data-table.tsx'
import { readAll } from '#web/components/data-table/export/read-all.ts'
import { Icon } from '#web/components/display/icon.tsx'
import { RangeFilter } from '#web/components/display/time/range-filter.tsx'
import { PageHeader, ToolsPlace } from '#web/components/page-header.tsx'
import { call } from '#web/lib/api/api.ts'
import { type CallSession, calls } from '#web/lib/api/contract.ts'
import { isStaffNow, useIsStaff } from '#web/lib/api/staff.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { momentForPage, useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { type RangeName, readRange } from '#web/lib/time/time-range.ts'
import { timeZone, useTimeZone } from '#web/lib/time/time-zone.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { type TableQuery, tableQueryAt, useTableState } from '#web/lib/url/table-state.ts'
import { listedColumns, sessionColumns } from './columns.tsx'
import { SessionFigures } from './figures.tsx'
import { type SaySession, useSessionMessages } from './messages.ts'
import classes from './sessions.module.css'

const WaitingPanel = () => <Skeleton h={560} />
const SessionPanel = onDemand(async () => (await import('./session-panel.tsx')).SessionPanel, WaitingPanel)
const SessionSheet = onDemand(async () => (await import('./session-sheet.tsx')).SessionSheet)

/** From here on, a session stands beside the list instead of in a sheet. */
const besideFrom = '(min-width: 75em)'

const defaultRange: RangeName = '24h'

const filters = ['range', 'model_name', 'username', 'session'] as const
type SessionFilter = (typeof filters)[number]

const table = { name: 'sessions', filters, defaults: { range: defaultRange } } as const

const queryOf = ({ range = 'all', ...filter }: TableQuery<SessionFilter>, anchor: number, zone: string | undefined) => {
  const { from, to } = readRange(range, anchor, defaultRange, zone)
  return {
    ...filter,
    ...(from === undefined ? {} : { start_timestamp: Math.floor(from) }),
    ...(to === undefined ? {} : { end_timestamp: Math.floor(to) }),
  }
}

const facetsOf = (say: SaySession, isAdmin: boolean): readonly Facet<SessionFilter>[] => [
  { kind: 'text', id: 'model_name', label: say('model'), placeholder: say('modelName') },
  ...(isAdmin ? ([{ kind: 'text', id: 'username', label: say('user'), whole: true }] as const) : []),
  { kind: 'text', id: 'session', label: say('session'), whole: true },
]

// Both lists have the same shape; only who may call them differs.
const listOf = (isAdmin: boolean) =>
  (isAdmin ? calls.listCallSessions : calls.listOwnCallSessions) as typeof calls.listCallSessions

export const firstRead: FirstRead = (read, search) =>
  read(listOf(isStaffNow('logs')), { query: queryOf(tableQueryAt(table, search), momentForPage(), timeZone()) })

/** The sessions of clients: what they cost, and what caches saved. */
export const SessionsScreen = () => {
  const say = useSessionMessages()
  const isAdmin = useIsStaff('logs')
  const zone = useTimeZone()
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const [anchor, renew] = useTimeAnchor()
  const { copy, byHand } = useCopy()
  const state = useTableState(table)
  const { range = 'all' } = state.filters
  const query = queryOf(state.query, anchor, zone)
  const { p: _page, page_size: _size, sort: _sort, ...filter } = query
  const sessions = useEndpoint(listOf(isAdmin), { query })
  const isBeside = useMediaQuery(besideFrom, false, { getInitialValueInEffect: false }) ?? false
  const [toolsAt, setToolsAt] = useState<HTMLElement | null>(null)
  const columns = useMemo(
    () => (isBeside ? listedColumns(say, isAdmin) : sessionColumns(say, isAdmin)),
    [say, isAdmin, isBeside],
  )
  const rows = sessions.data?.items ?? []
  const open = rows.find(({ id }) => id === search.id) ?? (isBeside ? rows[0] : undefined)
  const show = (row: CallSession): void => setSearch({ id: row.id })
  const refresh = (): void => {
    renew()
    void sessions.refetch()
  }
  const actions = (row: CallSession): readonly RowAction[] => [
    { label: say('open'), icon: 'document', onClick: () => show(row) },
    {
      label: say('toLog'),
      icon: 'list',
      onClick: () => void navigate({ to: '/log', search: { session: row.id, range: 'all' } }),
    },
    { label: say('copyId'), icon: 'copy', onClick: () => void copy(row.id) },
  ]
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          <>
            <ToolsPlace onPlace={setToolsAt} />
            <Button leftSection={<Icon name="refresh" size={14} />} onClick={refresh}>
              {say('refresh')}
            </Button>
          </>
        }
      />
      <SessionFigures filter={filter} isAdmin={isAdmin} />
      <div className={classes.beside} data-beside={(isBeside && open !== undefined) || undefined}>
        <DataTable
          title={say('title')}
          columns={columns}
          facets={facetsOf(say, isAdmin)}
          query={sessions}
          state={state}
          rowId={({ id }) => id}
          rowName={({ id, models }) => `${models[0] ?? ''} ${id.slice(0, 8)}`}
          rowActions={actions}
          onOpen={show}
          toolsAt={toolsAt}
          tall={isBeside}
          current={isBeside ? open?.id : undefined}
          readRows={() => readAll((p, page_size) => call(listOf(isAdmin), { query: { ...query, p, page_size } }))}
          filters={
            <RangeFilter
              value={range}
              fallback={defaultRange}
              onChange={(chosen) => {
                refresh()
                state.setFilter('range', chosen ?? defaultRange)
              }}
            />
          }
          empty={{
            icon: 'history',
            title: say('emptyTitle'),
            text: say('emptyText'),
            action: <Button onClick={() => state.setFilter('range', 'all')}>{say('emptyAction')}</Button>,
          }}
        />
        {isBeside && open && <SessionPanel key={open.id} session={open} isAdmin={isAdmin} />}
      </div>
      {open && !isBeside && (
        <SessionSheet session={open} isAdmin={isAdmin} onClose={() => setSearch({ id: undefined })} />
      )}
      <CopyDialog {...byHand} />
    </>
  )
}
