import type { Column } from '#web/components/data-table/columns/column.ts'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { CutText, createdColumn, userColumn } from '#web/components/task-log/task-columns.tsx'
import type { ListedBackground } from '#web/lib/api/contract.ts'
import { isoTime } from '#web/lib/text/iso-time.ts'
import type { SayBackground } from './messages.ts'
import { BackgroundState } from './states.tsx'

/** Columns of the list of responses in the background; operators see whose they are, and why an attempt failed. */
export const backgroundColumns = (say: SayBackground, isOperator: boolean): readonly Column<ListedBackground>[] => [
  createdColumn(say),
  {
    id: 'model',
    header: say('model'),
    card: 'title',
    most: 200,
    cell: (row) => <CutText text={row.model} />,
    value: (row) => row.model,
  },
  ...(isOperator ? [userColumn<ListedBackground>(say)] : []),
  {
    id: 'state',
    header: say('state'),
    filters: (row) => [{ facet: 'state', value: row.state }],
    cell: (row) => <BackgroundState state={row.state} />,
    value: (row) => row.state,
  },
  {
    id: 'attempts',
    header: say('attempts'),
    card: 'none',
    align: 'right',
    cell: (row) => <span className="num">{row.attempts}</span>,
    value: (row) => row.attempts,
  },
  {
    id: 'deadline_at',
    header: say('deadline'),
    card: 'none',
    cell: (row) => (row.deadline_at > 0 ? <TimeText at={row.deadline_at} brief /> : <span className="faint">—</span>),
    value: (row) => isoTime(row.deadline_at),
  },
  {
    id: 'response_id',
    header: say('responseId'),
    card: 'none',
    most: 220,
    cell: (row) => <CutText text={row.response_id} mono />,
    value: (row) => row.response_id,
  },
  ...(isOperator
    ? [
        {
          id: 'error',
          header: say('error'),
          card: 'none' as const,
          hidden: true,
          most: 260,
          cell: ({ error = '' }: ListedBackground) => <CutText text={error} />,
          value: ({ error = '' }: ListedBackground) => error,
        },
      ]
    : []),
]
