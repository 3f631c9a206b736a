import { textPairs } from '../../../../components/form/pairs/pairs.ts'
import { ChangedField } from '../changed-field.tsx'
import { DirectFields } from '../direct-fields.tsx'
import { useChannelFormMessages } from '../form-messages.ts'
import { Section, useChannelForm } from '../form-parts.tsx'
import { OverrideField } from '../override-field.tsx'
import { PairsField } from '../pairs-field.tsx'
import { SettingSwitch, SystemPromptFields } from '../setting/setting-inputs.tsx'
import { SettingJson } from '../setting/setting-json.tsx'

const headersTemplate = JSON.stringify({ 'X-Tenant': 'one', Authorization: 'Bearer {api_key}' }, null, 2)

/** Changes of requests and answers on their way. */
const Changes = () => {
  const say = useChannelFormMessages()
  const { form } = useChannelForm()
  const { override, headers, models } = form.getValues()
  return (
    <Section title={say('sectionRequests')}>
      <SystemPromptFields />
      <ChangedField name="override" label={say('override')}>
        <OverrideField {...form.getInputProps('override')} value={override} model={models[0] ?? 'gpt-4o'} />
      </ChangedField>
      <ChangedField name="headers" label={say('headers')}>
        <PairsField
          {...form.getInputProps('headers')}
          value={headers}
          label={say('headers')}
          description={say('headersHint')}
          template={headersTemplate}
          form={textPairs}
          names={[say('headerName'), say('pairValue')]}
        />
      </ChangedField>
      <SettingSwitch member="force_format" label={say('forceFormat')} description={say('forceFormatHint')} />
      <SettingSwitch member="thinking_to_content" label={say('thinking')} description={say('thinkingHint')} />
    </Section>
  )
}

/** Rarely needed settings. `id` is the stored channel; undefined while one is made. */
export const AdvancedTab = ({ id }: { id: number | undefined }) => {
  const say = useChannelFormMessages()
  return (
    <>
      <Changes />
      <Section title={say('sectionDirect', { id: id === undefined ? '…' : String(id) })}>
        <DirectFields />
      </Section>
      <Section title={say('sectionJson')}>
        <SettingJson />
      </Section>
    </>
  )
}
