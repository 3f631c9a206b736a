import { NativeSelect, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import type { Column } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { readAll } from '../../../components/data-table/export/read-all.ts'
import { CallQuota } from '../../../components/display/quota.tsx'
import { RangeFilter } from '../../../components/display/time/range-filter.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { call } from '../../../lib/api/api.ts'
import { calls, logType, type Organisation, type OrganisationLog } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { listTags } from '../../../lib/text/cost-tags.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { isoTime } from '../../../lib/text/iso-time.ts'
import { useTimeAnchor } from '../../../lib/time/time-anchor.ts'
import { readRange } from '../../../lib/time/time-range.ts'
import { useTimeZone } from '../../../lib/time/time-zone.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { memberName } from '../member-name.ts'
import { type SayOrganisation, useOrganisationMessages } from '../messages.ts'
import { readsOthers } from '../rights.ts'

const filters = ['project_id', 'member_id', 'model_name', 'tag', 'token_name', 'type', 'range'] as const

const columnsOf = ({ projects, members }: Organisation, say: SayOrganisation): readonly Column<OrganisationLog>[] => [
  {
    id: 'created_at',
    header: say('time'),
    cell: (log) => <TimeText at={log.created_at} brief />,
    value: (log) => isoTime(log.created_at),
  },
  {
    id: 'project',
    header: say('project'),
    most: 180,
    cell: (log) => projects.find(({ id }) => id === log.project_id)?.name ?? '—',
    value: (log) => projects.find(({ id }) => id === log.project_id)?.name ?? '',
  },
  {
    id: 'member',
    header: say('member'),
    most: 160,
    cell: (log) => memberName(members, log.member_id, say),
    value: (log) => memberName(members, log.member_id, say),
  },
  { id: 'token_name', header: say('key'), most: 200, cell: (log) => log.token_name, value: (log) => log.token_name },
  {
    id: 'model_name',
    header: say('model'),
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
    cell: (log) => (log.type === logType.error ? <span className="bad">{log.content}</span> : say('answered')),
    value: (log) => (log.type === logType.error ? log.content : say('answered')),
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
    header: say('output'),
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
  {
    id: 'quota',
    header: say('cost'),
    align: 'right',
    card: 'amount',
    cell: (log) => <CallQuota value={log.quota} />,
    value: (log) => log.quota,
    money: true,
    sum: true,
  },
]

/** Calls with keys of the organisation: all of them, or one's own. */
export const Calls = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const state = useTableState({ name: 'organisation-calls', filters })
  const own = useSession()?.id ?? 0
  const { id, projects, members } = organisation
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
  const columns = useMemo(() => columnsOf(organisation, say), [organisation, say])
  return (
    <DataTable
      title={say('calls')}
      columns={columns}
      query={logs}
      state={state}
      rowId={(log) => log.id}
      rowName={(log) => `${log.model_name} ${log.id}`}
      search={{ filter: 'model_name', placeholder: say('searchModels') }}
      filters={
        <>
          <NativeSelect
            aria-label={say('project')}
            value={state.filters.project_id ?? ''}
            onChange={({ currentTarget }) => state.setFilter('project_id', currentTarget.value || undefined)}
            data={[
              { value: '', label: say('allProjects') },
              ...projects.map((one) => ({ value: String(one.id), label: one.name })),
            ]}
          />
          {readsOthers(organisation, own) && (
            <NativeSelect
              aria-label={say('member')}
              value={state.filters.member_id ?? ''}
              onChange={({ currentTarget }) => state.setFilter('member_id', currentTarget.value || undefined)}
              data={[
                { value: '', label: say('allMembers') },
                ...members.map((one) => ({ value: String(one.user_id), label: one.display_name || one.username })),
              ]}
            />
          )}
          <NativeSelect
            aria-label={say('status')}
            value={state.filters.type ?? ''}
            onChange={({ currentTarget }) => state.setFilter('type', currentTarget.value || undefined)}
            data={[
              { value: '', label: say('allResults') },
              { value: String(logType.consume), label: say('answered') },
              { value: String(logType.error), label: say('failed') },
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
            placeholder="env=test"
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
      empty={{ icon: 'list', title: say('noCalls'), text: say('keysEmptyText') }}
    />
  )
}
