import { reportApis, reportFiles } from 'virtual:contract'
import { MultiSelect, PasswordInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { FormDrawer } from '#web/components/form/form-drawer.tsx'
import { calls, type ReportKind, type ReportSource } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import { useChannelChoices } from '../channel-names.ts'
import { useReconciliationMessages } from '../messages.ts'
import { useReportFormMessages } from './form-messages.ts'

interface SourceValues {
  kind: ReportKind
  name: string
  channels: string[]
  base_url: string
  key: string
  user_id: string
  projects: string[]
  per_dollar: string
}

const kinds: readonly ReportKind[] = [...reportApis, ...reportFiles]
const isApi = (kind: ReportKind): kind is (typeof reportApis)[number] => reportApis.some((api) => api === kind)
const isFile = (kind: ReportKind): boolean => reportFiles.some((file) => file === kind)

const valuesOf = (source: ReportSource | undefined): SourceValues => ({
  kind: source?.kind ?? 'openai',
  name: source?.name ?? '',
  channels: source?.channel_ids.map(String) ?? [],
  base_url: source?.base_url ?? '',
  key: '',
  user_id: source?.settings.user_id ?? '',
  projects: source?.settings.projects ?? [],
  per_dollar: source?.settings.per_dollar ?? '1',
})

const useChannelOptions = (chosen: readonly string[], keyword: string) => {
  const found = useChannelChoices(keyword).map(({ id, name }) => ({ value: String(id), label: `${name} #${id}` }))
  const missing = chosen.filter((value) => !found.some((option) => option.value === value))
  return [...found, ...missing.map((value) => ({ value, label: `#${value}` }))]
}

const useSourceForm = (source: ReportSource | undefined) => {
  const say = useReportFormMessages()
  return useForm({
    initialValues: valuesOf(source),
    validate: {
      name: (name) => (name.trim() === '' ? say('nameNeeded') : null),
      channels: (channels) => (channels.length === 0 ? say('channelsNeeded') : null),
      base_url: (address, { kind }) => (kind === 'panel' && address.trim() === '' ? say('addressNeeded') : null),
      key: (key, { kind }) => {
        const keeps = source !== undefined && source.kind === kind && source.key_hint !== ''
        return key === '' && !keeps && !isFile(kind) ? say('keyNeeded') : null
      },
      per_dollar: (text) => (/^\d{1,12}(\.\d{1,9})?$/.test(text) && Number(text) > 0 ? null : say('perDollarInvalid')),
    },
  })
}

type SourceForm = ReturnType<typeof useSourceForm>

const ApiFields = ({ form, source }: { form: SourceForm; source: ReportSource | undefined }) => {
  const say = useReportFormMessages()
  const { kind } = form.getValues()
  if (!isApi(kind)) return null
  const kept = source !== undefined && source.kind === kind && source.key_hint !== ''
  return (
    <>
      <PasswordInput
        label={say('key')}
        description={say(`keyHint_${kind}`)}
        placeholder={kept ? say('keyKept', { hint: source.key_hint }) : ''}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        {...form.getInputProps('key')}
      />
      <TextInput
        label={say('address')}
        placeholder="https://"
        {...(kind === 'panel' ? {} : { description: say('addressHint') })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('base_url')}
      />
      {kind === 'panel' && (
        <TextInput
          label={say('userId')}
          description={say('userIdHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="numeric"
          {...form.getInputProps('user_id')}
        />
      )}
      {(kind === 'openai' || kind === 'anthropic') && (
        <TagsInput
          label={say(kind === 'openai' ? 'projects' : 'workspaces')}
          description={say('projectsHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('projects')}
        />
      )}
    </>
  )
}

/** Adds a source of reports, or changes one. */
export const SourceForm = ({ source, onClose }: { source: ReportSource | undefined; onClose: () => void }) => {
  const say = useReportFormMessages()
  const sayKind = useReconciliationMessages()
  const form = useSourceForm(source)
  const [keyword, setKeyword] = useState('')
  const save = useAction(calls.saveReportSource, { done: say('saved'), refresh: [calls.listReportSources] })
  const { kind, channels } = form.getValues()
  const submit = ({ channels: chosen, user_id, projects, per_dollar, ...fields }: SourceValues) =>
    save.submit({
      body: {
        ...(source === undefined ? {} : { id: source.id }),
        ...fields,
        channel_ids: chosen.map(Number),
        settings: { ...source?.settings, user_id, projects, per_dollar },
      },
    })
  return (
    <FormDrawer
      title={source === undefined ? say('newSource') : say('editSource')}
      {...(source === undefined ? {} : { subtitle: source.name })}
      form={form}
      submitLabel={say('save')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Select
        label={say('kind')}
        data={kinds.map((value) => ({ value, label: sayKind(`kind_${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps('kind')}
      />
      <TextInput label={say('name')} data-autofocus {...form.getInputProps('name')} />
      <MultiSelect
        label={say('channels')}
        description={say('channelsHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={useChannelOptions(channels, keyword)}
        searchable
        onSearchChange={setKeyword}
        {...form.getInputProps('channels')}
      />
      <ApiFields form={form} source={source} />
      {isFile(kind) && (
        <TextInput
          label={say('perDollar')}
          description={say('perDollarHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="decimal"
          {...form.getInputProps('per_dollar')}
        />
      )}
    </FormDrawer>
  )
}
