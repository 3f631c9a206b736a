import { Button, MultiSelect, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Failure } from '../../../components/form/failure.tsx'
import { useUiMessages } from '../../../components/messages.ts'
import { calls, type Organisation } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { nameRule } from '../forms/name-rule.ts'
import { useOrganisationMessages } from '../messages.ts'
import { DomainProof } from './domain-proof.tsx'
import classes from './lists.module.css'

const zones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** Name, domain, models and time zone, for owners. */
export const Settings = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const ui = useUiMessages()
  const { id, name, domain, models, time_zone } = organisation
  const form = useForm({ initialValues: { name, domain, models, time_zone }, validate: { name: nameRule(say) } })
  const known = useEndpoint(calls.getOwnModels)
  const save = useAction(calls.updateOrganisation, {
    done: say('saved'),
    refresh: [calls.getOrganisation, calls.listOrganisations, calls.getOrganisationStatement],
    onDone: () => form.resetDirty(),
  })
  const order = { inputWrapperOrder: ['label', 'input', 'description', 'error'] as const }
  return (
    <form
      className={`panel ${classes.settings}`}
      noValidate
      onSubmit={form.onSubmit((values) => void save.submit({ params: { id }, body: values }).catch(() => undefined))}
    >
      <TextInput
        label={say('name')}
        description={say('settingsText')}
        inputWrapperOrder={[...order.inputWrapperOrder]}
        required
        {...form.getInputProps('name')}
      />
      <TextInput
        label={say('domain')}
        placeholder="example.com"
        description={say('domainHint')}
        inputWrapperOrder={[...order.inputWrapperOrder]}
        {...form.getInputProps('domain')}
      />
      <DomainProof
        id={id}
        domain={form.getValues().domain.trim().toLowerCase()}
        isOwn={form.getValues().domain.trim().toLowerCase() === domain}
        onProved={(proved) => {
          form.setFieldValue('domain', proved)
          form.resetDirty({ name, domain: proved, models, time_zone })
        }}
      />
      <MultiSelect
        label={say('models')}
        description={say('modelsHint')}
        inputWrapperOrder={[...order.inputWrapperOrder]}
        nothingFoundMessage={say('noModels')}
        data={[...new Set([...(known.data ?? []), ...form.getValues().models])]}
        searchable
        clearable
        hidePickedOptions
        limit={200}
        {...form.getInputProps('models')}
      />
      <Select
        label={say('timeZone')}
        description={say('timeZoneHint')}
        inputWrapperOrder={[...order.inputWrapperOrder]}
        data={[...new Set([form.getValues().time_zone, ...zones()])]}
        searchable
        allowDeselect={false}
        limit={100}
        {...form.getInputProps('time_zone')}
      />
      {save.error !== undefined && <Failure error={save.error} />}
      <div>
        <Button type="submit" variant="filled" loading={save.busy} disabled={!form.isDirty()}>
          {ui('save')}
        </Button>
      </div>
    </form>
  )
}
