import { NumberInput, Select, TextInput } from '@mantine/core'
import { usePlaygroundMessages } from '../messages.ts'
import type { PlaygroundSettings } from '../settings.ts'
import { pictureOptions } from './picture-options.ts'
import { usualVoice } from './requests.ts'

interface MediaSettingsProps {
  settings: PlaygroundSettings
  model: string
  onChange: (changes: Partial<PlaygroundSettings>) => void
}

/** Size, quality and number of pictures, as far as the model knows them. */
export const PictureSettings = ({ settings, model, onChange }: MediaSettingsProps) => {
  const say = usePlaygroundMessages()
  const { sizes, qualities, most } = pictureOptions(model)
  return (
    <>
      {sizes === undefined ? (
        <TextInput
          label={say('size')}
          description={say('sizeHint')}
          value={settings.size ?? ''}
          onChange={(event) => onChange({ size: event.currentTarget.value || undefined })}
        />
      ) : (
        <Select
          label={say('size')}
          placeholder={say('modelChooses')}
          data={[...sizes]}
          clearable
          value={settings.size !== undefined && sizes.includes(settings.size) ? settings.size : null}
          onChange={(size) => onChange({ size: size ?? undefined })}
        />
      )}
      {qualities.length > 0 && (
        <Select
          label={say('quality')}
          placeholder={say('modelChooses')}
          data={[...qualities]}
          clearable
          value={qualities.find((quality) => quality === settings.quality) ?? null}
          onChange={(quality) => onChange({ quality: quality ?? undefined })}
        />
      )}
      {most > 1 && (
        <NumberInput
          label={say('pictures')}
          min={1}
          max={most}
          allowDecimal={false}
          clampBehavior="strict"
          value={Math.min(settings.pictures ?? 1, most)}
          onChange={(value) => onChange({ pictures: Number(value) || undefined })}
        />
      )}
    </>
  )
}

/** The voice that reads the text. */
export const SpeechSettings = ({ settings, onChange }: Omit<MediaSettingsProps, 'model'>) => {
  const say = usePlaygroundMessages()
  return (
    <TextInput
      label={say('voice')}
      placeholder={usualVoice}
      value={settings.voice ?? ''}
      onChange={(event) => onChange({ voice: event.currentTarget.value || undefined })}
    />
  )
}
