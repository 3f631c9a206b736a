import { Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { calls, type Organisation, type OrganisationProject, type ProjectKey } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { useOrganisationMessages } from '../messages.ts'
import { useOrganisationFormMessages } from './messages.ts'

interface Props {
  organisation: Organisation
  moved: ProjectKey
  /** Projects that can take the key. */
  projects: readonly OrganisationProject[]
  onClose: () => void
}

/** Moves a key to another project; what it spent stays. */
export const MoveKeyForm = ({ organisation: { id }, moved, projects, onClose }: Props) => {
  const say = useOrganisationMessages()
  const sayForm = useOrganisationFormMessages()
  const form = useForm({ initialValues: { project: String(projects[0]?.id ?? '') } })
  const move = useAction(calls.moveProjectKey, {
    done: sayForm('keyMoved'),
    refresh: [calls.listProjectKeys, calls.getOrganisation, calls.getOwnProjects],
  })
  return (
    <FormDrawer
      title={sayForm('moveKey')}
      subtitle={moved.name}
      form={form}
      submitLabel={say('move')}
      onClose={onClose}
      onSubmit={({ project }) =>
        move.submit({ params: { id }, body: { key_id: moved.id, project_id: Number(project) } })
      }
    >
      <p className="muted">{sayForm('moveKeyText')}</p>
      <Select
        label={say('project')}
        allowDeselect={false}
        data={projects.map((project) => ({ value: String(project.id), label: project.name }))}
        {...form.getInputProps('project')}
      />
    </FormDrawer>
  )
}
