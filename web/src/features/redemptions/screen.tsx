import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { useCopy } from '../../components/copy-text.tsx'
import type { BulkAction, Column, Facet } from '../../components/data-table/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { type ExportFormat, printRows, saveFile } from '../../components/data-table/export-rows.ts'
import { readAll } from '../../components/data-table/read-all.ts'
import { Icon } from '../../components/icon.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { call } from '../../lib/api.ts'
import { calls, type Redemption, redemptionExpired, redemptionStatus } from '../../lib/contract.ts'
import { notifyDone, notifyFailure, notifyInfo } from '../../lib/notify.tsx'
import { useEndpoint, useRefresh } from '../../lib/query.ts'
import { type Outcome, runAll } from '../../lib/run-all.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { useTableState } from '../../lib/table-state.ts'
import { redemptionColumns } from './columns.tsx'
import { CreateRedemptions, EditRedemption } from './form.tsx'
import { keyLines, revealKeys } from './keys.ts'
import { type SayRedemption, useRedemptionWords } from './messages.ts'
import { statusCall, useRedemptionActions } from './use-actions.ts'

const filters = ['keyword', 'status', 'batch_id'] as const
type RedemptionFilter = (typeof filters)[number]

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
  { kind: 'text', id: 'batch_id', label: say('batch') },
]

const useSummary = (): ((outcome: Outcome<Redemption>) => void) => {
  const say = useRedemptionWords()
  return ({ done, failed }) => {
    if (failed.length === 0) return notifyDone(say('doneMany', { count: done.length }))
    const reasons = failed.map(({ item, reason }) => `#${item.id} ${item.name}: ${reason}`).join('\n')
    return notifyFailure(say('failedMany', { done: done.length, failed: failed.length, reasons }))
  }
}

/** The columns that are exported, with the whole codes among them. */
const withKeys = (
  columns: readonly Column<Redemption>[],
  keys: ReadonlyMap<number, string>,
): readonly Column<Redemption>[] =>
  columns.map((column) => (column.id === 'key' ? { ...column, value: ({ id }) => keys.get(id) ?? '' } : column))

export const RedemptionsScreen = () => {
  const say = useRedemptionWords()
  const [search, setSearch] = useSearchParams()
  const state = useTableState({ name: 'redemptions', filters })
  const codes = useEndpoint(calls.searchRedemptions, { query: state.query })
  const refresh = useRefresh()
  const summarise = useSummary()
  const { copy, dialog } = useCopy()
  const [removing, setRemoving] = useState<{ codes: readonly Redemption[]; clear: () => void }>()
  const [now] = useState(() => Math.floor(Date.now() / 1000))
  const columns = redemptionColumns(say, now)
  const actions = useRedemptionActions((code, drop) => setRemoving({ codes: [code], clear: drop }))

  const setAll = (status: number) => async (rows: readonly Redemption[], clear: () => void) => {
    summarise(await runAll(rows, ({ id }) => call(calls.updateRedemption, statusCall(id, status))))
    clear()
    await refresh(calls.searchRedemptions)
  }
  const copyAll = async (rows: readonly Redemption[]): Promise<void> => {
    if (rows.length === 0) return notifyFailure(say('selectFirst'))
    try {
      await copy(keyLines(await revealKeys(rows.map(({ id }) => id))), { secret: true })
    } catch (error) {
      notifyFailure(error)
    }
  }
  const exportSelected = async (rows: readonly Redemption[]): Promise<void> => {
    try {
      const keys = new Map((await revealKeys(rows.map(({ id }) => id))).map(({ id, key }) => [id, key]))
      saveFile(say('fileName'), printRows(rows, withKeys(columns, keys), 'csv'), 'csv')
      notifyDone(say('exported', { count: rows.length }))
    } catch (error) {
      notifyFailure(error)
    }
  }
  const exportAll = async (format: ExportFormat): Promise<void> => {
    try {
      const read = (p: number, page_size: number) =>
        call(calls.searchRedemptions, { query: { ...state.query, p, page_size } })
      const { rows, capped } = await readAll(read)
      saveFile(say('fileName'), printRows(rows, columns, format), format)
      if (capped) notifyInfo(say('exportCapped', { count: rows.length }))
      else notifyDone(say('exportedRows', { count: rows.length }))
    } catch (error) {
      notifyFailure(error)
    }
  }
  const remove = async (): Promise<void> => {
    summarise(await runAll(removing?.codes ?? [], ({ id }) => call(calls.deleteRedemption, { params: { id } })))
    removing?.clear()
    await refresh(calls.searchRedemptions)
  }
  const bulk: readonly BulkAction<Redemption>[] = [
    { label: say('exportSelected'), icon: 'download', onClick: (rows) => void exportSelected(rows) },
    {
      label: say('enableSelected'),
      icon: 'check',
      onClick: (rows, clear) => void setAll(redemptionStatus.unused)(rows, clear),
    },
    {
      label: say('disableSelected'),
      icon: 'stop',
      onClick: (rows, clear) => void setAll(redemptionStatus.disabled)(rows, clear),
    },
    {
      label: say('deleteSelected'),
      icon: 'trash',
      danger: true,
      onClick: (rows, clear) => setRemoving({ codes: rows, clear }),
    },
  ]
  const add = (
    <Button variant="filled" leftSection={<Icon name="plus" size={14} />} onClick={() => setSearch({ add: '1' })}>
      {say('add')}
    </Button>
  )
  const close = (): void => setSearch({ add: undefined, edit: undefined })
  const edited = Number(search.edit)
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} actions={add} />
      <DataTable
        title={say('title')}
        columns={columns}
        query={codes}
        state={state}
        rowId={(code) => code.id}
        rowName={(code) => `${code.name} #${code.id}`}
        quiet={(code) => code.status !== redemptionStatus.unused}
        search={{ filter: 'keyword', placeholder: say('search') }}
        facets={facetsOf(say)}
        tools={(rows) => (
          <Button variant="subtle" leftSection={<Icon name="copy" size={14} />} onClick={() => void copyAll(rows)}>
            {say('copySelected')}
          </Button>
        )}
        rowActions={actions}
        bulkActions={bulk}
        onExportAll={(format) => void exportAll(format)}
        empty={{ icon: 'ticket', title: say('emptyTitle'), text: say('emptyText'), action: add }}
      />
      {search.add && <CreateRedemptions onClose={close} />}
      {edited > 0 && <EditRedemption key={edited} id={edited} onClose={close} />}
      <ConfirmAction
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={
          removing?.codes.length === 1
            ? say('deleteTitle')
            : say('deleteManyTitle', { count: removing?.codes.length ?? 0 })
        }
        effect={say('deleteEffect')}
        confirmLabel={say('deleteConfirm')}
        onConfirm={remove}
        danger
      />
      {dialog}
    </>
  )
}
