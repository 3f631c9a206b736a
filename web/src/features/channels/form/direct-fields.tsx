import { Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { calls } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { ChangedField } from './changed-field.tsx'
import classes from './form.module.css'
import { useChannelFormMessages } from './form-messages.ts'
import { useChannelForm } from './form-parts.tsx'

/** Access to direct calls of the channel's provider, and their price. */
export const DirectFields = () => {
  const say = useChannelFormMessages()
  const { form } = useChannelForm()
  const { data: groups } = useEndpoint(calls.listGroups)
  return (
    <>
      <ChangedField name="rawGroups" label={say('rawGroups')}>
        <TagsInput
          label={say('rawGroups')}
          description={say('rawHint')}
          data={groups ?? []}
          {...form.getInputProps('rawGroups')}
        />
      </ChangedField>
      <div className={classes.pair}>
        <ChangedField name="rawKeys" label={say('rawKeys')}>
          <TextInput label={say('rawKeys')} inputMode="numeric" {...form.getInputProps('rawKeys')} />
        </ChangedField>
        <ChangedField name="rawPrice" label={say('rawPrice')}>
          <TextInput
            label={say('rawPrice')}
            description={say('rawPriceHint')}
            inputMode="decimal"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('rawPrice')}
          />
        </ChangedField>
      </div>
      <ChangedField name="rawPaths" label={say('rawPaths')}>
        <Textarea
          label={say('rawPaths')}
          placeholder="/v1/files"
          autosize
          minRows={1}
          maxRows={8}
          spellCheck={false}
          classNames={{ input: 'mono' }}
          {...form.getInputProps('rawPaths')}
        />
      </ChangedField>
      <ChangedField name="rawShared" label={say('rawShared')}>
        <Switch
          label={say('rawShared')}
          description={say('rawSharedHint')}
          {...form.getInputProps('rawShared', { type: 'checkbox' })}
        />
      </ChangedField>
    </>
  )
}
