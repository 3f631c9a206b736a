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
import type { ListedDrawing } from '#web/lib/api/contract.ts'
import type { SayDrawing } from './messages.ts'
import { PictureButton } from './picture.tsx'
import { actionText, DrawingStatus, SubmitResult } from './states.tsx'

/** Seconds that a drawing took; undefined while it is not finished. */
export const secondsOf = ({ submit_time, finish_time }: ListedDrawing): number | undefined =>
  spentSeconds(submit_time, finish_time, 1000)

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
  spentColumn(say, secondsOf),
  ...(isAdmin ? peopleColumns<ListedDrawing>(say) : []),
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
  progressColumn(say),
  {
    id: 'prompt_en',
    header: say('promptEn'),
    hidden: true,
    card: 'none',
    cell: (row) => <CutText text={row.prompt_en} />,
    value: (row) => row.prompt_en,
  },
  failureColumn(say, 160),
]
