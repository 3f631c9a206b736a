import type { Column } from '#web/components/data-table/columns/column.ts'
import { ProgressText } from '#web/components/display/progress-text.tsx'
import { CutText, costColumn, createdColumn, peopleColumns } from '#web/components/task-log/task-columns.tsx'
import type { ListedVideo } from '#web/lib/api/contract.ts'
import type { SayVideo } from './messages.ts'
import { VideoState } from './states.tsx'

/** Columns of the list of videos; operators see channel and user. */
export const videoColumns = (say: SayVideo, isOperator: boolean): readonly Column<ListedVideo>[] => [
  createdColumn(say),
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
  ...(isOperator ? peopleColumns<ListedVideo>(say) : []),
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
  costColumn(say),
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
