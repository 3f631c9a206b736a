import type { Column } from '#web/components/data-table/columns/column.ts'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { CutText, costColumn, createdColumn, userColumn } from '#web/components/task-log/task-columns.tsx'
import type { ListedBatch } from '#web/lib/api/contract.ts'
import { isoTime } from '#web/lib/text/iso-time.ts'
import type { SayBatch } from './messages.ts'
import { doneOf } from './percent.ts'
import { BatchCounts, BatchProgress } from './progress.tsx'
import { BatchState } from './states.tsx'

const modelsText = ({ models: [first = '—', ...more] }: ListedBatch): string =>
  more.length === 0 ? first : `${first} +${more.length}`

/** Columns of the list of batches; operators see whose they are. */
export const batchColumns = (say: SayBatch, isOperator: boolean): readonly Column<ListedBatch>[] => [
  createdColumn(say),
  {
    id: 'models',
    header: say('models'),
    card: 'title',
    most: 200,
    cell: (row) => <CutText text={modelsText(row)} />,
    value: (row) => row.models.join(', '),
  },
  ...(isOperator ? [userColumn<ListedBatch>(say)] : []),
  {
    id: 'state',
    header: say('state'),
    filters: (row) => [{ facet: 'state', value: row.state }],
    cell: (row) => <BatchState state={row.state} />,
    value: (row) => row.state,
  },
  {
    id: 'progress',
    header: say('progress'),
    cell: (row) => <BatchProgress batch={row} />,
    cardCell: (row) => <BatchCounts batch={row} />,
    value: (row) => `${doneOf(row)}/${row.total}`,
  },
  {
    id: 'failed',
    header: say('failed'),
    hidden: true,
    card: 'none',
    align: 'right',
    cell: (row) => <span className="num">{row.failed}</span>,
    value: (row) => row.failed,
  },
  costColumn(say),
  {
    id: 'ends',
    header: say('ends'),
    card: 'none',
    cell: (row) => (row.ended_at > 0 ? <TimeText at={row.ended_at} brief /> : <span className="faint">—</span>),
    value: (row) => isoTime(row.ended_at),
  },
  {
    id: 'expires_at',
    header: say('expires'),
    hidden: true,
    card: 'none',
    cell: (row) => <TimeText at={row.expires_at} brief />,
    value: (row) => isoTime(row.expires_at),
  },
  {
    id: 'form',
    header: say('form'),
    card: 'none',
    filters: (row) => [{ facet: 'form', value: row.form }],
    cell: (row) => say(`form_${row.form}`),
    value: (row) => row.form,
  },
  {
    id: 'batch_id',
    header: say('batchId'),
    card: 'none',
    most: 160,
    cell: (row) => <CutText text={row.batch_id} mono />,
    value: (row) => row.batch_id,
  },
]
