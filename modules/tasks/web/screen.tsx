import { useMemo } from 'react'
import { CopyDialog, useCopy } from '#web/components/copy/copy-text.tsx'
import type { Facet, RowAction } from '#web/components/data-table/columns/column.ts'
import { readAll } from '#web/components/data-table/export/read-all.ts'
import { withCounts } from '#web/components/data-table/filters/counted-facets.ts'
import { peopleFacets } from '#web/components/task-log/task-columns.tsx'
import { TaskLog } from '#web/components/task-log/task-log.tsx'
import { useTaskView } from '#web/components/task-log/use-task-view.ts'
import { call } from '#web/lib/api/api.ts'
import { calls, type ListedTask } from '#web/lib/api/contract.ts'
import { isStaffNow, useIsStaff } from '#web/lib/api/staff.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useEndpoint } from '#web/lib/query.ts'
import type { RangeName } from '#web/lib/time/time-range.ts'
import { firstRangeQuery, type RangedTable } from '#web/lib/url/range-query.ts'
import { taskColumns } from './columns.tsx'
import { type SayTask, useTaskMessages } from './messages.ts'
import { actionText, statusOptions, taskActions } from './states.tsx'

const TaskSheet = onDemand(async () => (await import('./task-sheet.tsx')).TaskSheet)

/** The default range: from today at midnight. */
const defaultRange: RangeName = 'today'

type TaskFilter = 'status' | 'action' | 'task_id' | 'channel_id' | 'user_id'

const table: RangedTable<TaskFilter> = {
  name: 'tasks',
  filters: ['range', 'status', 'action', 'task_id', 'channel_id', 'user_id'],
  defaults: { range: defaultRange },
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
  read(listOf(isStaffNow('logs')), { query: firstRangeQuery<TaskFilter>(table, search) })

/** Async tasks. */
export const TasksScreen = () => {
  const say = useTaskMessages()
  const isAdmin = useIsStaff('logs')
  const { copy, byHand } = useCopy()
  const { state, query, renew, openAmong, show, close } = useTaskView<TaskFilter>(table)
  const tasks = useEndpoint(listOf(isAdmin), { query })
  const columns = useMemo(() => taskColumns(say, isAdmin), [say, isAdmin])
  const open = openAmong(tasks.data?.items ?? [])
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
        range={state.filters.range}
        fallback={defaultRange}
        onRange={(chosen) => state.setFilter('range', chosen)}
        onRefresh={refresh}
        rowName={(row) => row.task_id || String(row.id)}
        rowActions={actions}
        onOpen={show}
        readRows={() => readAll((p, page_size) => call(listOf(isAdmin), { query: { ...query, p, page_size } }))}
      />
      {open && <TaskSheet task={open} isAdmin={isAdmin} onClose={close} />}
      <CopyDialog {...byHand} />
    </>
  )
}
