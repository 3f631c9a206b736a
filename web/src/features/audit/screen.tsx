import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Facet, RowAction } from '../../components/data-table/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { type ExportFormat, printRows, saveFile } from '../../components/data-table/export-rows.ts'
import { readAll } from '../../components/data-table/read-all.ts'
import { Icon } from '../../components/icon.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RangeFilter } from '../../components/range-filter.tsx'
import { call } from '../../lib/api.ts'
import { type AuditEntry, calls } from '../../lib/contract.ts'
import { notifyDone, notifyFailure, notifyInfo } from '../../lib/notify.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { useTableState } from '../../lib/table-state.ts'
import { type RangeName, readRange } from '../../lib/time-range.ts'
import { auditColumns } from './columns.tsx'
import { EntrySheet } from './entry-sheet.tsx'
import { actionWord, nounWord, useAuditWords } from './messages.ts'
import { actorName, objectName } from './names.tsx'

const filters = ['range', 'keyword', 'action', 'actor', 'object', 'object_id', 'ip'] as const
type AuditFilter = (typeof filters)[number]

const defaultRange: RangeName = '30d'
const nowSeconds = (): number => Math.floor(Date.now() / 1000)

const useAuditFacets = (): readonly Facet<AuditFilter>[] => {
  const say = useAuditWords()
  const { data: actions = [] } = useEndpoint(calls.listAuditActions)
  const text = (id: AuditFilter, label: string, placeholder: string) =>
    ({ kind: 'text', id, label, placeholder }) as const
  return [
    {
      kind: 'choice',
      id: 'action',
      label: say('action'),
      options: actions.map((action) => ({ value: action, label: actionWord(action, say) })),
    },
    {
      kind: 'choice',
      id: 'object',
      label: say('objectKind'),
      options: [...new Set(actions.map((action) => action.split('.')[0] ?? ''))].map((noun) => ({
        value: noun,
        label: nounWord(noun, say),
      })),
    },
    text('actor', say('actor'), say('actorHint')),
    text('object_id', say('objectId'), say('objectIdHint')),
    text('ip', say('ip'), say('ipHint')),
  ]
}

/** What the list is asked for; a range open to the future stays open, so that new entries appear on refresh. */
const spanOf = (range: string | undefined, asOf: number) => {
  const { from, to } = readRange(range, asOf, defaultRange)
  return {
    ...(from === undefined ? {} : { start_timestamp: Math.floor(from) }),
    ...(to === undefined ? {} : { end_timestamp: Math.floor(to) }),
  }
}

/** Who changed what, for administrators. */
export const AuditScreen = () => {
  const say = useAuditWords()
  const [search, setSearch] = useSearchParams()
  const [asOf, setAsOf] = useState(nowSeconds)
  const state = useTableState({ name: 'audit', filters, defaults: { range: defaultRange } })
  const { range, sort: _sort, ...filter } = state.query
  const query = { ...filter, ...spanOf(range ?? 'all', asOf) }
  const entries = useEndpoint(calls.listAudit, { query })
  const columns = auditColumns(say)
  const facets = useAuditFacets()

  const refresh = (): void => {
    setAsOf(nowSeconds())
    void entries.refetch()
  }
  const exportAll = async (format: ExportFormat): Promise<void> => {
    try {
      const { rows, capped } = await readAll((p, page_size) =>
        call(calls.listAudit, { query: { ...query, p, page_size } }),
      )
      saveFile('audit', printRows(rows, columns, format), format)
      if (capped) notifyInfo(say('exportCapped', { count: rows.length }))
      else notifyDone(say('exported', { count: rows.length }))
    } catch (error) {
      notifyFailure(error)
    }
  }
  const open = (entry: AuditEntry): void => setSearch({ id: String(entry.id) })
  const only = (changes: Partial<Record<AuditFilter, string>>): void => setSearch({ ...changes, p: undefined })
  const actions = (entry: AuditEntry): readonly RowAction[] => [
    { label: say('open'), icon: 'document', onClick: () => open(entry) },
    {
      label: say('onlyActor', { name: actorName(entry, say) }),
      icon: 'filter',
      onClick: () => only({ actor: String(entry.actor_id) }),
    },
    {
      label: say('onlyObject', { name: objectName(entry, say) }),
      icon: 'filter',
      onClick: () => only({ object: entry.object, object_id: entry.object_id }),
    },
  ]
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          <Button leftSection={<Icon name="refresh" size={14} />} onClick={refresh}>
            {say('refresh')}
          </Button>
        }
      />
      <DataTable
        title={say('title')}
        columns={columns}
        query={entries}
        state={state}
        rowId={(entry) => entry.id}
        rowName={(entry) => `${actionWord(entry.action, say)} ${entry.id}`}
        search={{ filter: 'keyword', placeholder: say('keyword') }}
        filters={
          <RangeFilter
            value={range ?? 'all'}
            fallback={defaultRange}
            onChange={(value) => {
              setAsOf(nowSeconds())
              state.setFilter('range', value ?? defaultRange)
            }}
          />
        }
        facets={facets}
        rowActions={actions}
        onOpen={open}
        onExportAll={(format) => void exportAll(format)}
        empty={{
          icon: 'history',
          title: say('emptyTitle'),
          text: say('emptyBody'),
          action: <Button onClick={() => state.setFilter('range', 'all')}>{say('allTime')}</Button>,
        }}
      />
      {search.id && <EntrySheet rows={entries.data?.items ?? []} wanted={search.id} />}
    </>
  )
}
