import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { RowAction } from '#web/components/data-table/columns/column.ts'
import { DataTable } from '#web/components/data-table/data-table.tsx'
import { readAll } from '#web/components/data-table/export/read-all.ts'
import { Icon } from '#web/components/display/icon.tsx'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { PageHeader } from '#web/components/page-header.tsx'
import { call } from '#web/lib/api/api.ts'
import { calls, type ReportImport } from '#web/lib/api/contract.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { tableQueryAt, useTableState } from '#web/lib/url/table-state.ts'
import { useChannelName } from './channel-names.ts'
import { importColumns, periodText } from './columns.tsx'
import { useReconciliationMessages } from './messages.ts'

const ImportForm = onDemand(async () => (await import('./forms/import-form.tsx')).ImportForm)
const SourceForm = onDemand(async () => (await import('./forms/source-form.tsx')).SourceForm)
const SourceList = onDemand(async () => (await import('./forms/source-list.tsx')).SourceList)

const table = { name: 'reconciliation', filters: [] } as const

export const firstRead: FirstRead = (read, search) =>
  read(calls.listReportImports, { query: tableQueryAt(table, search) })

const watchEveryMs = 2_000

/** Reports of providers that were imported, and where they come from. */
export const ReconciliationScreen = () => {
  const say = useReconciliationMessages()
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const state = useTableState(table)
  const [watching, setWatching] = useState(false)
  const imports = useEndpoint(
    calls.listReportImports,
    { query: state.query },
    watching ? { refreshEveryMs: watchEveryMs } : {},
  )
  const isRunning = imports.data?.items.some(({ status }) => status === 'running') ?? false
  if (isRunning !== watching) setWatching(isRunning)
  const sources = useEndpoint(calls.listReportSources)
  const channelName = useChannelName()
  const [removing, setRemoving] = useState<ReportImport>()
  const remove = useAction(calls.deleteReportImport, { done: say('deleted'), refresh: [calls.listReportImports] })
  const again = useAction(calls.importReport, { refresh: [calls.listReportImports] })

  const open = ({ id }: ReportImport): void => void navigate({ to: '/reconciliation/$id', params: { id: String(id) } })
  const actions = (row: ReportImport): readonly RowAction[] => [
    { label: say('open'), icon: 'document', onClick: () => open(row) },
    ...(row.file_name === ''
      ? [
          {
            label: say('again'),
            icon: 'refresh',
            onClick: () => void again.run({ body: { source_id: row.source_id, from: row.from, until: row.until } }),
          } as const,
        ]
      : []),
    { label: say('delete'), icon: 'trash', danger: true, onClick: () => setRemoving(row) },
  ]
  const hasSources = (sources.data?.length ?? 0) > 0
  const add = (variant: 'filled' | 'default') =>
    hasSources ? (
      <Button variant={variant} leftSection={<Icon name="plus" size={14} />} onClick={() => setSearch({ add: '1' })}>
        {say('newImport')}
      </Button>
    ) : (
      <Button
        variant={variant}
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => setSearch({ source: 'new', sources: undefined })}
      >
        {say('addSource')}
      </Button>
    )
  const close = (): void => setSearch({ add: undefined, source: undefined, sources: undefined })
  const edited = sources.data?.find(({ id }) => String(id) === search.source)
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          <>
            {hasSources && <Button onClick={() => setSearch({ sources: '1' })}>{say('sources')}</Button>}
            {add('filled')}
          </>
        }
      />
      <DataTable
        title={say('title')}
        columns={importColumns(say, channelName)}
        query={imports}
        state={state}
        rowId={(row) => row.id}
        rowName={(row) => `${row.source_name} ${periodText(row)}`}
        onOpen={open}
        rowActions={actions}
        readRows={() => readAll((p, page_size) => call(calls.listReportImports, { query: { p, page_size } }))}
        empty={{ icon: 'balance', title: say('emptyTitle'), text: say('emptyText'), action: add('default') }}
      />
      {search.add && sources.data && <ImportForm sources={sources.data} onClose={close} />}
      {search.sources && <SourceList sources={sources.data ?? []} onClose={close} />}
      {search.source === 'new' && <SourceForm source={undefined} onClose={close} />}
      {edited && <SourceForm key={edited.id} source={edited} onClose={close} />}
      <ConfirmAction
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={say('deleteTitle')}
        effect={say('deleteEffect')}
        confirmLabel={say('delete')}
        onConfirm={() => void (removing && remove.run({ params: { id: removing.id } }))}
        danger
      />
    </>
  )
}
