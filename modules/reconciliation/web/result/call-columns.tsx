import { Link } from '@tanstack/react-router'
import type { Column } from '#web/components/data-table/columns/column.ts'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import type { ReconciledCall } from '#web/lib/api/contract.ts'
import { Amount } from '../amount.tsx'
import { Day } from '../columns.tsx'
import type { SayReconciliation } from '../messages.ts'
import classes from '../reconciliation.module.css'
import type { SayCalls } from './call-messages.ts'
import { Both, tokensOf } from './columns.tsx'
import { differenceColumns } from './difference-columns.tsx'
import type { SayResult } from './result-messages.ts'

const tokens = (side: ReconciledCall['ours']): number | null => (side === null ? null : tokensOf(side))

/** Calls that only the report has are known by their day. */
const When = ({ row }: { row: ReconciledCall }) => (row.ours === null ? <Day at={row.at} /> : <TimeText at={row.at} />)

/** Columns of single calls; the call of the log opens its entry there. */
export const callColumns = (
  say: SayReconciliation,
  sayResult: SayResult,
  sayCalls: SayCalls,
): readonly Column<ReconciledCall>[] => [
  {
    id: 'at',
    header: sayCalls('at'),
    card: 'title',
    cell: (row) => <When row={row} />,
    value: (row) => new Date(row.at * 1000).toISOString(),
  },
  {
    id: 'model',
    header: say('model'),
    card: 'title',
    cell: (row) => <span className="strong">{row.model || say('otherCharges')}</span>,
    value: (row) => row.model,
  },
  {
    id: 'tokens',
    header: sayResult('tokens'),
    align: 'right',
    cell: (row) => <Both here={tokens(row.ours)} there={tokens(row.theirs)} />,
    value: (row) => tokens(row.ours ?? row.theirs),
  },
  {
    id: 'ours',
    header: say('ours'),
    align: 'right',
    cell: (row) => <Amount value={row.ours?.cost ?? null} />,
    value: (row) => row.ours?.cost ?? '',
  },
  {
    id: 'theirs',
    header: say('theirs'),
    align: 'right',
    cell: (row) => <Amount value={row.theirs?.cost ?? null} />,
    value: (row) => row.theirs?.cost ?? '',
  },
  ...differenceColumns<ReconciledCall>(say, 220),
  {
    id: 'provider_request_id',
    header: sayCalls('providerId'),
    cell: (row) => (
      <span className={`mono ${classes.id}`} title={row.provider_request_id}>
        {row.provider_request_id}
      </span>
    ),
    value: (row) => row.provider_request_id,
  },
  {
    id: 'request_id',
    header: sayCalls('call'),
    cell: (row) =>
      row.request_id === '' ? (
        <span className="faint">–</span>
      ) : (
        <Link
          to="/log"
          search={{ request: row.request_id } as never}
          className={`mono ${classes.id}`}
          title={row.request_id}
        >
          {row.request_id}
        </Link>
      ),
    value: (row) => row.request_id,
  },
]
