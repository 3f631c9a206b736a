import type { Column } from '#web/components/data-table/columns/column.ts'
import { ProgressText } from '#web/components/display/progress-text.tsx'
import { Quota } from '#web/components/display/quota.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { ChannelName, UserName } from '#web/components/task-log/people.tsx'
import { CutText } from '#web/components/task-log/task-columns.tsx'
import type { ListedVideo } from '#web/lib/api/contract.ts'
import { isoTime } from '#web/lib/text/iso-time.ts'
import type { SayVideo } from './messages.ts'
import { VideoState } from './states.tsx'

const peopleColumns = (say: SayVideo): readonly Column<ListedVideo>[] => [
  {
    id: 'channel_id',
    header: say('channel'),
    card: 'none',
    most: 150,
    filters: (row) => [{ facet: 'channel_id', value: String(row.channel_id) }],
    cell: (row) => <ChannelName id={row.channel_id} name={row.channel_name} />,
    value: (row) => row.channel_name || row.channel_id,
  },
  {
    id: 'user_id',
    header: say('user'),
    most: 120,
    filters: (row) => [{ facet: 'user_id', value: String(row.user_id) }],
    cell: (row) => <UserName id={row.user_id} name={row.username} />,
    value: (row) => row.username || row.user_id,
  },
]

/** Columns of the list of videos; operators see channel and user. */
export const videoColumns = (say: SayVideo, isOperator: boolean): readonly Column<ListedVideo>[] => [
  {
    id: 'created_at',
    header: say('created'),
    cell: (row) => <TimeText at={row.created_at} brief />,
    value: (row) => isoTime(row.created_at),
  },
  {
    id: 'prompt',
    header: say('prompt'),
    card: 'title',
    most: 280,
    width: 200,
    cell: (row) => <CutText text={row.prompt} />,
    value: (row) => row.prompt,
  },
  {
    id: 'model',
    header: say('model'),
    most: 180,
    cell: (row) => <CutText text={row.model} />,
    value: (row) => row.model,
  },
  ...(isOperator ? peopleColumns(say) : []),
  {
    id: 'status',
    header: say('status'),
    filters: (row) => [{ facet: 'status', value: row.state }],
    cell: (row) => <VideoState state={row.state} />,
    value: (row) => row.state,
  },
  {
    id: 'progress',
    header: say('progress'),
    card: 'none',
    cell: (row) => <ProgressText text={`${row.progress}%`} failed={row.state === 'failed'} label={say('progress')} />,
    value: (row) => row.progress,
  },
  {
    id: 'length',
    header: say('length'),
    card: 'none',
    align: 'right',
    cell: (row) => <span className="num">{say('secondsOf', { seconds: row.seconds })}</span>,
    value: (row) => row.seconds,
  },
  {
    id: 'size',
    header: say('size'),
    card: 'none',
    cell: (row) => row.size || '—',
    value: (row) => row.size,
  },
  {
    id: 'quota',
    header: say('cost'),
    card: 'amount',
    align: 'right',
    money: true,
    sum: true,
    cell: (row) => <Quota value={row.quota} />,
    value: (row) => row.quota,
  },
  {
    id: 'fail_reason',
    header: say('failReason'),
    card: 'none',
    hidden: true,
    most: 260,
    cell: (row) => <CutText text={row.error_message} />,
    value: (row) => row.error_message,
  },
]
