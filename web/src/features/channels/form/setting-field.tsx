import { Select, Switch, TextInput } from '@mantine/core'
import { cacheMarkings, isCacheMarking } from '@tollgate/contract/channels/channel-rules'
import type { ReactNode } from 'react'
import { JsonField } from '../../../components/form/json-field.tsx'
import type { ChannelType } from '../../../lib/api/contract.ts'
import classes from './form.module.css'
import { useChannelFormMessages } from './form-messages.ts'
import { readObject, withMember } from './json-text.ts'
import { SystemPromptFields, WaitingFields } from './waiting-fields.tsx'

interface SettingFieldProps {
  type: ChannelType | undefined
  value: string
  onChange: (text: string) => void
  onBlur?: () => void
  error?: ReactNode
}

/** Extra settings: the known ones as controls, all of them as JSON; both write the same text. */
export const SettingField = ({ type, value, onChange, onBlur, error }: SettingFieldProps) => {
  const say = useChannelFormMessages()
  const setting = readObject(value)
  const flag = (name: 'force_format' | 'thinking_to_content') => ({
    disabled: setting === undefined,
    checked: setting?.[name] === true,
    onChange: (event: { currentTarget: { checked: boolean } }) =>
      onChange(withMember(value, name, event.currentTarget.checked ? true : undefined)),
  })
  const proxy = setting?.proxy
  const billsAborted = setting?.bills_aborted
  const byDefault = say(type?.bills_aborted === true ? 'billsAbortedYes' : 'billsAbortedNo')
  return (
    <div className={classes.setting}>
      <Switch label={say('forceFormat')} description={say('forceFormatHint')} {...flag('force_format')} />
      <Switch label={say('thinking')} description={say('thinkingHint')} {...flag('thinking_to_content')} />
      <Select
        label={say('rotation')}
        description={say('rotationHint')}
        allowDeselect={false}
        disabled={setting === undefined}
        data={[
          { value: 'random', label: say('rotationRandom') },
          { value: 'round_robin', label: say('rotationRoundRobin') },
        ]}
        value={setting?.key_rotation === 'round_robin' ? 'round_robin' : 'random'}
        onChange={(rotation) =>
          onChange(withMember(value, 'key_rotation', rotation === 'round_robin' ? rotation : undefined))
        }
      />
      <Switch
        label={say('affinity')}
        description={say('affinityHint')}
        disabled={setting === undefined}
        checked={setting?.key_affinity !== false}
        onChange={(event) =>
          onChange(withMember(value, 'key_affinity', event.currentTarget.checked ? undefined : false))
        }
      />
      <Select
        label={say('billsAborted')}
        description={say('billsAbortedHint')}
        allowDeselect={false}
        disabled={setting === undefined}
        data={[
          { value: 'default', label: say('billsAbortedDefault', { answer: byDefault }) },
          { value: 'yes', label: say('billsAbortedYes') },
          { value: 'no', label: say('billsAbortedNo') },
        ]}
        value={typeof billsAborted === 'boolean' ? (billsAborted ? 'yes' : 'no') : 'default'}
        onChange={(choice) =>
          onChange(withMember(value, 'bills_aborted', choice === 'default' ? undefined : choice === 'yes'))
        }
      />
      <Select
        label={say('cacheMarks')}
        description={say('cacheMarksHint')}
        allowDeselect={false}
        disabled={setting === undefined}
        data={[
          { value: 'group', label: say('cacheMarksGroup') },
          ...cacheMarkings.map((value) => ({ value, label: value === 'off' ? say('cacheMarksOff') : value })),
        ]}
        value={isCacheMarking(setting?.cache_marks) ? setting.cache_marks : 'group'}
        onChange={(choice) => onChange(withMember(value, 'cache_marks', choice === 'group' ? undefined : choice))}
      />
      <WaitingFields value={value} onChange={onChange} onBlur={onBlur} />
      <SystemPromptFields value={value} onChange={onChange} onBlur={onBlur} />
      <TextInput
        label={say('proxy')}
        placeholder="socks5://127.0.0.1:1080"
        spellCheck={false}
        disabled={setting === undefined}
        value={typeof proxy === 'string' ? proxy : ''}
        onChange={(event) => onChange(withMember(value, 'proxy', event.currentTarget.value || undefined))}
        onBlur={onBlur}
      />
      <JsonField
        label={`${say('setting')} (${say('settingRaw')})`}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        error={error}
      />
    </div>
  )
}
