import { Switch, TagsInput, TextInput } from '@mantine/core'
import { textPairs } from '../../../../components/form/pairs/pairs.ts'
import { calls } from '../../../../lib/api/contract.ts'
import { useEndpoint } from '../../../../lib/query.ts'
import { ChangedField } from '../changed-field.tsx'
import classes from '../form.module.css'
import { useChannelFormMessages } from '../form-messages.ts'
import { Section, useChannelForm } from '../form-parts.tsx'
import { PairsField } from '../pairs-field.tsx'
import { SettingNumber, SettingSelect, SettingSwitch } from '../setting/setting-inputs.tsx'

const statusTemplate = JSON.stringify({ 400: '500' }, null, 2)

/** Groups that may use the channel, and its share of the traffic. */
const Traffic = () => {
  const say = useChannelFormMessages()
  const { form } = useChannelForm()
  const { data: groups } = useEndpoint(calls.listGroups)
  return (
    <Section title={say('sectionTraffic')}>
      <ChangedField name="groups" label={say('groups')}>
        <TagsInput
          label={say('groups')}
          description={say('groupsHint')}
          placeholder={say('groupsPlaceholder')}
          data={groups ?? []}
          {...form.getInputProps('groups')}
        />
      </ChangedField>
      <div className={classes.pair}>
        <ChangedField name="priority" label={say('priority')}>
          <TextInput
            label={say('priority')}
            description={say('priorityHint')}
            inputMode="numeric"
            {...form.getInputProps('priority')}
          />
        </ChangedField>
        <ChangedField name="weight" label={say('weight')}>
          <TextInput
            label={say('weight')}
            description={say('weightHint')}
            inputMode="numeric"
            {...form.getInputProps('weight')}
          />
        </ChangedField>
      </div>
      <ChangedField name="tag" label={say('tag')}>
        <TextInput label={say('tag')} {...form.getInputProps('tag')} />
      </ChangedField>
    </Section>
  )
}

/** Sizes and times that a call may have here. */
const CallLimits = () => {
  const say = useChannelFormMessages()
  const { form } = useChannelForm()
  return (
    <Section title={say('sectionLimits')}>
      <ChangedField name="maxInput" label={say('maxInput')}>
        <TextInput
          label={say('maxInput')}
          description={say('maxInputHint')}
          inputMode="numeric"
          {...form.getInputProps('maxInput')}
        />
      </ChangedField>
      <SettingNumber member="slots" label={say('slots')} description={say('slotsHint')} whole />
      <SettingNumber member="first_content_seconds" label={say('firstContent')} description={say('firstContentHint')} />
    </Section>
  )
}

/** Which calls come here, and what follows from failures. */
export const RoutingTab = () => {
  const say = useChannelFormMessages()
  const { form } = useChannelForm()
  return (
    <>
      <Traffic />
      <CallLimits />
      <Section title={say('sectionFailures')}>
        <ChangedField name="autoBan" label={say('autoBan')}>
          <Switch
            label={say('autoBan')}
            description={say('autoBanHint')}
            {...form.getInputProps('autoBan', { type: 'checkbox' })}
          />
        </ChangedField>
        <ChangedField name="statusMapping" label={say('statusMapping')}>
          <PairsField
            {...form.getInputProps('statusMapping')}
            value={form.getValues().statusMapping}
            label={say('statusMapping')}
            description={say('statusMappingHint')}
            template={statusTemplate}
            form={textPairs}
            names={[say('statusFrom'), say('statusTo')]}
          />
        </ChangedField>
      </Section>
      <Section title={say('sectionKeys')}>
        <SettingSelect
          member="key_rotation"
          label={say('rotation')}
          description={say('rotationHint')}
          choices={[
            { value: 'random', label: say('rotationRandom') },
            { value: 'round_robin', label: say('rotationRoundRobin') },
          ]}
        />
        <SettingSwitch member="key_affinity" label={say('affinity')} description={say('affinityHint')} usual />
      </Section>
    </>
  )
}
