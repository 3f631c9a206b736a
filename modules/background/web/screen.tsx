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
import { calls, type ListedBackground } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { isStaffNow, useIsStaff } from '#web/lib/api/staff.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import type { RangeName } from '#web/lib/time/time-range.ts'
import { firstRangeQuery, type RangedTable } from '#web/lib/url/range-query.ts'
import { backgroundColumns } from './columns.tsx'
import { listFor } from './list-for.ts'
import { useBackgroundMessages } from './messages.ts'
import { isCancellable, stateOptions } from './states.tsx'

const BackgroundSheet = onDemand(async () => (await import('./background-sheet.tsx')).BackgroundSheet)
const BackgroundExample = onDemand(async () => (await import('./example.tsx')).BackgroundExample)

const defaultRange: RangeName = '30d'
/** Time between reads, for the state of responses under way. */
const refreshEveryMs = 5_000

type BackgroundFilter = 'state' | 'response_id' | 'user_id'

const table: RangedTable<BackgroundFilter> = {
  name: 'background',
  filters: ['range', 'state', 'response_id', 'user_id'],
  defaults: { range: defaultRange },
}

const lists = [calls.browseBackground, calls.browseOwnBackground]

export const firstRead: FirstRead = (read, search) =>
  read(listFor(isStaffNow('logs')), { query: firstRangeQuery<BackgroundFilter>(table, search) })

/** Responses in the background that have not ended: one's own, or of operators all. */
export const BackgroundScreen = () => {
  const say = useBackgroundMessages()
  const isOperator = useIsStaff('logs')
  const self = useSession()?.id
  const { copy, byHand } = useCopy()
  const { state, query, renew, openAmong, show, close } = useTaskView<BackgroundFilter>(table)
  const responses = useEndpoint(listFor(isOperator), { query }, { refreshEveryMs })
  const columns = useMemo(() => backgroundColumns(say, isOperator), [say, isOperator])
  const cancelling = useQuestion<ListedBackground>()
  const cancel = useAction(
    ({ id, user_id }: ListedBackground) =>
      user_id === self
        ? call(calls.cancelOwnBackground, { params: { id } })
        : call(calls.cancelBackground, { params: { id } }),
    { refresh: lists, refreshAfterFailure: lists, done: say('cancelDone') },
  )
  const items = responses.data?.items ?? []
  const open = openAmong(items)
  const facets: readonly Facet<BackgroundFilter>[] = [
    { kind: 'choice', id: 'state', label: say('state'), options: stateOptions(say) },
    { kind: 'text', id: 'response_id', label: say('responseId') },
  ]
  const users = isOperator ? withCounts([userFacet(say, items)], calls.countBackground, query) : []
  const refresh = (): void => {
    renew()
    void responses.refetch()
  }
  const rowActions = (row: ListedBackground): readonly RowAction[] => [
    { label: say('open'), icon: 'document', onClick: () => show(row) },
    { label: say('copyId'), icon: 'copy', onClick: () => void copy(row.response_id) },
    ...(isCancellable(row)
      ? [{ label: say('cancel'), icon: 'stop' as const, danger: true, onClick: () => cancelling.ask(row) }]
      : []),
  ]
  return (
    <>
      <TaskLog
        say={say}
        icon="history"
        columns={columns}
        facets={[...facets, ...users]}
        query={responses}
        state={state}
        range={state.filters.range}
        fallback={defaultRange}
        onRange={(chosen) => state.setFilter('range', chosen)}
        onRefresh={refresh}
        beginning={<BackgroundExample />}
        rowName={(row) => row.response_id}
        rowActions={rowActions}
        onOpen={show}
        readRows={() => readAll((p, page_size) => call(listFor(isOperator), { query: { ...query, p, page_size } }))}
      />
      {open && <BackgroundSheet row={open} onCancel={() => cancelling.ask(open)} onClose={close} />}
      {cancelling.row && (
        <ConfirmAction
          opened={cancelling.isOpen}
          onClose={cancelling.close}
          title={say('cancelTitle', { id: cancelling.row.response_id })}
          effect={say('cancelEffect')}
          confirmLabel={say('cancel')}
          danger
          onConfirm={async () => cancelling.row && cancel.submit(cancelling.row)}
        />
      )}
      <CopyDialog {...byHand} />
    </>
  )
}
