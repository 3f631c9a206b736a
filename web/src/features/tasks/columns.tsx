import type { Column } from '../../components/data-table/columns/column.ts'
import { ProgressText } from '../../components/display/progress-text.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { CutText } from '../../components/task-log/cut-text.tsx'
import { nameOrId } from '../../components/task-log/named.ts'
import { ChannelName, UserName } from '../../components/task-log/people.tsx'
import { SpentTime, spentSeconds } from '../../components/task-log/spent-time.tsx'
import type { ListedTask } from '../../lib/api/contract.ts'
import { causeText } from '../../lib/text/cause-text.ts'
import { isoTime } from '../../lib/text/iso-time.ts'
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
  {
    id: 'progress',
    header: say('progress'),
    card: 'none',
    cell: (row) => <ProgressText text={row.progress} failed={row.status === 'FAILURE'} label={say('progress')} />,
    value: (row) => row.progress,
  },
  {
    id: 'spent',
    header: say('spent'),
    align: 'right',
    cell: (row) => <SpentTime seconds={secondsOf(row)} />,
    unit: 'ms',
    value: (row) => {
      const seconds = secondsOf(row)
      return seconds === undefined ? null : Math.round(seconds * 1000)
    },
  },
  ...(isAdmin
    ? [
        {
          id: 'channel_id',
          header: say('channel'),
          card: 'none' as const,
          most: 150,
          filters: (row: ListedTask) => [{ facet: 'channel_id', value: String(row.channel_id) }],
          cell: (row: ListedTask) => <ChannelName id={row.channel_id} name={row.channel_name} />,
          value: (row: ListedTask) => nameOrId(row.channel_name, row.channel_id),
        },
        {
          id: 'user_id',
          header: say('user'),
          most: 120,
          filters: (row: ListedTask) => [{ facet: 'user_id', value: String(row.user_id) }],
          cell: (row: ListedTask) => <UserName id={row.user_id} name={row.username} />,
          value: (row: ListedTask) => nameOrId(row.username, row.user_id),
        },
      ]
    : []),
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
  {
    id: 'fail_reason',
    header: say('failReason'),
    card: 'none',
    most: 260,
    cell: (row) => <CutText text={causeText(row.fail_reason)} />,
    value: (row) => causeText(row.fail_reason),
  },
]
