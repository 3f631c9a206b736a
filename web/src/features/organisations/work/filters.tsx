import { NativeSelect } from '@mantine/core'
import type { Organisation } from '../../../lib/api/contract.ts'
import type { TableState } from '../../../lib/url/table-state.ts'
import { useOrganisationMessages } from '../messages.ts'
import { useOrganisationWorkMessages } from './messages.ts'

interface PlaceFilterProps {
  organisation: Organisation
  state: Pick<TableState<'project_id' | 'member_id'>, 'filters' | 'setFilter'>
}

/** Narrows a list to what the keys of one project did. */
export const ProjectFilter = ({ organisation, state }: PlaceFilterProps) => {
  const say = useOrganisationMessages()
  const sayWork = useOrganisationWorkMessages()
  return (
    <NativeSelect
      aria-label={say('project')}
      value={state.filters.project_id ?? ''}
      onChange={({ currentTarget }) => state.setFilter('project_id', currentTarget.value || undefined)}
      data={[
        { value: '', label: sayWork('allProjects') },
        ...organisation.projects.map((one) => ({ value: String(one.id), label: one.name })),
      ]}
    />
  )
}

/** Narrows a list to what one member's keys did. */
export const MemberFilter = ({ organisation, state }: PlaceFilterProps) => {
  const say = useOrganisationMessages()
  const sayWork = useOrganisationWorkMessages()
  return (
    <NativeSelect
      aria-label={say('member')}
      value={state.filters.member_id ?? ''}
      onChange={({ currentTarget }) => state.setFilter('member_id', currentTarget.value || undefined)}
      data={[
        { value: '', label: sayWork('allMembers') },
        ...organisation.members.map((one) => ({ value: String(one.user_id), label: one.display_name || one.username })),
      ]}
    />
  )
}
