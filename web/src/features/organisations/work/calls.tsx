import { NativeSelect, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import type { Column } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { readAll } from '../../../components/data-table/export/read-all.ts'
import { RangeFilter } from '../../../components/display/time/range-filter.tsx'
import { call } from '../../../lib/api/api.ts'
import { calls, logType, type Organisation, type OrganisationLog } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { listTags } from '../../../lib/text/cost-tags.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { useTimeAnchor } from '../../../lib/time/time-anchor.ts'
import { readRange } from '../../../lib/time/time-range.ts'
import { useTimeZone } from '../../../lib/time/time-zone.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { type SayOrganisation, useOrganisationMessages } from '../messages.ts'
import { readsOthers } from '../rights.ts'
import { costColumn, placeColumns, timeColumn } from './columns.tsx'
import { MemberFilter, ProjectFilter } from './filters.tsx'
import { type SayWork, useOrganisationWorkMessages } from './messages.ts'

const filters = ['project_id', 'member_id', 'model_name', 'tag', 'token_name', 'type', 'range'] as const

const columnsOf = (
  organisation: Organisation,
  say: SayOrganisation,
  sayWork: SayWork,
): readonly Column<OrganisationLog>[] => [
  timeColumn('created_at', sayWork('time'), (log) => log.created_at),
  ...placeColumns<OrganisationLog>(organisation, say),
  { id: 'token_name', header: say('key'), most: 200, cell: (log) => log.token_name, value: (log) => log.token_name },
  {
    id: 'model_name',
    header: sayWork('model'),
    card: 'title',
    most: 260,
    cell: (log) => log.model_name,
    value: (log) => log.model_name,
  },
  {
    id: 'result',
    header: say('status'),
    card: 'none',
    most: 260,
    cell: (log) => (log.type === logType.error ? <span className="bad">{log.content}</span> : sayWork('answered')),
    value: (log) => (log.type === logType.error ? log.content : sayWork('answered')),
  },
  {
    id: 'prompt_tokens',
    header: say('input'),
    align: 'right',
    card: 'none',
    cell: (log) => <span className="num">{formatInteger(log.prompt_tokens)}</span>,
    value: (log) => log.prompt_tokens,
  },
  {
    id: 'completion_tokens',
    header: sayWork('output'),
    align: 'right',
    card: 'none',
    cell: (log) => <span className="num">{formatInteger(log.completion_tokens)}</span>,
    value: (log) => log.completion_tokens,
  },
  {
    id: 'tags',
    header: say('tags'),
    hidden: true,
    card: 'none',
    most: 220,
    cell: ({ tags }) => <span className="mono">{listTags(tags).join(', ')}</span>,
    value: ({ tags }) => listTags(tags).join(', '),
  },
  costColumn(say),
]

/** Calls with keys of the organisation: all of them, or one's own. */
export const Calls = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const sayWork = useOrganisationWorkMessages()
  const state = useTableState({ name: 'organisation-calls', filters })
  const own = useSession()?.id ?? 0
  const { id } = organisation
  const zone = useTimeZone()
  const [anchor] = useTimeAnchor()
  const { project_id, member_id, type, range, ...rest } = state.query
  const { from, to } = readRange(range, anchor, 'all', zone)
  const query = {
    ...rest,
    project_id: Number(project_id ?? 0),
    member_id: Number(member_id ?? 0),
    ...(type === undefined ? {} : { type }),
    ...(from === undefined ? {} : { start_timestamp: Math.floor(from) }),
    ...(to === undefined ? {} : { end_timestamp: Math.floor(to) }),
  }
  const logs = useEndpoint(calls.listOrganisationLogs, { params: { id }, query })
  const columns = useMemo(() => columnsOf(organisation, say, sayWork), [organisation, say, sayWork])
  return (
    <DataTable
      title={say('calls')}
      columns={columns}
      query={logs}
      state={state}
      rowId={(log) => log.id}
      rowName={(log) => `${log.model_name} ${log.id}`}
      search={{ filter: 'model_name', placeholder: sayWork('searchModels') }}
      filters={
        <>
          <ProjectFilter organisation={organisation} state={state} />
          {readsOthers(organisation, own) && <MemberFilter organisation={organisation} state={state} />}
          <NativeSelect
            aria-label={say('status')}
            value={state.filters.type ?? ''}
            onChange={({ currentTarget }) => state.setFilter('type', currentTarget.value || undefined)}
            data={[
              { value: '', label: sayWork('allResults') },
              { value: String(logType.consume), label: sayWork('answered') },
              { value: String(logType.error), label: sayWork('failed') },
            ]}
          />
          <RangeFilter
            value={state.filters.range}
            fallback="all"
            onChange={(range) => state.setFilter('range', range)}
          />
          <TextInput
            w={110}
            aria-label={say('key')}
            placeholder={say('key')}
            value={state.filters.token_name ?? ''}
            onChange={({ currentTarget }) => state.setFilter('token_name', currentTarget.value || undefined)}
          />
          <TextInput
            w={110}
            aria-label={say('tags')}
            placeholder={sayWork('tagPlaceholder')}
            value={state.filters.tag ?? ''}
            onChange={({ currentTarget }) => state.setFilter('tag', currentTarget.value || undefined)}
          />
        </>
      }
      readRows={() =>
        readAll((p, page_size) =>
          call(calls.listOrganisationLogs, { params: { id }, query: { ...query, p, page_size } }),
        )
      }
      empty={{ icon: 'list', title: sayWork('noCalls'), text: sayWork('noCallsText') }}
    />
  )
}
