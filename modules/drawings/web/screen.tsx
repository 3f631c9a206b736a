import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { CopyDialog, useCopy } from '#web/components/copy/copy-text.tsx'
import type { Facet, RowAction } from '#web/components/data-table/columns/column.ts'
import { readAll } from '#web/components/data-table/export/read-all.ts'
import { withCounts } from '#web/components/data-table/filters/counted-facets.ts'
import { Icon } from '#web/components/display/icon.tsx'
import { peopleFacets } from '#web/components/task-log/task-columns.tsx'
import { TaskLog } from '#web/components/task-log/task-log.tsx'
import { call } from '#web/lib/api/api.ts'
import { calls, type ListedDrawing } from '#web/lib/api/contract.ts'
import { isStaffNow, useIsStaff } from '#web/lib/api/staff.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useStatus } from '#web/lib/status.ts'
import { momentForPage, useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { type RangeName, readRange } from '#web/lib/time/time-range.ts'
import { timeZone, useTimeZone } from '#web/lib/time/time-zone.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { type TableQuery, tableQueryAt, useTableState } from '#web/lib/url/table-state.ts'
import { drawingColumns } from './columns.tsx'
import classes from './drawings.module.css'
import { type SayDrawing, useDrawingMessages } from './messages.ts'
import { actionText, drawingActions, statusOptions } from './states.tsx'

const DrawingSheet = onDemand(async () => (await import('./drawing-sheet.tsx')).DrawingSheet)

/** The default range: from 30 days ago until an hour from now. */
const defaultRange: RangeName = '30d'
const aheadMs = 3_600_000

const filters = ['range', 'status', 'action', 'mj_id', 'channel_id', 'user_id'] as const
type DrawingFilter = (typeof filters)[number]

const table = { name: 'drawings', filters, defaults: { range: defaultRange } } as const

const queryOf = ({ range = 'all', ...filter }: TableQuery<DrawingFilter>, anchor: number, zone: string | undefined) => {
  const { from, to } = readRange(range, anchor, defaultRange, zone)
  return {
    ...filter,
    ...(from === undefined ? {} : { start_timestamp: Math.floor(from * 1000) }),
    end_timestamp: to === undefined ? Math.floor(anchor * 1000) + aheadMs : Math.floor(to * 1000),
  }
}

const facetsOf = (
  say: SayDrawing,
  isAdmin: boolean,
  rows: readonly ListedDrawing[],
): readonly Facet<DrawingFilter>[] => [
  { kind: 'choice', id: 'status', label: say('status'), options: statusOptions(say) },
  {
    kind: 'choice',
    id: 'action',
    label: say('action'),
    options: drawingActions.map((value) => ({ value, label: actionText(value, say) })),
  },
  { kind: 'text', id: 'mj_id', label: say('taskId') },
  ...(isAdmin ? peopleFacets(say, rows) : []),
]

// Both lists have the same shape; only who may call them differs.
const listOf = (isAdmin: boolean) =>
  (isAdmin ? calls.browseDrawings : calls.browseOwnDrawings) as typeof calls.browseDrawings

const Banner = () => {
  const say = useDrawingMessages()
  return (
    <div className={classes.banner} role="note">
      <Icon name="info" />
      <span>{say('callbackOff')}</span>
      <Link to="/setting">{say('callbackSettings')}</Link>
    </div>
  )
}

export const firstRead: FirstRead = (read, search) =>
  read(listOf(isStaffNow('logs')), { query: queryOf(tableQueryAt(table, search), momentForPage(), timeZone()) })

/** Drawing tasks. */
export const DrawingsScreen = () => {
  const say = useDrawingMessages()
  const isAdmin = useIsStaff('logs')
  const { mj_notify_enabled: callbacks } = useStatus()
  const zone = useTimeZone()
  const [search, setSearch] = useSearchParams()
  const [anchor, renew] = useTimeAnchor()
  const { copy, byHand } = useCopy()
  const state = useTableState(table)
  const { range } = state.filters
  const query = queryOf(state.query, anchor, zone)
  const drawings = useEndpoint(listOf(isAdmin), { query })
  const columns = useMemo(() => drawingColumns(say, isAdmin), [say, isAdmin])
  const open = drawings.data?.items.find(({ id }) => String(id) === search.id)
  const show = (row: ListedDrawing): void => setSearch({ id: String(row.id) })
  const actions = (row: ListedDrawing): readonly RowAction[] => [
    { label: say('open'), icon: 'document', onClick: () => show(row) },
    { label: say('copyId'), icon: 'copy', onClick: () => void copy(row.mj_id) },
  ]
  return (
    <>
      <TaskLog
        say={say}
        icon="image"
        note={isAdmin && callbacks === false && <Banner />}
        columns={columns}
        facets={withCounts(
          facetsOf(say, isAdmin, drawings.data?.items ?? []),
          isAdmin ? calls.countDrawings : calls.countOwnDrawings,
          query,
        )}
        query={drawings}
        state={state}
        range={range}
        fallback={defaultRange}
        onRange={(chosen) => state.setFilter('range', chosen)}
        onRefresh={renew}
        rowName={(row) => row.mj_id || String(row.id)}
        rowActions={actions}
        onOpen={show}
        readRows={() => readAll((p, page_size) => call(listOf(isAdmin), { query: { ...query, p, page_size } }))}
      />
      {open && <DrawingSheet drawing={open} isAdmin={isAdmin} onClose={() => setSearch({ id: undefined })} />}
      <CopyDialog {...byHand} />
    </>
  )
}
