import { useState } from 'react'
import { useCopy } from '../../components/copy-text.tsx'
import type { Facet, RowAction } from '../../components/data-table/column.ts'
import { TaskLog } from '../../components/task-log/task-log.tsx'
import { calls, role, type Task } from '../../lib/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { useSession } from '../../lib/session.ts'
import { useTableState } from '../../lib/table-state.ts'
import { type RangeName, readRange } from '../../lib/time-range.ts'
import { taskColumns } from './columns.tsx'
import { type SayTask, useTaskWords } from './messages.ts'
import { actionText, statusOptions, taskActions } from './states.tsx'
import { TaskSheet } from './task-sheet.tsx'

/** Mission document 2 §9: from today at midnight on. */
const defaultRange: RangeName = 'today'

const filters = ['range', 'status', 'action', 'task_id', 'channel_id', 'user_id'] as const
type TaskFilter = (typeof filters)[number]

const spanOf = (range: string | undefined, asOf: number) => {
  const { from, to } = readRange(range, asOf, defaultRange)
  return {
    ...(from === undefined ? {} : { start_timestamp: Math.floor(from) }),
    ...(to === undefined ? {} : { end_timestamp: Math.floor(to) }),
  }
}

const facetsOf = (say: SayTask, isAdmin: boolean): readonly Facet<TaskFilter>[] => [
  { kind: 'choice', id: 'status', label: say('status'), options: statusOptions(say) },
  {
    kind: 'choice',
    id: 'action',
    label: say('action'),
    options: taskActions.map((value) => ({ value, label: actionText(value, say) })),
  },
  { kind: 'text', id: 'task_id', label: say('taskId') },
  ...(isAdmin
    ? ([
        { kind: 'text', id: 'channel_id', label: say('channelId') },
        { kind: 'text', id: 'user_id', label: say('user') },
      ] as const)
    : []),
]

// Both lists have the same shape; only who may call them differs.
const listOf = (isAdmin: boolean) => (isAdmin ? calls.browseTasks : calls.browseOwnTasks) as typeof calls.browseTasks

/** Async tasks (mission document 2 §2, console reference D4). */
export const TasksScreen = () => {
  const say = useTaskWords()
  const isAdmin = (useSession()?.role ?? 0) >= role.admin
  const [search, setSearch] = useSearchParams()
  const [asOf, setAsOf] = useState(() => Date.now() / 1000)
  const { copy, dialog } = useCopy()
  const state = useTableState({ name: 'tasks', filters, defaults: { range: defaultRange } })
  const { range, ...filter } = state.query
  const tasks = useEndpoint(listOf(isAdmin), { query: { ...filter, ...spanOf(range ?? 'all', asOf) } })
  const open = tasks.data?.items.find(({ id }) => String(id) === search.id)
  const show = (row: Task): void => setSearch({ id: String(row.id) })
  const refresh = (): void => {
    setAsOf(Date.now() / 1000)
    void tasks.refetch()
  }
  const actions = (row: Task): readonly RowAction[] => [
    { label: say('open'), icon: 'document', onClick: () => show(row) },
    { label: say('copyId'), icon: 'copy', onClick: () => void copy(row.task_id) },
  ]
  return (
    <>
      <TaskLog
        say={say}
        icon="list"
        columns={taskColumns(say, isAdmin)}
        facets={facetsOf(say, isAdmin)}
        query={tasks}
        state={state}
        range={range}
        fallback={defaultRange}
        onRange={(chosen) => state.setFilter('range', chosen)}
        onRefresh={refresh}
        rowName={(row) => row.task_id || String(row.id)}
        rowActions={actions}
        onOpen={show}
      />
      {open && <TaskSheet task={open} isAdmin={isAdmin} onClose={() => setSearch({ id: undefined })} />}
      {dialog}
    </>
  )
}
