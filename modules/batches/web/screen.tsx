import { useMemo } from 'react'
import { CopyDialog, useCopy } from '#web/components/copy/copy-text.tsx'
import type { Facet, RowAction } from '#web/components/data-table/columns/column.ts'
import { readAll } from '#web/components/data-table/export/read-all.ts'
import { withCounts } from '#web/components/data-table/filters/counted-facets.ts'
import { ConfirmAction, useQuestion } from '#web/components/form/confirm-action.tsx'
import { userFacet } from '#web/components/task-log/task-columns.tsx'
import { TaskLog } from '#web/components/task-log/task-log.tsx'
import { useTaskView } from '#web/components/task-log/use-task-view.ts'
import { call } from '#web/lib/api/api.ts'
import { calls, type ListedBatch } from '#web/lib/api/contract.ts'
import { isStaffNow, useIsStaff } from '#web/lib/api/staff.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useEndpoint } from '#web/lib/query.ts'
import type { RangeName } from '#web/lib/time/time-range.ts'
import { firstRangeQuery, type RangedTable } from '#web/lib/url/range-query.ts'
import { batchColumns } from './columns.tsx'
import { type SayBatch, useBatchMessages } from './messages.ts'
import { formOptions, isCancellable, stateOptions } from './states.tsx'
import { type BatchActions, useBatchActions } from './use-batch-actions.ts'

const BatchSheet = onDemand(async () => (await import('./batch-sheet.tsx')).BatchSheet)
const BatchExample = onDemand(async () => (await import('./example.tsx')).BatchExample)

const defaultRange: RangeName = '30d'
/** Time between reads, for the progress of batches under way. */
const refreshEveryMs = 5_000

type BatchFilter = 'state' | 'form' | 'batch_id' | 'user_id'

const table: RangedTable<BatchFilter> = {
  name: 'batches',
  filters: ['range', 'state', 'form', 'batch_id', 'user_id'],
  defaults: { range: defaultRange },
}

const facetsOf = (say: SayBatch, isOperator: boolean, rows: readonly ListedBatch[]): readonly Facet<BatchFilter>[] => [
  { kind: 'choice', id: 'state', label: say('state'), options: stateOptions(say) },
  { kind: 'choice', id: 'form', label: say('form'), options: formOptions(say) },
  { kind: 'text', id: 'batch_id', label: say('batchId') },
  ...(isOperator ? [userFacet(say, rows)] : []),
]

// Both lists have the same shape; only who may call them differs.
const listOf = (isOperator: boolean) =>
  (isOperator ? calls.browseBatches : calls.browseOwnBatches) as typeof calls.browseBatches

interface RowHandlers {
  readonly actions: BatchActions
  readonly show: (row: ListedBatch) => void
  readonly copy: (text: string) => Promise<void>
  readonly askToCancel: (row: ListedBatch) => void
}

const rowActionsOf = (
  row: ListedBatch,
  say: SayBatch,
  { actions, show, copy, askToCancel }: RowHandlers,
): readonly RowAction[] => [
  { label: say('open'), icon: 'document', onClick: () => show(row) },
  { label: say('copyId'), icon: 'copy', onClick: () => void copy(row.batch_id) },
  ...row.files.map((kind) => ({
    label: say(kind === 'output' ? 'results' : 'errorFile'),
    icon: 'download' as const,
    onClick: () => void actions.save(row, kind),
  })),
  ...(row.retries ? [{ label: say('retry'), icon: 'refresh' as const, onClick: () => void actions.retry(row) }] : []),
  ...(isCancellable(row)
    ? [{ label: say('cancel'), icon: 'stop' as const, danger: true, onClick: () => askToCancel(row) }]
    : []),
]

export const firstRead: FirstRead = (read, search) =>
  read(listOf(isStaffNow('logs')), { query: firstRangeQuery<BatchFilter>(table, search) })

/** Batches: one's own, or of operators all. */
export const BatchesScreen = () => {
  const say = useBatchMessages()
  const isOperator = useIsStaff('logs')
  const { copy, byHand } = useCopy()
  const { state, query, renew, openAmong, show, close } = useTaskView<BatchFilter>(table)
  const batches = useEndpoint(listOf(isOperator), { query }, { refreshEveryMs })
  const columns = useMemo(() => batchColumns(say, isOperator), [say, isOperator])
  const actions = useBatchActions((id) => show({ id }))
  const cancelling = useQuestion<ListedBatch>()
  const items = batches.data?.items ?? []
  const open = openAmong(items)
  const refresh = (): void => {
    renew()
    void batches.refetch()
  }
  return (
    <>
      <TaskLog
        say={say}
        icon="layers"
        columns={columns}
        facets={withCounts(
          facetsOf(say, isOperator, items),
          isOperator ? calls.countBatches : calls.countOwnBatches,
          query,
        )}
        query={batches}
        state={state}
        range={state.filters.range}
        fallback={defaultRange}
        onRange={(chosen) => state.setFilter('range', chosen)}
        onRefresh={refresh}
        beginning={<BatchExample />}
        rowName={(row) => row.batch_id}
        rowActions={(row) => rowActionsOf(row, say, { actions, show, copy, askToCancel: cancelling.ask })}
        onOpen={show}
        readRows={() => readAll((p, page_size) => call(listOf(isOperator), { query: { ...query, p, page_size } }))}
      />
      {open && <BatchSheet batch={open} actions={actions} onCancel={() => cancelling.ask(open)} onClose={close} />}
      {cancelling.row && (
        <ConfirmAction
          opened={cancelling.isOpen}
          onClose={cancelling.close}
          title={say('cancelTitle', { id: cancelling.row.batch_id })}
          effect={say('cancelEffect')}
          confirmLabel={say('cancel')}
          danger
          onConfirm={async () => cancelling.row && actions.cancel(cancelling.row)}
        />
      )}
      <CopyDialog {...byHand} />
    </>
  )
}
