import { Button, NumberInput, Select, Switch, Textarea } from '@mantine/core'
import { usePlaygroundMessages } from './messages.ts'
import classes from './playground.module.css'
import type { PlaygroundSettings } from './settings.ts'

const efforts = ['minimal', 'low', 'medium', 'high']

const numbers = [
  { field: 'top_p', word: 'topP', min: 0, max: 1, step: 0.05, decimals: 2 },
  { field: 'frequency_penalty', word: 'frequencyPenalty', min: -2, max: 2, step: 0.1, decimals: 2 },
  { field: 'presence_penalty', word: 'presencePenalty', min: -2, max: 2, step: 0.1, decimals: 2 },
  { field: 'seed', word: 'seed', min: 0, max: Number.MAX_SAFE_INTEGER, step: 1, decimals: 0 },
] as const

const none = {
  top_p: undefined,
  frequency_penalty: undefined,
  presence_penalty: undefined,
  seed: undefined,
  stop: undefined,
  reasoning_effort: undefined,
  json: undefined,
} satisfies Partial<PlaygroundSettings>

/** Parameters that few people need; each is sent only when it is set. */
export const MoreParameters = (props: {
  settings: PlaygroundSettings
  onChange: (changes: Partial<PlaygroundSettings>) => void
}) => {
  const say = usePlaygroundMessages()
  const { settings, onChange } = props
  const isSet = (Object.keys(none) as (keyof typeof none)[]).some((field) => settings[field] !== undefined)
  return (
    <details className={classes.more} open={isSet}>
      <summary>{say('more')}</summary>
      <p className="faint">{say('moreHint')}</p>
      <div className={classes.pair}>
        {numbers.map(({ field, word, min, max, step, decimals }) => (
          <NumberInput
            key={field}
            label={say(word)}
            min={min}
            max={max}
            step={step}
            decimalScale={decimals}
            value={settings[field] ?? ''}
            onChange={(value) => onChange({ [field]: value === '' ? undefined : Number(value) })}
          />
        ))}
      </div>
      <Select
        label={say('effort')}
        data={efforts}
        clearable
        value={settings.reasoning_effort ?? null}
        onChange={(value) => onChange({ reasoning_effort: value ?? undefined })}
      />
      <Textarea
        label={say('stopWords')}
        description={say('stopWordsHint')}
        autosize
        minRows={2}
        maxRows={4}
        value={settings.stop ?? ''}
        onChange={(event) =>
          onChange({ stop: event.currentTarget.value.split('\n').slice(0, 4).join('\n') || undefined })
        }
      />
      <Switch
        label={say('json')}
        checked={settings.json ?? false}
        onChange={(event) => onChange({ json: event.currentTarget.checked || undefined })}
      />
      {isSet && <Button onClick={() => onChange(none)}>{say('reset')}</Button>}
    </details>
  )
}
