import type { Column } from '#web/components/data-table/columns/column.ts'
import type { NamedCause } from '#web/lib/api/contract.ts'
import { Causes, causesText, Difference } from '../amount.tsx'
import type { SayReconciliation } from '../messages.ts'

interface ExplainedDifference {
  /** Dollars; null where one side does not know the sum. */
  readonly difference: string | null
  readonly causes: readonly NamedCause[]
}

/** By how much both sides differ, and why. `causesWidth` in pixels. */
export const differenceColumns = <Row extends ExplainedDifference>(
  say: SayReconciliation,
  causesWidth: number,
): readonly Column<Row>[] => [
  {
    id: 'difference',
    header: say('difference'),
    align: 'right',
    card: 'amount',
    cell: (row) => <Difference value={row.difference} />,
    value: (row) => row.difference,
  },
  {
    id: 'causes',
    header: say('causes'),
    width: causesWidth,
    card: 'field',
    cardCell: (row) => (row.causes.length === 0 ? null : <Causes causes={row.causes} say={say} />),
    cell: (row) => <Causes causes={row.causes} say={say} />,
    value: (row) => causesText(row.causes, say),
  },
]
