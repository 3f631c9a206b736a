import { Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ownMember } from '@tollgate/contract/own-member'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { calls, type Organisation, type OrganisationMember, type OrganisationRole } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { roleChoices } from '../member-text.ts'
import { useOrganisationMessages } from '../messages.ts'
import { mayGrant } from '../rights.ts'
import { useOrganisationFormMessages } from './messages.ts'

interface Props {
  organisation: Organisation
  member: OrganisationMember
  onClose: () => void
}

/** Role of a member in the whole organisation and in its teams; only what was changed is saved. */
export const RoleForm = ({ organisation, member, onClose }: Props) => {
  const say = useOrganisationMessages()
  const sayForm = useOrganisationFormMessages()
  const { id, teams } = organisation
  const places = [{ id: 0, name: say('wholeOrganisation') }, ...teams]
  const held = (teamId: number): OrganisationRole | '' =>
    (teamId === 0 ? member.role : member.teams.find(({ team_id }) => team_id === teamId)?.role) ?? ''
  const form = useForm<{ roles: Record<string, OrganisationRole | ''> }>({
    initialValues: { roles: Object.fromEntries(places.map((place) => [String(place.id), held(place.id)])) },
  })
  const save = useAction(calls.setMember, { refresh: [calls.getOrganisation], done: say('roleSaved') })
  return (
    <FormDrawer
      title={say('changeRole')}
      subtitle={member.display_name || member.username}
      form={form}
      onClose={onClose}
      onSubmit={async ({ roles }) => {
        for (const place of places) {
          const role = ownMember(roles, String(place.id)) ?? ''
          if (role === held(place.id)) continue
          await save.submit({
            params: { id },
            body: { user_id: member.user_id, team_id: place.id, role: role || null },
          })
        }
      }}
    >
      {places.map((place) => {
        const fixed = place.id === 0 && !mayGrant(organisation, member.role)
        const choices = roleChoices(fixed ? { role: 'owner' } : organisation, place.id, say)
        return (
          <Select
            key={place.id}
            label={place.name}
            description={fixed ? sayForm('roleOfOwners') : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            disabled={fixed}
            allowDeselect={false}
            data={[{ value: '', label: place.id === 0 ? sayForm('noRole') : say('none') }, ...choices]}
            {...form.getInputProps(`roles.${place.id}`)}
          />
        )
      })}
    </FormDrawer>
  )
}
