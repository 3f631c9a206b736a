import type { Column } from '../../components/data-table/columns/column.ts'
import { ProgressText } from '../../components/display/progress-text.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { CutText } from '../../components/task-log/cut-text.tsx'
import { nameOrId } from '../../components/task-log/named.ts'
import { ChannelName, UserName } from '../../components/task-log/people.tsx'
import { SpentTime, spentSeconds } from '../../components/task-log/spent-time.tsx'
import type { ListedDrawing } from '../../lib/api/contract.ts'
import { causeText } from '../../lib/text/cause-text.ts'
import type { SayDrawing } from './messages.ts'
import { PictureButton } from './picture.tsx'
import { actionText, DrawingStatus, SubmitResult } from './states.tsx'

/** Seconds that a drawing took; undefined while it is not finished. */
export const secondsOf = ({ submit_time, finish_time }: ListedDrawing): number | undefined =>
  spentSeconds(submit_time, finish_time, 1000)

const millisecondsOf = (row: ListedDrawing): number | undefined => {
  const seconds = secondsOf(row)
  return seconds === undefined ? undefined : Math.round(seconds * 1000)
}

/** Columns of the drawing log; admins see channel, user and the upstream's answer. */
export const drawingColumns = (say: SayDrawing, isAdmin: boolean): readonly Column<ListedDrawing>[] => [
  {
    id: 'submit_time',
    header: say('submitTime'),
    cell: (row) => <TimeText at={Math.floor(row.submit_time / 1000)} brief />,
    value: (row) => (row.submit_time > 0 ? new Date(row.submit_time).toISOString() : ''),
  },
  {
    id: 'image',
    header: say('image'),
    card: 'amount',
    cell: (row) => <PictureButton drawing={row} />,
    value: (row) => row.image_url,
  },
  {
    id: 'prompt',
    header: say('prompt'),
    card: 'title',
    most: 220,
    width: 200,
    cell: (row) => <CutText text={row.prompt} />,
    value: (row) => row.prompt,
  },
  {
    id: 'spent',
    header: say('spent'),
    align: 'right',
    cell: (row) => <SpentTime seconds={secondsOf(row)} />,
    unit: 'ms',
    value: (row) => millisecondsOf(row) ?? null,
  },
  ...(isAdmin
    ? [
        {
          id: 'channel_id',
          header: say('channel'),
          card: 'none' as const,
          most: 150,
          filters: (row: ListedDrawing) => [{ facet: 'channel_id', value: String(row.channel_id) }],
          cell: (row: ListedDrawing) => <ChannelName id={row.channel_id} name={row.channel_name} />,
          value: (row: ListedDrawing) => nameOrId(row.channel_name, row.channel_id),
        },
        {
          id: 'user_id',
          header: say('user'),
          most: 120,
          filters: (row: ListedDrawing) => [{ facet: 'user_id', value: String(row.user_id) }],
          cell: (row: ListedDrawing) => <UserName id={row.user_id} name={row.username} />,
          value: (row: ListedDrawing) => nameOrId(row.username, row.user_id),
        },
      ]
    : []),
  {
    id: 'action',
    header: say('action'),
    filters: (row) => [{ facet: 'action', value: row.action }],
    cell: (row) => actionText(row.action, say),
    value: (row) => row.action,
  },
  {
    id: 'mj_id',
    header: say('taskId'),
    card: 'none',
    most: 110,
    cell: (row) => <CutText text={row.mj_id} mono />,
    value: (row) => row.mj_id,
  },
  ...(isAdmin
    ? [
        {
          id: 'code',
          header: say('code'),
          card: 'none' as const,
          cell: (row: ListedDrawing) => <SubmitResult code={row.code} />,
          value: (row: ListedDrawing) => row.code,
        },
      ]
    : []),
  {
    id: 'status',
    header: say('status'),
    filters: (row) => [{ facet: 'status', value: row.status }],
    cell: (row) => <DrawingStatus status={row.status} />,
    value: (row) => row.status,
  },
  {
    id: 'progress',
    header: say('progress'),
    card: 'none',
    cell: (row) => <ProgressText text={row.progress} failed={row.status === 'FAILURE'} label={say('progress')} />,
    value: (row) => row.progress,
  },
  {
    id: 'prompt_en',
    header: say('promptEn'),
    hidden: true,
    card: 'none',
    cell: (row) => <CutText text={row.prompt_en} />,
    value: (row) => row.prompt_en,
  },
  {
    id: 'fail_reason',
    header: say('failReason'),
    card: 'none',
    most: 160,
    cell: (row) => <CutText text={causeText(row.fail_reason)} />,
    value: (row) => causeText(row.fail_reason),
  },
]
