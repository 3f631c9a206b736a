import { useMemo } from 'react'
import { CopyDialog, useCopy } from '#web/components/copy/copy-text.tsx'
import type { Facet, RowAction } from '#web/components/data-table/columns/column.ts'
import { readAll } from '#web/components/data-table/export/read-all.ts'
import { withCounts } from '#web/components/data-table/filters/counted-facets.ts'
import { peopleFacets } from '#web/components/task-log/task-columns.tsx'
import { TaskLog } from '#web/components/task-log/task-log.tsx'
import { call } from '#web/lib/api/api.ts'
import { calls, type ListedTask } from '#web/lib/api/contract.ts'
import { isStaffNow, useIsStaff } from '#web/lib/api/staff.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { momentForPage, useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { type RangeName, readRange } from '#web/lib/time/time-range.ts'
import { timeZone, useTimeZone } from '#web/lib/time/time-zone.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { type TableQuery, tableQueryAt, useTableState } from '#web/lib/url/table-state.ts'
import { taskColumns } from './columns.tsx'
import { type SayTask, useTaskMessages } from './messages.ts'
import { actionText, statusOptions, taskActions } from './states.tsx'

const TaskSheet = onDemand(async () => (await import('./task-sheet.tsx')).TaskSheet)

/** The default range: from today at midnight. */
const defaultRange: RangeName = 'today'

const filters = ['range', 'status', 'action', 'task_id', 'channel_id', 'user_id'] as const
type TaskFilter = (typeof filters)[number]

const table = { name: 'tasks', filters, defaults: { range: defaultRange } } as const

const queryOf = ({ range = 'all', ...filter }: TableQuery<TaskFilter>, anchor: number, zone: string | undefined) => {
  const { from, to } = readRange(range, anchor, defaultRange, zone)
  return {
    ...filter,
    ...(from === undefined ? {} : { start_timestamp: Math.floor(from) }),
    ...(to === undefined ? {} : { end_timestamp: Math.floor(to) }),
  }
}

const facetsOf = (say: SayTask, isAdmin: boolean, rows: readonly ListedTask[]): readonly Facet<TaskFilter>[] => [
  { kind: 'choice', id: 'status', label: say('status'), options: statusOptions(say) },
  {
    kind: 'choice',
    id: 'action',
    label: say('action'),
    options: taskActions.map((value) => ({ value, label: actionText(value, say) })),
  },
  { kind: 'text', id: 'task_id', label: say('taskId') },
  ...(isAdmin ? peopleFacets(say, rows) : []),
]

// Both lists have the same shape; only who may call them differs.
const listOf = (isAdmin: boolean) => (isAdmin ? calls.browseTasks : calls.browseOwnTasks) as typeof calls.browseTasks

export const firstRead: FirstRead = (read, search) =>
  read(listOf(isStaffNow('logs')), { query: queryOf(tableQueryAt(table, search), momentForPage(), timeZone()) })

/** Async tasks. */
export const TasksScreen = () => {
  const say = useTaskMessages()
  const isAdmin = useIsStaff('logs')
  const zone = useTimeZone()
  const [search, setSearch] = useSearchParams()
  const [anchor, renew] = useTimeAnchor()
  const { copy, byHand } = useCopy()
  const state = useTableState(table)
  const { range } = state.filters
  const query = queryOf(state.query, anchor, zone)
  const tasks = useEndpoint(listOf(isAdmin), { query })
  const columns = useMemo(() => taskColumns(say, isAdmin), [say, isAdmin])
  const open = tasks.data?.items.find(({ id }) => String(id) === search.id)
  const show = (row: ListedTask): void => setSearch({ id: String(row.id) })
  const refresh = (): void => {
    renew()
    void tasks.refetch()
  }
  const actions = (row: ListedTask): readonly RowAction[] => [
    { label: say('open'), icon: 'document', onClick: () => show(row) },
    { label: say('copyId'), icon: 'copy', onClick: () => void copy(row.task_id) },
  ]
  return (
    <>
      <TaskLog
        say={say}
        icon="list"
        columns={columns}
        facets={withCounts(
          facetsOf(say, isAdmin, tasks.data?.items ?? []),
          isAdmin ? calls.countTasks : calls.countOwnTasks,
          query,
        )}
        query={tasks}
        state={state}
        range={range}
        fallback={defaultRange}
        onRange={(chosen) => state.setFilter('range', chosen)}
        onRefresh={refresh}
        rowName={(row) => row.task_id || String(row.id)}
        rowActions={actions}
        onOpen={show}
        readRows={() => readAll((p, page_size) => call(listOf(isAdmin), { query: { ...query, p, page_size } }))}
      />
      {open && <TaskSheet task={open} isAdmin={isAdmin} onClose={() => setSearch({ id: undefined })} />}
      <CopyDialog {...byHand} />
    </>
  )
}
