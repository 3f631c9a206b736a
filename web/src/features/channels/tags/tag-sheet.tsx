import { MultiSelect, TagsInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { JsonField } from '../../../components/form/json-field.tsx'
import { calls } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import classes from '../form/form.module.css'
import { useChannelFormMessages } from '../form/form-messages.ts'
import { readObject } from '../form/json-text.ts'
import { useChannelMessages } from '../messages.ts'
import { readPriority, readWeight } from '../state.ts'
import { useTagMessages } from './tag-messages.ts'

interface TagValues {
  tag: string
  models: string[]
  groups: string[]
  mapping: string
  priority: string
  weight: string
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** Changes all channels of a tag. An empty field stays unchanged; an empty tag removes the tag from its channels. */
export const TagSheet = ({ tag, onClose }: { tag: string; onClose: () => void }) => {
  const say = useChannelMessages()
  const sayTag = useTagMessages()
  const sayForm = useChannelFormMessages()
  const update = useAction(calls.updateTag, {
    done: sayTag('tagUpdated', { tag }),
    refresh: [calls.searchChannels, calls.browseChannels],
  })
  const { data: models } = useEndpoint(calls.listAllModels)
  const { data: groups } = useEndpoint(calls.listGroups)
  const form = useForm<TagValues>({
    initialValues: { tag, models: [], groups: [], mapping: '', priority: '', weight: '' },
    validateInputOnBlur: true,
    validate: {
      mapping: (text) => (readObject(text) ? null : sayForm('mappingInvalid')),
      priority: (text) => (text.trim() === '' || readPriority(text) !== undefined ? null : say('priorityInvalid')),
      weight: (text) => (text.trim() === '' || readWeight(text) !== undefined ? null : say('weightInvalid')),
    },
  })
  const values = form.getValues()
  const suggestions = [...new Set([...(models ?? []).map((model) => model.id), ...values.models])]
  const save = (form: TagValues): Promise<unknown> =>
    update.submit({
      body: {
        tag,
        new_tag: form.tag.trim(),
        models: form.models.join(',') || null,
        groups: form.groups.join(',') || null,
        model_mapping: form.mapping.trim() || null,
        priority: numberOf(form.priority),
        weight: numberOf(form.weight),
      },
    })
  return (
    <FormDrawer title={sayTag('tagSheet')} subtitle={tag} form={form} onSubmit={save} onClose={onClose}>
      <p className={classes.warning}>{sayTag('tagSheetNote')}</p>
      <TextInput label={sayTag('tagName')} data-autofocus {...form.getInputProps('tag')} />
      <MultiSelect
        label={sayTag('tagModels')}
        data={suggestions}
        searchable
        clearable
        hidePickedOptions
        limit={200}
        {...form.getInputProps('models')}
      />
      <TagsInput label={sayTag('tagGroups')} data={groups ?? []} {...form.getInputProps('groups')} />
      <div>
        <JsonField label={sayTag('tagMapping')} {...form.getInputProps('mapping')} value={values.mapping} />
        <button type="button" className="text-button" onClick={() => form.setFieldValue('mapping', '{}')}>
          {sayTag('clearMapping')}
        </button>
      </div>
      <div className={classes.pair}>
        <TextInput label={sayTag('tagPriority')} inputMode="numeric" {...form.getInputProps('priority')} />
        <TextInput label={sayTag('tagWeight')} inputMode="numeric" {...form.getInputProps('weight')} />
      </div>
    </FormDrawer>
  )
}
