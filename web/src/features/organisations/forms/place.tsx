import { MultiSelect, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { calls, type Organisation, type OrganisationProject, type OrganisationTeam } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { useOrganisationMessages } from '../messages.ts'
import { useOrganisationFormMessages } from './messages.ts'
import { nameRule } from './name-rule.ts'

const Models = (props: { value: string[]; onChange: (models: string[]) => void }) => {
  const say = useOrganisationMessages()
  const { data: models } = useEndpoint(calls.getOwnModels)
  return (
    <MultiSelect
      label={say('models')}
      description={say('modelsHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      nothingFoundMessage={say('noModels')}
      data={[...new Set([...(models ?? []), ...props.value])]}
      searchable
      clearable
      hidePickedOptions
      limit={200}
      {...props}
    />
  )
}

interface TeamProps {
  organisation: Organisation
  /** Undefined for a new one. */
  team: OrganisationTeam | undefined
  onClose: () => void
}

/** Makes a team or changes it. */
export const TeamForm = ({ organisation: { id }, team, onClose }: TeamProps) => {
  const say = useOrganisationMessages()
  const sayForm = useOrganisationFormMessages()
  const form = useForm({
    initialValues: { name: team?.name ?? '', models: team?.models ?? [] },
    validate: { name: nameRule(say) },
  })
  const save = useAction(calls.saveTeam, { done: say('saved'), refresh: [calls.getOrganisation] })
  return (
    <FormDrawer
      title={team ? sayForm('editTeam') : say('addTeam')}
      form={form}
      onClose={onClose}
      onSubmit={(values) => save.submit({ params: { id }, body: { ...values, team_id: team?.id ?? 0 } })}
    >
      <TextInput label={say('name')} required data-autofocus {...form.getInputProps('name')} />
      <Models {...form.getInputProps('models')} value={form.getValues().models} />
    </FormDrawer>
  )
}

interface ProjectProps {
  organisation: Organisation
  /** Undefined for a new one. */
  project: OrganisationProject | undefined
  onClose: () => void
}

/** Makes a project of a team or changes it. */
export const ProjectForm = ({ organisation: { id, teams }, project, onClose }: ProjectProps) => {
  const say = useOrganisationMessages()
  const sayForm = useOrganisationFormMessages()
  const form = useForm({
    initialValues: {
      name: project?.name ?? '',
      models: project?.models ?? [],
      team: String(project?.team_id ?? teams[0]?.id ?? ''),
    },
    validate: { name: nameRule(say) },
  })
  const save = useAction(calls.saveProject, { done: say('saved'), refresh: [calls.getOrganisation] })
  return (
    <FormDrawer
      title={project ? sayForm('editProject') : say('addProject')}
      form={form}
      onClose={onClose}
      onSubmit={({ team, ...values }) =>
        save.submit({ params: { id }, body: { ...values, team_id: Number(team), project_id: project?.id ?? 0 } })
      }
    >
      <TextInput label={say('name')} required data-autofocus {...form.getInputProps('name')} />
      <Select
        label={say('team')}
        allowDeselect={false}
        disabled={project !== undefined}
        data={teams.map((team) => ({ value: String(team.id), label: team.name }))}
        {...form.getInputProps('team')}
      />
      <Models {...form.getInputProps('models')} value={form.getValues().models} />
    </FormDrawer>
  )
}
