import { NumberInput, Select, Slider, Textarea } from '@mantine/core'
import { ErrorState } from '../../components/states.tsx'
import { calls, type GroupMap } from '../../lib/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { storedUser } from '../../lib/session.ts'
import type { Settings } from './conversation.ts'
import { usePlaygroundWords } from './messages.ts'
import classes from './playground.module.css'

const temperatureRange = { least: 0.1, most: 1, step: 0.1 }

/** The person's own group comes first. */
const groupOptions = (groups: GroupMap): { value: string; label: string }[] => {
  const own = storedUser()?.group
  return Object.entries(groups)
    .toSorted(([a], [b]) => Number(b === own) - Number(a === own))
    .map(([value, { desc, ratio }]) => ({ value, label: `${desc || value} · ×${ratio}` }))
}

const unique = (names: readonly string[]): string[] => [...new Set(names)]

export const SettingsPanel = (props: { settings: Settings; onChange: (changes: Partial<Settings>) => void }) => {
  const say = usePlaygroundWords()
  const { settings, onChange } = props
  const models = useEndpoint(calls.getOwnModels)
  const groups = useEndpoint(calls.getOwnGroups)
  const failed = models.error ?? groups.error
  const retry = (): void => void Promise.all([models.refetch(), groups.refetch()])
  const options = groupOptions(groups.data ?? {})
  return (
    <div className={classes.fields}>
      {failed && <ErrorState error={failed} onRetry={retry} />}
      <Select
        label={say('group')}
        data={options}
        value={settings.group || (options[0]?.value ?? null)}
        onChange={(group) => onChange({ group: group ?? '' })}
      />
      <Select
        label={say('model')}
        data={unique(models.data ?? [])}
        value={models.data && !models.data.includes(settings.model) ? null : settings.model}
        onChange={(model) => onChange({ model: model ?? '' })}
        searchable
        placeholder={say('modelSearch')}
        nothingFoundMessage={say('noModel')}
        classNames={{ input: 'mono' }}
      />
      <div>
        <div className={classes.sliderHead}>
          <span>{say('temperature')}</span>
          <span className="num muted">{settings.temperature}</span>
        </div>
        <Slider
          thumbLabel={say('temperature')}
          label={null}
          min={temperatureRange.least}
          max={temperatureRange.most}
          step={temperatureRange.step}
          value={settings.temperature}
          onChange={(value) => onChange({ temperature: Math.round(value * 10) / 10 })}
        />
      </div>
      <NumberInput
        label={say('maxTokens')}
        description={say('maxTokensHint')}
        min={0}
        allowDecimal={false}
        value={settings.max_tokens}
        onChange={(value) => onChange({ max_tokens: Number(value) || 0 })}
      />
      <Textarea
        label={say('system')}
        description={say('systemHint')}
        autosize
        minRows={4}
        maxRows={12}
        value={settings.system}
        onChange={(event) => onChange({ system: event.currentTarget.value })}
      />
    </div>
  )
}
