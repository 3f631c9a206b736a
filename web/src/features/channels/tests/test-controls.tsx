import { NumberInput, Select, Switch, Textarea } from '@mantine/core'
import classes from './test.module.css'
import type { TestSettings } from './test-matrix.ts'
import { useTestMessages } from './test-messages.ts'

const parallels = ['1', '2', '4', '8', '16']
const longestTimeout = 600

/** How the test is made: how many at once, how long, as a stream, with which question. */
export const TestControls = (props: { settings: TestSettings; onChange: (change: Partial<TestSettings>) => void }) => {
  const say = useTestMessages()
  const { settings, onChange } = props
  return (
    <details className={classes.testSettings}>
      <summary>{say('settings')}</summary>
      <div className={classes.testFields}>
        <Select
          label={say('parallel')}
          data={parallels}
          allowDeselect={false}
          value={String(settings.parallel)}
          onChange={(value) => onChange({ parallel: Number(value ?? settings.parallel) })}
        />
        <NumberInput
          label={say('timeout')}
          min={1}
          max={longestTimeout}
          allowDecimal={false}
          clampBehavior="strict"
          value={settings.timeout}
          onChange={(value) => onChange({ timeout: Math.min(longestTimeout, Math.max(1, Number(value) || 1)) })}
        />
        <Switch
          label={say('stream')}
          description={say('streamHint')}
          checked={settings.stream}
          onChange={(event) => onChange({ stream: event.currentTarget.checked })}
        />
        <Textarea
          className={classes.testPrompt}
          label={say('prompt')}
          placeholder={say('promptPlaceholder')}
          autosize
          minRows={1}
          maxRows={5}
          maxLength={4000}
          value={settings.prompt}
          onChange={(event) => onChange({ prompt: event.currentTarget.value })}
        />
      </div>
    </details>
  )
}
