import { Button, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ownMember } from '@tollgate/contract/own-member'
import { useState } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { FormDrawer } from '#web/components/form/form-drawer.tsx'
import type { OrganisationTabProps } from '#web/components/parts/organisation-tab.ts'
import { EmptyState } from '#web/components/states.tsx'
import { calls, type GroupRole, type ProvisionedGroup } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { useProvisioningMessages } from './messages.ts'
import classes from './provisioning.module.css'

interface FormProps extends OrganisationTabProps {
  /** Undefined for a group that the identity provider has not pushed yet. */
  group: ProvisionedGroup | undefined
  onClose: () => void
}

/** The roles that a group gives, in the whole organisation and in each team. */
const PlacesForm = ({ organisation, roles, group, onClose }: FormProps) => {
  const say = useProvisioningMessages()
  const { id, teams } = organisation
  const places = [0, ...teams.map((team) => team.id)]
  const held = (teamId: number): string => group?.places.find(({ team_id }) => team_id === teamId)?.role ?? ''
  const form = useForm<{ name: string; roles: Record<string, string> }>({
    initialValues: {
      name: group?.name ?? '',
      roles: Object.fromEntries(places.map((place) => [String(place), held(place)])),
    },
    validate: { name: (name) => (name.trim() === '' ? say('nameRequired') : null) },
  })
  const save = useAction(calls.setGroupPlaces, {
    refresh: [calls.getProvisioning, calls.getOrganisation],
    done: say('placesSaved'),
  })
  const choices = (teamId: number) => roles.choices(teamId).filter(({ value }) => value !== 'owner')
  return (
    <FormDrawer
      title={say('choose')}
      subtitle={group?.name}
      form={form}
      onClose={onClose}
      onSubmit={async ({ name, roles: given }) => {
        const chosen = places.flatMap((team_id) => {
          const role = ownMember(given, String(team_id)) ?? ''
          return role === '' ? [] : [{ team_id, role: role as GroupRole }]
        })
        await save.submit({ params: { id }, body: { name: name.trim(), places: chosen } })
      }}
    >
      <p className="muted">{say('chooseText')}</p>
      {group === undefined && (
        <TextInput
          label={say('groupName')}
          description={say('groupNameHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
      {places.map((place) => (
        <Select
          key={place}
          label={roles.placeName(place)}
          allowDeselect={false}
          data={[{ value: '', label: say('noRole') }, ...choices(place)]}
          {...form.getInputProps(`roles.${place}`)}
        />
      ))}
    </FormDrawer>
  )
}

/** The groups of the identity provider, and what each gives its members. */
export const GroupPlaces = ({
  organisation,
  roles,
  groups,
}: OrganisationTabProps & { groups: readonly ProvisionedGroup[] }) => {
  const say = useProvisioningMessages()
  const [editing, setEditing] = useState<{ group: ProvisionedGroup | undefined }>()
  const reset = useAction(calls.setGroupPlaces, {
    refresh: [calls.getProvisioning, calls.getOrganisation],
    done: say('placesSaved'),
  })
  const given = ({ places }: ProvisionedGroup): string =>
    places.length === 0 ? say('placesNone') : places.map(({ team_id, role }) => roles.inPlace(team_id, role)).join(', ')
  return (
    <section className="panel" aria-label={say('groups')}>
      <div className={classes.head}>
        <h2>{say('groups')}</h2>
        <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setEditing({ group: undefined })}>
          {say('addGroup')}
        </Button>
      </div>
      <p className={`muted ${classes.text}`}>{say('groupsText')}</p>
      {groups.length === 0 && <EmptyState icon="users" title={say('groupsEmpty')} text={say('groupsEmptyText')} />}
      <ul className={classes.rows}>
        {groups.map((group) => (
          <li key={group.name}>
            <span>
              <span className="strong">{group.name}</span>
              <span className={`faint ${classes.facts}`}>
                <span>
                  {group.members === null ? say('notSent') : `${say('members')}: ${formatInteger(group.members)}`}
                </span>
                <span>
                  {say('places')}: {given(group)}
                </span>
                {group.by_name && group.places.length > 0 && <span>{say('byName')}</span>}
              </span>
            </span>
            <span className={classes.end}>
              {!group.by_name && (
                <Button
                  variant="subtle"
                  loading={reset.busy}
                  onClick={() =>
                    void reset.run({ params: { id: organisation.id }, body: { name: group.name, places: null } })
                  }
                >
                  {say('byNameAgain')}
                </Button>
              )}
              <Button aria-label={`${say('choose')} ${group.name}`} onClick={() => setEditing({ group })}>
                {say('choose')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {editing && (
        <PlacesForm
          organisation={organisation}
          roles={roles}
          group={editing.group}
          onClose={() => setEditing(undefined)}
        />
      )}
    </section>
  )
}
