import { Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { calls } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import classes from './form.module.css'
import { useChannelFormMessages } from './form-messages.ts'
import type { SectionProps } from './form-sections.tsx'

/** Access to direct calls of the channel's provider, and their price. */
export const DirectFields = ({ form }: Pick<SectionProps, 'form'>) => {
  const say = useChannelFormMessages()
  const { data: groups } = useEndpoint(calls.listGroups)
  return (
    <>
      <TagsInput
        label={say('rawGroups')}
        description={say('rawHint')}
        data={groups ?? []}
        {...form.getInputProps('rawGroups')}
      />
      <div className={classes.pair}>
        <TextInput label={say('rawKeys')} inputMode="numeric" {...form.getInputProps('rawKeys')} />
        <TextInput
          label={say('rawPrice')}
          description={say('rawPriceHint')}
          inputMode="decimal"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('rawPrice')}
        />
      </div>
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
      <Switch
        label={say('rawShared')}
        description={say('rawSharedHint')}
        {...form.getInputProps('rawShared', { type: 'checkbox' })}
      />
    </>
  )
}
