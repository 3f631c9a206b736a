import { MultiSelect, NumberInput, Select, Slider } from '@mantine/core'
import { ownMember } from '@tollgate/contract/own-member'
import { ratioTone } from '../../components/display/group-tag.tsx'
import { StatusBadge } from '../../components/display/status-badge.tsx'
import { ErrorState } from '../../components/states.tsx'
import { calls, type GroupMap } from '../../lib/api/contract.ts'
import { storedUser } from '../../lib/api/session.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useGroupText } from '../../lib/text/group-text.ts'
import { typedOver } from '../../lib/text/select-text.ts'
import { callKinds, kindIn, pathOf } from './calls/call-kinds.ts'
import { PictureSettings, SpeechSettings } from './calls/media-settings.tsx'
import type { Chat, ChatState } from './conversation/chat.ts'
import { usePlaygroundMessages } from './messages.ts'
import { offeredModel, useModels } from './models.ts'
import { MoreParameters } from './more-parameters.tsx'
import classes from './playground.module.css'
import { SystemPrompt } from './system-prompt.tsx'

const temperatureRange = { least: 0.1, most: 1, step: 0.1 }
const mostCompared = 3

/** The person's own group comes first. */
const groupOptions = (
  groups: GroupMap,
  groupText: (description: string) => string,
): { value: string; label: string }[] => {
  const own = storedUser()?.group
  return Object.entries(groups)
    .toSorted(([a], [b]) => Number(b === own) - Number(a === own))
    .map(([value, { desc }]) => ({ value, label: groupText(desc) || value }))
}

const GroupSelect = ({
  value,
  groups,
  onChange,
}: {
  value: string
  groups: GroupMap
  onChange: (group: string) => void
}) => {
  const say = usePlaygroundMessages()
  const options = groupOptions(groups, useGroupText())
  return (
    <Select
      label={say('group')}
      data={options}
      value={value || (options[0]?.value ?? null)}
      onChange={(group) => onChange(group ?? '')}
      renderOption={({ option }) => {
        const ratio = ownMember(groups, option.value)?.ratio
        return (
          <span className={classes.option}>
            <span>
              {option.label} <span className="faint">{option.value}</span>
            </span>
            {ratio !== undefined && <StatusBadge tone={ratioTone(ratio)} label={`×${ratio}`} />}
          </span>
        )
      }}
    />
  )
}

/** Settings that only conversations have. */
const ChatSettings = ({ chat, state }: { chat: Chat; state: ChatState }) => {
  const say = usePlaygroundMessages()
  const { settings } = state
  return (
    <>
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
          onChange={(value) => chat.setSettings({ temperature: Math.round(value * 10) / 10 })}
        />
      </div>
      <NumberInput
        label={say('maxTokens')}
        description={say('maxTokensHint')}
        min={0}
        allowDecimal={false}
        value={settings.max_tokens}
        onChange={(value) => chat.setSettings({ max_tokens: Number(value) || 0 })}
      />
      <SystemPrompt chat={chat} state={state} />
      <MoreParameters settings={settings} onChange={chat.setSettings} />
    </>
  )
}

export const SettingsPanel = ({ chat, state }: { chat: Chat; state: ChatState }) => {
  const say = usePlaygroundMessages()
  const { settings } = state
  const models = useModels()
  const groups = useEndpoint(calls.getOwnGroups)
  const failed = models.error ?? groups.error
  const retry = (): void => void Promise.all([models.refetch(), groups.refetch()])
  const names = models.names ?? []
  const model = offeredModel(settings.model, models.names)
  const kind = kindIn(state.kinds, model, settings)
  return (
    <div className={classes.fields}>
      {failed && <ErrorState error={failed} onRetry={retry} />}
      <GroupSelect
        value={settings.group}
        groups={groups.data ?? {}}
        onChange={(group) => chat.setSettings({ group })}
      />
      <Select
        label={say('model')}
        data={names}
        value={model || null}
        onChange={(chosen) => chat.setSettings({ model: chosen ?? '', kind: undefined })}
        searchable
        {...typedOver}
        placeholder={say('modelSearch')}
        nothingFoundMessage={say('noModel')}
        classNames={{ input: 'mono' }}
      />
      <Select
        label={say('endpoint')}
        data={callKinds.map((value) => ({ value, label: pathOf[value] }))}
        value={kind ?? null}
        placeholder={say('noEndpoint')}
        onChange={(chosen) => chat.setSettings({ kind: callKinds.find((each) => each === chosen) })}
        classNames={{ input: 'mono' }}
      />
      <MultiSelect
        label={say('compare')}
        description={say('compareHint')}
        data={names.filter((name) => name !== settings.model)}
        value={settings.compare.filter((name) => name !== settings.model && names.includes(name))}
        onChange={(compare) => chat.setSettings({ compare })}
        maxValues={mostCompared}
        searchable
        hidePickedOptions
        nothingFoundMessage={say('noModel')}
      />
      {kind === 'image' && <PictureSettings settings={settings} model={model} onChange={chat.setSettings} />}
      {kind === 'speech' && <SpeechSettings settings={settings} onChange={chat.setSettings} />}
      {kind === 'chat' && <ChatSettings chat={chat} state={state} />}
    </div>
  )
}
