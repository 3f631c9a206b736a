import type { Column } from '#web/components/data-table/columns/column.ts'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { spentSeconds } from '#web/components/task-log/spent-time.tsx'
import {
  CutText,
  failureColumn,
  peopleColumns,
  progressColumn,
  spentColumn,
} from '#web/components/task-log/task-columns.tsx'
import type { ListedTask } from '#web/lib/api/contract.ts'
import { isoTime } from '#web/lib/text/iso-time.ts'
import type { SayTask } from './messages.ts'
import { actionText, platformText, TaskStatus } from './states.tsx'

/** Seconds that a task took; undefined while it is not finished. */
export const secondsOf = ({ submit_time, finish_time }: ListedTask): number | undefined =>
  spentSeconds(submit_time, finish_time, 1)

/** Columns of the task log; admins see channel and user. */
export const taskColumns = (say: SayTask, isAdmin: boolean): readonly Column<ListedTask>[] => [
  {
    id: 'submit_time',
    header: say('submitTime'),
    cell: (row) => <TimeText at={row.submit_time} brief />,
    value: (row) => isoTime(row.submit_time),
  },
  {
    id: 'finish_time',
    header: say('finishTime'),
    card: 'none',
    cell: (row) => <TimeText at={row.finish_time} brief />,
    value: (row) => isoTime(row.finish_time),
  },
  progressColumn(say),
  spentColumn(say, secondsOf),
  ...(isAdmin ? peopleColumns<ListedTask>(say) : []),
  {
    id: 'platform',
    header: say('platform'),
    card: 'title',
    cell: (row) => platformText(row.platform, say),
    value: (row) => row.platform,
  },
  {
    id: 'action',
    header: say('action'),
    filters: (row) => [{ facet: 'action', value: row.action }],
    cell: (row) => actionText(row.action, say),
    value: (row) => row.action,
  },
  {
    id: 'task_id',
    header: say('taskId'),
    card: 'none',
    most: 180,
    cell: (row) => <CutText text={row.task_id} mono />,
    value: (row) => row.task_id,
  },
  {
    id: 'status',
    header: say('status'),
    card: 'amount',
    filters: (row) => [{ facet: 'status', value: row.status }],
    cell: (row) => <TaskStatus status={row.status} />,
    value: (row) => row.status,
  },
  failureColumn(say, 260),
]
