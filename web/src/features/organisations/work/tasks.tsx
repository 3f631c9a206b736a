import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Column } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { ProgressText } from '../../../components/display/progress-text.tsx'
import { organisationTaskKinds } from '../../../components/parts/organisation-parts.tsx'
import type {
  OrganisationTaskKind,
  OrganisationTaskPage,
  OrganisationTaskRow,
} from '../../../components/parts/organisation-task.ts'
import type { ApiError } from '../../../lib/api/api.ts'
import type { Organisation } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { textIn, useLanguage } from '../../../lib/i18n.ts'
import { readOf } from '../../../lib/query.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { type SayOrganisation, useOrganisationMessages } from '../messages.ts'
import { readsOthers } from '../rights.ts'
import { costColumn, placeColumns, timeColumn } from './columns.tsx'
import { MemberFilter, ProjectFilter } from './filters.tsx'
import { type SayWork, useOrganisationWorkMessages } from './messages.ts'

const columnsOf = (
  organisation: Organisation,
  say: SayOrganisation,
  sayWork: SayWork,
): readonly Column<OrganisationTaskRow>[] => [
  timeColumn('time', sayWork('time'), (row) => row.at),
  ...placeColumns<OrganisationTaskRow>(organisation, say),
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

/** Reads a page of a kind. The previous page stays while filters change, that of another kind does not. */
const useTasks = ({ list, pageOf }: OrganisationTaskKind, parts: Parameters<typeof readOf>[1]) =>
  useQuery<never, ApiError, OrganisationTaskPage>({
    ...readOf(list, parts),
    select: pageOf,
    placeholderData: (previous, query) => (query?.queryKey[1] === list.path ? previous : undefined),
  })

/** Drawings and other tasks that keys of the organisation began: all of them, or one's own. */
const Tasks = ({ organisation, first }: { organisation: Organisation; first: OrganisationTaskKind }) => {
  const say = useOrganisationMessages()
  const sayWork = useOrganisationWorkMessages()
  const language = useLanguage()
  const state = useTableState({ name: 'organisation-tasks', filters })
  const own = useSession()?.id ?? 0
  const { id } = organisation
  const { kind: name, project_id, member_id, ...rest } = state.query
  const kind = organisationTaskKinds.find((one) => one.name === name) ?? first
  const { data, isPending, isPlaceholderData, error, refetch } = useTasks(kind, {
    params: { id },
    query: { ...rest, project_id: Number(project_id ?? 0), member_id: Number(member_id ?? 0) },
  })
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
            value={kind.name}
            onChange={(chosen) => state.setFilter('kind', chosen === first.name ? undefined : chosen)}
            data={organisationTaskKinds.map((one) => ({ value: one.name, label: textIn(one.title, language) }))}
          />
          <ProjectFilter organisation={organisation} state={state} />
          {readsOthers(organisation, own) && <MemberFilter organisation={organisation} state={state} />}
        </>
      }
      empty={{ icon: 'list', title: sayWork('noTasks'), text: sayWork('noTasksText') }}
    />
  )
}

export const OrganisationTasks = ({ organisation }: { organisation: Organisation }) => {
  const [first] = organisationTaskKinds
  return first && <Tasks organisation={organisation} first={first} />
}
