import type { Column } from '#web/components/data-table/columns/column.ts'
import type { ReconciledDay, ReconciledSide } from '#web/lib/api/contract.ts'
import { formatCompact, formatInteger } from '#web/lib/text/format.ts'
import { Amount } from '../amount.tsx'
import { Day, dayText } from '../columns.tsx'
import type { SayReconciliation } from '../messages.ts'
import classes from '../reconciliation.module.css'
import { differenceColumns } from './difference-columns.tsx'
import type { SayResult } from './result-messages.ts'

const sumOf = (parts: readonly (number | null)[]): number | null =>
  parts.every((part) => part === null) ? null : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)

/** Every token that a side names; null where it names none. */
export const tokensOf = (side: ReconciledSide): number | null =>
  sumOf([side.input, side.cache_read, side.cache_write, side.output])

const Count = ({ value, compact = false }: { value: number | null; compact?: boolean }) => {
  if (value === null) return <span className="faint">–</span>
  return (
    <span className="num" title={formatInteger(value)}>
      {compact ? formatCompact(value) : formatInteger(value)}
    </span>
  )
}

/** Both sides of a figure; one where they are the same. */
export const Both = ({ here, there, compact }: { here: number | null; there: number | null; compact?: boolean }) => (
  <span className={classes.both} data-differs={(there !== null && here !== there) || undefined}>
    <Count value={here} compact={compact ?? false} />
    {here !== there && (
      <>
        {' → '}
        <Count value={there} compact={compact ?? false} />
      </>
    )}
  </span>
)

/** Columns of a comparison by day and model. */
export const dayColumns = (say: SayReconciliation, sayResult: SayResult): readonly Column<ReconciledDay>[] => [
  {
    id: 'day',
    header: say('day'),
    card: 'title',
    cell: (row) => <Day at={row.day} />,
    value: (row) => dayText(row.day),
  },
  {
    id: 'model',
    header: say('model'),
    card: 'title',
    cell: (row) => <span className="strong">{row.model || say('otherCharges')}</span>,
    value: (row) => row.model,
  },
  {
    id: 'calls',
    header: sayResult('calls'),
    align: 'right',
    cell: (row) => <Both here={row.ours.calls} there={row.theirs.calls} />,
    value: (row) => row.ours.calls,
  },
  {
    id: 'tokens',
    header: sayResult('tokens'),
    align: 'right',
    cell: (row) => <Both here={tokensOf(row.ours)} there={tokensOf(row.theirs)} compact />,
    value: (row) => tokensOf(row.ours),
  },
  {
    id: 'ours',
    header: say('ours'),
    align: 'right',
    cell: (row) => <Amount value={row.ours.cost} />,
    value: (row) => row.ours.cost,
  },
  {
    id: 'theirs',
    header: say('theirs'),
    align: 'right',
    cell: (row) => <Amount value={row.theirs.cost} />,
    value: (row) => row.theirs.cost,
  },
  ...differenceColumns<ReconciledDay>(say, 280),
]
