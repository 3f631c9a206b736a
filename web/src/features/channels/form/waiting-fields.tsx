import { NumberInput, Switch, Textarea } from '@mantine/core'
import { longestSystemPrompt } from '@tollgate/contract/channels/channel-rules'
import { useChannelFormMessages } from './form-messages.ts'
import { readObject, withMember } from './json-text.ts'

interface Props {
  /** JSON of the extra settings. */
  value: string
  onChange: (text: string) => void
  onBlur?: (() => void) | undefined
}

/** How many calls a channel takes at a time, and how long a stream may wait for its first content. */
export const WaitingFields = ({ value, onChange, onBlur }: Props) => {
  const say = useChannelFormMessages()
  const setting = readObject(value)
  const figure = (name: 'slots' | 'first_content_seconds') => ({
    disabled: setting === undefined,
    min: 0,
    hideControls: true,
    value: typeof setting?.[name] === 'number' ? setting[name] : '',
    onChange: (figure: number | string) =>
      onChange(withMember(value, name, figure === '' ? undefined : Number(figure))),
    ...(onBlur && { onBlur }),
  })
  return (
    <>
      <NumberInput label={say('slots')} description={say('slotsHint')} allowDecimal={false} {...figure('slots')} />
      <NumberInput
        label={say('firstContent')}
        description={say('firstContentHint')}
        {...figure('first_content_seconds')}
      />
    </>
  )
}

/** System prompt of conversations at this channel. */
export const SystemPromptFields = ({ value, onChange, onBlur }: Props) => {
  const say = useChannelFormMessages()
  const setting = readObject(value)
  const prompt = setting?.system_prompt
  return (
    <>
      <Textarea
        label={say('systemPrompt')}
        description={say('systemPromptHint')}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={longestSystemPrompt}
        disabled={setting === undefined}
        value={typeof prompt === 'string' ? prompt : ''}
        onChange={(event) => onChange(withMember(value, 'system_prompt', event.currentTarget.value || undefined))}
        onBlur={onBlur}
      />
      {typeof prompt === 'string' && prompt !== '' && (
        <Switch
          label={say('systemPromptFirst')}
          description={say('systemPromptFirstHint')}
          checked={setting?.system_prompt_override === true}
          onChange={(event) =>
            onChange(withMember(value, 'system_prompt_override', event.currentTarget.checked ? true : undefined))
          }
        />
      )}
    </>
  )
}
