import { Button, Group, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Chat, ChatState } from './conversation/chat.ts'
import { usePlaygroundMessages } from './messages.ts'
import { assistantPrompt, type PromptPreset } from './settings.ts'

const mostPresets = 50

/** The system prompt, with presets: some of ours, and those that the person saved. */
export const SystemPrompt = ({ chat, state }: { chat: Chat; state: ChatState }) => {
  const say = usePlaygroundMessages()
  const [name, setName] = useState<string>()
  const { system } = state.settings
  const builtIn: readonly PromptPreset[] = [
    { name: say('presetAssistant'), system: assistantPrompt },
    { name: say('presetTranslator'), system: say('presetTranslatorText') },
    { name: say('presetCoder'), system: say('presetCoderText') },
    { name: say('presetEditor'), system: say('presetEditorText') },
  ]
  const own = state.presets.filter((preset) => builtIn.every((entry) => entry.name !== preset.name))
  const all = [...builtIn, ...own]
  const current = all.find((preset) => preset.system === system)
  const save = (): void => {
    const wanted = name?.trim() ?? ''
    if (wanted === '') return
    chat.setPresets([...own.filter((preset) => preset.name !== wanted), { name: wanted, system }].slice(-mostPresets))
    setName(undefined)
  }
  return (
    <div>
      <Textarea
        label={say('system')}
        description={say('systemHint')}
        autosize
        minRows={4}
        maxRows={12}
        value={system}
        onChange={(event) => chat.setSettings({ system: event.currentTarget.value })}
      />
      <Select
        mt={8}
        aria-label={say('presets')}
        placeholder={say('presets')}
        data={all.map((preset) => preset.name)}
        value={current?.name ?? null}
        onChange={(wanted) =>
          chat.setSettings({ system: all.find((preset) => preset.name === wanted)?.system ?? system })
        }
      />
      {current && own.includes(current) && (
        <Button mt={8} size="xs" onClick={() => chat.setPresets(own.filter((preset) => preset !== current))}>
          {say('removePreset')}
        </Button>
      )}
      {!current && system.trim() !== '' && name === undefined && (
        <Button mt={8} size="xs" onClick={() => setName('')}>
          {say('savePreset')}
        </Button>
      )}
      {name !== undefined && (
        <Group gap={8} mt={8} wrap="nowrap">
          <TextInput
            aria-label={say('presetName')}
            placeholder={say('presetName')}
            maxLength={40}
            autoFocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') save()
              if (event.key === 'Escape') setName(undefined)
            }}
          />
          <Button disabled={name.trim() === ''} onClick={save}>
            {say('savePreset')}
          </Button>
        </Group>
      )}
    </div>
  )
}
