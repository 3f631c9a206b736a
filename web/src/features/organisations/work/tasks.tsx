import { SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'
import type { Column } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { ProgressText } from '../../../components/display/progress-text.tsx'
import { calls, type Organisation, type OrganisationDrawing, type OrganisationTask } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { type SayOrganisation, useOrganisationMessages } from '../messages.ts'
import { readsOthers } from '../rights.ts'
import { costColumn, placeColumns, timeColumn } from './columns.tsx'
import { MemberFilter, ProjectFilter } from './filters.tsx'
import { type SayWork, useOrganisationWorkMessages } from './messages.ts'

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

const columnsOf = (organisation: Organisation, say: SayOrganisation, sayWork: SayWork): readonly Column<Row>[] => [
  timeColumn('time', sayWork('time'), (row) => row.at),
  ...placeColumns<Row>(organisation, say),
  { id: 'action', header: sayWork('taskKind'), card: 'none', cell: (row) => row.action, value: (row) => row.action },
  { id: 'text', header: sayWork('task'), card: 'title', most: 320, cell: (row) => row.text, value: (row) => row.text },
  {
    id: 'progress',
    header: say('status'),
    cell: (row) => <ProgressText text={row.progress} failed={row.failed} label={say('status')} />,
    value: (row) => (row.failed ? sayWork('failed') : row.progress),
  },
  costColumn(say),
]

const filters = ['kind', 'project_id', 'member_id'] as const

/** Drawings and other tasks that keys of the organisation began: all of them, or one's own. */
export const OrganisationTasks = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const sayWork = useOrganisationWorkMessages()
  const state = useTableState({ name: 'organisation-tasks', filters })
  const own = useSession()?.id ?? 0
  const { id } = organisation
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
  const columns = useMemo(() => columnsOf(organisation, say, sayWork), [organisation, say, sayWork])
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
            aria-label={sayWork('taskKind')}
            value={isOther ? 'other' : 'drawings'}
            onChange={(chosen) => state.setFilter('kind', chosen === 'other' ? chosen : undefined)}
            data={[
              { value: 'drawings', label: sayWork('drawings') },
              { value: 'other', label: sayWork('otherTasks') },
            ]}
          />
          <ProjectFilter organisation={organisation} state={state} />
          {readsOthers(organisation, own) && <MemberFilter organisation={organisation} state={state} />}
        </>
      }
      empty={{ icon: 'list', title: sayWork('noTasks'), text: sayWork('noTasksText') }}
    />
  )
}
