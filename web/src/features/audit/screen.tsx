import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { auditColumns } from '../../components/audit/columns.tsx'
import { actionWord, nounWord, useAuditMessages } from '../../components/audit/messages.ts'
import { actorName, objectName } from '../../components/audit/names.tsx'
import { useAuditWords } from '../../components/audit/sentence.ts'
import type { Facet, RowAction } from '../../components/data-table/columns/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { readAll } from '../../components/data-table/export/read-all.ts'
import { withCounts } from '../../components/data-table/filters/counted-facets.ts'
import { Icon } from '../../components/display/icon.tsx'
import { RangeFilter } from '../../components/display/time/range-filter.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { call } from '../../lib/api/api.ts'
import { type AuditEntry, calls } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../lib/query.ts'
import { momentForPage, useTimeAnchor } from '../../lib/time/time-anchor.ts'
import { type RangeName, readRange } from '../../lib/time/time-range.ts'
import { timeZone, useTimeZone } from '../../lib/time/time-zone.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { type TableQuery, tableQueryAt, useTableState } from '../../lib/url/table-state.ts'

const EntrySheet = onDemand(async () => (await import('../../components/audit/entry-sheet.tsx')).EntrySheet)

const filters = ['range', 'keyword', 'action', 'actor', 'object', 'object_id', 'ip'] as const
type AuditFilter = (typeof filters)[number]

const defaultRange: RangeName = '30d'

const useAuditFacets = (): readonly Facet<AuditFilter>[] => {
  const say = useAuditMessages()
  const { data: actions = [] } = useEndpoint(calls.listAuditActions)
  const text = (id: AuditFilter, label: string, placeholder: string) =>
    ({ kind: 'text', id, label, placeholder, not: true, whole: id !== 'actor' }) as const
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

const table = { name: 'audit', filters, defaults: { range: defaultRange } } as const

/** The query of the list. A range without an end stays open, so that new entries appear on refresh. */
const queryOf = (
  { range = 'all', sort: _sort, ...filter }: TableQuery<AuditFilter>,
  anchor: number,
  zone: string | undefined,
) => {
  const { from, to } = readRange(range, anchor, defaultRange, zone)
  return {
    ...filter,
    ...(from === undefined ? {} : { start_timestamp: Math.floor(from) }),
    ...(to === undefined ? {} : { end_timestamp: Math.floor(to) }),
  }
}

export const firstRead: FirstRead = (read, search) =>
  read(calls.listAudit, { query: queryOf(tableQueryAt(table, search), momentForPage(), timeZone()) })

/** The audit log, for administrators. */
export const AuditScreen = () => {
  const say = useAuditMessages()
  const zone = useTimeZone()
  const [search, setSearch] = useSearchParams()
  const [anchor, renew] = useTimeAnchor()
  const state = useTableState(table)
  const { range } = state.filters
  const query = queryOf(state.query, anchor, zone)
  const entries = useEndpoint(calls.listAudit, { query })
  const words = useAuditWords()
  const columns = useMemo(() => auditColumns(words), [words])
  const facets = useAuditFacets()

  const refresh = (): void => {
    renew()
    void entries.refetch()
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
              renew()
              state.setFilter('range', value ?? defaultRange)
            }}
          />
        }
        facets={withCounts(facets, calls.countAudit, query)}
        rowActions={actions}
        onOpen={open}
        readRows={() => readAll((p, page_size) => call(calls.listAudit, { query: { ...query, p, page_size } }))}
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
