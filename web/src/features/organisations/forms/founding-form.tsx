import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { calls } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { useOrganisationMessages } from '../messages.ts'
import { rememberBelonging } from '../remember.ts'
import { useOrganisationFormMessages } from './messages.ts'
import { nameRule } from './name-rule.ts'

/** Founds an organisation and opens its page. */
export const FoundForm = ({ onClose }: { onClose: () => void }) => {
  const say = useOrganisationMessages()
  const sayForm = useOrganisationFormMessages()
  const navigate = useNavigate()
  const form = useForm({ initialValues: { name: '' }, validate: { name: nameRule(say) } })
  const found = useAction(calls.foundOrganisation, { done: sayForm('founded'), refresh: [calls.listOrganisations] })
  return (
    <FormDrawer
      title={sayForm('foundTitle')}
      form={form}
      submitLabel={say('found')}
      onClose={onClose}
      stayOpen
      onSubmit={async ({ name }) => {
        const { id } = await found.submit({ body: { name: name.trim() } })
        rememberBelonging()
        form.reset()
        await navigate({ to: '/organisation/$id', params: { id: String(id) }, ignoreBlocker: true })
      }}
    >
      <p className="muted">{sayForm('foundText')}</p>
      <TextInput label={say('name')} required data-autofocus {...form.getInputProps('name')} />
    </FormDrawer>
  )
}
