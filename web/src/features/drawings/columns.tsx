import type { Column } from '../../components/data-table/column.ts'
import { ProgressText } from '../../components/progress-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import type { Drawing } from '../../lib/contract.ts'
import classes from './drawings.module.css'
import type { SayDrawing } from './messages.ts'
import { PictureButton } from './picture.tsx'
import { actionText, DrawingStatus, SubmitResult } from './states.tsx'

const slowSeconds = 60

/** Seconds that a drawing took; undefined while it is not finished. */
export const secondsOf = ({ submit_time, finish_time }: Drawing): number | undefined =>
  finish_time > 0 && submit_time > 0 ? (finish_time - submit_time) / 1000 : undefined

export const Spent = ({ drawing, say }: { drawing: Drawing; say: SayDrawing }) => {
  const seconds = secondsOf(drawing)
  if (seconds === undefined) return <span className="faint">{say('unfinished')}</span>
  const slow = seconds > slowSeconds
  const count = seconds.toFixed(1)
  return (
    <span className={`num ${slow ? classes.slow : classes.quick}`}>{say(slow ? 'slow' : 'seconds', { count })}</span>
  )
}

const Cut = ({ text, none }: { text: string; none: string }) =>
  text === '' ? (
    <span className="faint">{none}</span>
  ) : (
    <span className={classes.cut} title={text}>
      {text}
    </span>
  )

/** Columns of the drawing log (console reference D3); admins see channel, user and the upstream's answer. */
export const drawingColumns = (say: SayDrawing, isAdmin: boolean): readonly Column<Drawing>[] => [
  {
    id: 'submit_time',
    header: say('submitTime'),
    card: 'title',
    cell: (row) => <TimeText at={Math.floor(row.submit_time / 1000)} brief />,
    value: (row) => (row.submit_time > 0 ? new Date(row.submit_time).toISOString() : ''),
  },
  {
    id: 'spent',
    header: say('spent'),
    cell: (row) => <Spent drawing={row} say={say} />,
    value: (row) => secondsOf(row) ?? null,
  },
  ...(isAdmin
    ? [
        {
          id: 'channel_id',
          header: say('channel'),
          cell: (row: Drawing) => <span className="num">{row.channel_id}</span>,
          value: (row: Drawing) => row.channel_id,
        },
        {
          id: 'user_id',
          header: say('user'),
          hidden: true,
          cell: (row: Drawing) => <span className="num">{row.user_id}</span>,
          value: (row: Drawing) => row.user_id,
        },
      ]
    : []),
  {
    id: 'action',
    header: say('action'),
    cell: (row) => actionText(row.action, say),
    value: (row) => row.action,
  },
  {
    id: 'mj_id',
    header: say('taskId'),
    cell: (row) => <span className="mono">{row.mj_id}</span>,
    value: (row) => row.mj_id,
  },
  ...(isAdmin
    ? [
        {
          id: 'code',
          header: say('code'),
          cell: (row: Drawing) => <SubmitResult code={row.code} />,
          value: (row: Drawing) => row.code,
        },
      ]
    : []),
  {
    id: 'status',
    header: say('status'),
    card: 'title',
    cell: (row) => <DrawingStatus status={row.status} />,
    value: (row) => row.status,
  },
  {
    id: 'progress',
    header: say('progress'),
    cell: (row) => <ProgressText text={row.progress} failed={row.status === 'FAILURE'} label={say('progress')} />,
    value: (row) => row.progress,
  },
  {
    id: 'image',
    header: say('image'),
    cell: (row) => <PictureButton drawing={row} />,
    value: (row) => row.image_url,
  },
  {
    id: 'prompt',
    header: say('prompt'),
    cell: (row) => <Cut text={row.prompt} none={say('none')} />,
    value: (row) => row.prompt,
  },
  {
    id: 'prompt_en',
    header: say('promptEn'),
    hidden: true,
    card: 'none',
    cell: (row) => <Cut text={row.prompt_en} none={say('none')} />,
    value: (row) => row.prompt_en,
  },
  {
    id: 'fail_reason',
    header: say('failReason'),
    cell: (row) => <Cut text={row.fail_reason} none={say('none')} />,
    value: (row) => row.fail_reason,
  },
]
