import { NativeSelect, SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'
import type { Column } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { ProgressText } from '../../../components/display/progress-text.tsx'
import { CallQuota } from '../../../components/display/quota.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { calls, type Organisation, type OrganisationDrawing, type OrganisationTask } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { isoTime } from '../../../lib/text/iso-time.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { memberName } from '../member-name.ts'
import { type SayOrganisation, useOrganisationMessages } from '../messages.ts'

/** A drawing or another task, as far as both have the same. */
interface Row {
  readonly id: number
  /** Unix seconds. */
  readonly at: number
  readonly action: string
  /** The prompt of a drawing, else the id at the provider. */
  readonly text: string
  readonly progress: string
  readonly failed: boolean
  readonly quota: number
  readonly project_id: number
  readonly member_id: number
}

const common = ({
  id,
  action,
  progress,
  status,
  quota,
  project_id,
  member_id,
}: OrganisationDrawing | OrganisationTask) => ({
  id,
  action,
  progress,
  quota,
  project_id,
  member_id,
  failed: status === 'FAILURE',
})
const ofDrawing = (row: OrganisationDrawing): Row => ({
  ...common(row),
  at: Math.floor(row.submit_time / 1000),
  text: row.prompt || row.mj_id,
})
const ofTask = (row: OrganisationTask): Row => ({ ...common(row), at: row.submit_time, text: row.task_id })

const columnsOf = ({ projects, members }: Organisation, say: SayOrganisation): readonly Column<Row>[] => {
  const projectName = (id: number): string => projects.find((one) => one.id === id)?.name ?? '—'
  const nameOf = ({ project_id, member_id }: Row): string =>
    project_id === 0 ? '—' : memberName(members, member_id, say)
  return [
    {
      id: 'time',
      header: say('time'),
      cell: (row) => <TimeText at={row.at} brief />,
      value: (row) => isoTime(row.at),
    },
    {
      id: 'project',
      header: say('project'),
      most: 180,
      cell: (row) => projectName(row.project_id),
      value: (row) => projectName(row.project_id),
    },
    { id: 'member', header: say('member'), most: 160, cell: nameOf, value: nameOf },
    { id: 'action', header: say('taskKind'), card: 'none', cell: (row) => row.action, value: (row) => row.action },
    { id: 'text', header: say('task'), card: 'title', most: 320, cell: (row) => row.text, value: (row) => row.text },
    {
      id: 'progress',
      header: say('status'),
      cell: (row) => <ProgressText text={row.progress} failed={row.failed} label={say('status')} />,
      value: (row) => (row.failed ? say('failed') : row.progress),
    },
    {
      id: 'quota',
      header: say('cost'),
      align: 'right',
      card: 'amount',
      cell: (row) => <CallQuota value={row.quota} />,
      value: (row) => row.quota,
      money: true,
    },
  ]
}

const filters = ['kind', 'project_id', 'member_id'] as const

/** Drawings and other tasks that keys of the organisation began: all of them, or one's own. */
export const OrganisationTasks = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const state = useTableState({ name: 'organisation-tasks', filters })
  const { id, projects, members } = organisation
  const { kind, project_id, member_id, ...rest } = state.query
  const isOther = kind === 'other'
  const asked = {
    params: { id },
    query: { ...rest, project_id: Number(project_id ?? 0), member_id: Number(member_id ?? 0) },
  }
  const drawings = useEndpoint(calls.browseOrganisationDrawings, asked, { enabled: !isOther })
  const others = useEndpoint(calls.browseOrganisationTasks, asked, { enabled: isOther })
  const read = isOther ? others : drawings
  const items = isOther ? others.data?.items.map(ofTask) : drawings.data?.items.map(ofDrawing)
  const { isPending, isPlaceholderData, error, refetch } = read
  const data = items && { items, total: read.data?.total ?? items.length }
  const columns = useMemo(() => columnsOf(organisation, say), [organisation, say])
  return (
    <DataTable
      title={say('tasks')}
      columns={columns}
      query={{ data, isPending, isPlaceholderData, error, refetch }}
      state={state}
      rowId={(row) => row.id}
      rowName={(row) => row.text || String(row.id)}
      filters={
        <>
          <SegmentedControl
            size="xs"
            aria-label={say('taskKind')}
            value={isOther ? 'other' : 'drawings'}
            onChange={(chosen) => state.setFilter('kind', chosen === 'other' ? chosen : undefined)}
            data={[
              { value: 'drawings', label: say('drawings') },
              { value: 'other', label: say('otherTasks') },
            ]}
          />
          <NativeSelect
            aria-label={say('project')}
            value={state.filters.project_id ?? ''}
            onChange={({ currentTarget }) => state.setFilter('project_id', currentTarget.value || undefined)}
            data={[
              { value: '', label: say('allProjects') },
              ...projects.map((one) => ({ value: String(one.id), label: one.name })),
            ]}
          />
          <NativeSelect
            aria-label={say('member')}
            value={state.filters.member_id ?? ''}
            onChange={({ currentTarget }) => state.setFilter('member_id', currentTarget.value || undefined)}
            data={[
              { value: '', label: say('allMembers') },
              ...members.map((one) => ({ value: String(one.user_id), label: one.display_name || one.username })),
            ]}
          />
        </>
      }
      empty={{ icon: 'list', title: say('noTasks'), text: say('noTasksText') }}
    />
  )
}
