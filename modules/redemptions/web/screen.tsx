import { redemptionExpired, redemptionStatus } from 'virtual:contract'
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { type Chosen, chosenRows, forChosen } from '#web/components/batch/chosen.ts'
import { useBatchMessages } from '#web/components/batch/messages.ts'
import { BatchDialogs, useBatch } from '#web/components/batch/use-batch.tsx'
import { CopyDialog, useCopy } from '#web/components/copy/copy-text.tsx'
import type { BulkAction, Column, Facet } from '#web/components/data-table/columns/column.ts'
import { DataTable } from '#web/components/data-table/data-table.tsx'
import { printRows, saveFile } from '#web/components/data-table/export/export-rows.ts'
import { readAll } from '#web/components/data-table/export/read-all.ts'
import { withCounts } from '#web/components/data-table/filters/counted-facets.ts'
import { Icon } from '#web/components/display/icon.tsx'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { PageHeader } from '#web/components/page-header.tsx'
import { call } from '#web/lib/api/api.ts'
import { type BodyInputOf, type batchRedemptions, calls, type Redemption } from '#web/lib/api/contract.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { tableQueryAt, useTableState } from '#web/lib/url/table-state.ts'
import { redemptionColumns } from './columns.tsx'
import { keyLines, revealKeys } from './keys.ts'
import { type SayRedemption, useRedemptionMessages } from './messages.ts'
import { nameOf, useRedemptionActions } from './use-actions.ts'

const CreateRedemptions = onDemand(async () => (await import('./form.tsx')).CreateRedemptions)
const EditRedemption = onDemand(async () => (await import('./form.tsx')).EditRedemption)

const filters = ['keyword', 'status', 'batch_id'] as const
const table = { name: 'redemptions', filters } as const
type RedemptionFilter = (typeof filters)[number]

/** Loads the result texts with the first action. */
const loadTexts = async () => (await import('./batch-texts.ts')).redemptionBatchTexts

type Act = BodyInputOf<typeof batchRedemptions>['act']

const facetsOf = (say: SayRedemption): readonly Facet<RedemptionFilter>[] => [
  {
    kind: 'choice',
    id: 'status',
    label: say('status'),
    options: [
      { value: String(redemptionStatus.unused), label: say('unused') },
      { value: String(redemptionExpired), label: say('expired') },
      { value: String(redemptionStatus.disabled), label: say('disabled') },
      { value: String(redemptionStatus.used), label: say('used') },
    ],
  },
  { kind: 'text', id: 'batch_id', label: say('batch'), whole: true, not: true },
]

/** The columns that are exported, with the whole codes among them. */
const withKeys = (
  columns: readonly Column<Redemption>[],
  keys: ReadonlyMap<number, string>,
): readonly Column<Redemption>[] =>
  columns.map((column) => (column.id === 'key' ? { ...column, value: ({ id }) => keys.get(id) ?? '' } : column))

export const firstRead: FirstRead = (read, search) =>
  read(calls.searchRedemptions, { query: tableQueryAt(table, search) })

export const RedemptionsScreen = () => {
  const say = useRedemptionMessages()
  const sayBatch = useBatchMessages()
  const [search, setSearch] = useSearchParams()
  const state = useTableState(table)
  const codes = useEndpoint(calls.searchRedemptions, { query: state.query })
  const batch = useBatch(
    (which, act: Act) => call(calls.batchRedemptions, { body: { which, act } }),
    [calls.searchRedemptions],
    loadTexts,
  )
  const { copy, byHand } = useCopy()
  const [removing, setRemoving] = useState<Chosen>()
  const [now] = useState(() => Math.floor(Date.now() / 1000))
  const columns = useMemo(() => redemptionColumns(say, now), [say, now])
  const actions = useRedemptionActions((code, drop) => setRemoving(chosenRows([code], drop, nameOf)))

  const copyAll = useAction(async (rows: readonly Redemption[]): Promise<void> => {
    if (rows.length === 0) throw new Error(say('selectFirst'))
    await copy(keyLines(await revealKeys(rows.map(({ id }) => id))), { secret: true })
  })
  const saveSelected = async (rows: readonly Redemption[]): Promise<void> => {
    const keys = new Map((await revealKeys(rows.map(({ id }) => id))).map(({ id, key }) => [id, key]))
    saveFile(say('fileName'), printRows(rows, withKeys(columns, keys), 'csv'), 'csv')
  }
  const exportSelected = useAction(saveSelected, { done: (_, rows) => say('exported', { count: rows.length }) })
  const bulk: readonly BulkAction<Redemption>[] = [
    { label: say('exportSelected'), icon: 'download', onClick: (rows) => void exportSelected.run(rows) },
    {
      label: say('enableSelected'),
      icon: 'check',
      ...forChosen((chosen) => void batch.run(chosen, { kind: 'status', status: redemptionStatus.unused }), nameOf),
    },
    {
      label: say('disableSelected'),
      icon: 'stop',
      ...forChosen((chosen) => void batch.run(chosen, { kind: 'status', status: redemptionStatus.disabled }), nameOf),
    },
    {
      label: say('deleteSelected'),
      icon: 'trash',
      danger: true,
      ...forChosen(setRemoving, nameOf),
    },
  ]
  const add = (variant: 'filled' | 'default') => (
    <Button
      data-create
      variant={variant}
      leftSection={<Icon name="plus" size={14} />}
      onClick={() => setSearch({ add: '1' })}
    >
      {say('add')}
    </Button>
  )
  const close = (): void => setSearch({ add: undefined, edit: undefined })
  const edited = Number(search.edit)
  const count = removing?.count ?? 0
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} actions={add('filled')} />
      <DataTable
        title={say('title')}
        columns={columns}
        query={codes}
        state={state}
        rowId={(code) => code.id}
        rowName={nameOf}
        quiet={(code) => code.status !== redemptionStatus.unused}
        search={{ filter: 'keyword', placeholder: say('search') }}
        facets={withCounts(facetsOf(say), calls.countRedemptions, state.query)}
        tools={(rows) => (
          <Button variant="subtle" leftSection={<Icon name="copy" size={14} />} onClick={() => void copyAll.run(rows)}>
            {say('copySelected')}
          </Button>
        )}
        rowActions={actions}
        bulkActions={bulk}
        readRows={() =>
          readAll((p, page_size) => call(calls.searchRedemptions, { query: { ...state.query, p, page_size } }))
        }
        exportName={say('fileName')}
        empty={{ icon: 'ticket', title: say('emptyTitle'), text: say('emptyText'), action: add('default') }}
      />
      {search.add && <CreateRedemptions onClose={close} />}
      {edited > 0 && <EditRedemption key={edited} id={edited} onClose={close} />}
      <ConfirmAction
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={count === 1 ? say('deleteTitle') : say('deleteManyTitle', { count })}
        effect={say('deleteEffect')}
        confirmLabel={say('deleteConfirm')}
        {...(removing?.matching ? { typeToConfirm: String(count), typeLabel: sayBatch('typeLabel', { count }) } : {})}
        onConfirm={() => void (removing && batch.run(removing, { kind: 'delete' }))}
        danger
      />
      <CopyDialog {...byHand} />
      <BatchDialogs {...batch} />
    </>
  )
}
