import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { longestSystemPrompt } from '@tollgate/contract/channels/channel-rules'
import { ChangedSetting } from '../changed-field.tsx'
import { useChannelFormMessages } from '../form-messages.ts'
import { FieldName } from '../form-parts.tsx'
import { useSetting } from './use-setting.ts'

interface SettingProps {
  /** Name of the member. */
  member: string
  label: string
  description?: string
}

/** A switch; the member is absent while it is at `usual`. */
export const SettingSwitch = ({ member, label, description, usual = false }: SettingProps & { usual?: boolean }) => {
  const { memberOf, set, propsOf } = useSetting()
  const { disabled } = propsOf(member)
  return (
    <ChangedSetting member={member} label={label}>
      <Switch
        label={<FieldName name={member}>{label}</FieldName>}
        description={description}
        disabled={disabled}
        checked={usual ? memberOf(member) !== false : memberOf(member) === true}
        onChange={(event) => set(member, event.currentTarget.checked === usual ? undefined : !usual)}
      />
    </ChangedSetting>
  )
}

/** A number; empty for none. */
export const SettingNumber = ({ member, label, description, whole = false }: SettingProps & { whole?: boolean }) => {
  const { memberOf, set, propsOf } = useSetting()
  const value = memberOf(member)
  return (
    <ChangedSetting member={member} label={label}>
      <NumberInput
        label={<FieldName name={member}>{label}</FieldName>}
        description={description}
        min={0}
        hideControls
        allowDecimal={!whole}
        value={typeof value === 'number' ? value : ''}
        onChange={(figure) => set(member, figure === '' ? undefined : Number(figure))}
        {...propsOf(member)}
      />
    </ChangedSetting>
  )
}

/** A choice; the member is absent while the first one is chosen. */
export const SettingSelect = ({
  member,
  label,
  description,
  choices,
}: SettingProps & { choices: readonly { readonly value: unknown; readonly label: string }[] }) => {
  const { memberOf, set, propsOf } = useSetting()
  const at = choices.findIndex(({ value }, index) => index > 0 && value === memberOf(member))
  return (
    <ChangedSetting member={member} label={label}>
      <Select
        label={<FieldName name={member}>{label}</FieldName>}
        description={description}
        allowDeselect={false}
        data={choices.map((choice, index) => ({ value: String(index), label: choice.label }))}
        value={String(Math.max(0, at))}
        onChange={(choice) => set(member, choice === '0' ? undefined : choices[Number(choice)]?.value)}
        {...propsOf(member)}
      />
    </ChangedSetting>
  )
}

/** Address of a proxy. */
export const ProxyField = () => {
  const say = useChannelFormMessages()
  const { memberOf, set, propsOf } = useSetting()
  const proxy = memberOf('proxy')
  return (
    <ChangedSetting member="proxy" label={say('proxy')}>
      <TextInput
        label={<FieldName name="proxy">{say('proxy')}</FieldName>}
        description={say('proxyHint')}
        placeholder="socks5://127.0.0.1:1080"
        spellCheck={false}
        value={typeof proxy === 'string' ? proxy : ''}
        onChange={(event) => set('proxy', event.currentTarget.value || undefined)}
        {...propsOf('proxy')}
      />
    </ChangedSetting>
  )
}

/** System prompt of conversations at this channel. */
export const SystemPromptFields = () => {
  const say = useChannelFormMessages()
  const { memberOf, set, propsOf } = useSetting()
  const prompt = memberOf('system_prompt')
  return (
    <>
      <ChangedSetting member="system_prompt" label={say('systemPrompt')}>
        <Textarea
          label={<FieldName name="system_prompt">{say('systemPrompt')}</FieldName>}
          description={say('systemPromptHint')}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={longestSystemPrompt}
          value={typeof prompt === 'string' ? prompt : ''}
          onChange={(event) => set('system_prompt', event.currentTarget.value || undefined)}
          {...propsOf('system_prompt')}
        />
      </ChangedSetting>
      {typeof prompt === 'string' && prompt !== '' && (
        <SettingSwitch
          member="system_prompt_override"
          label={say('systemPromptFirst')}
          description={say('systemPromptFirstHint')}
        />
      )}
    </>
  )
}
