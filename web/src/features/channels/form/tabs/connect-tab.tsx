import { Button, TextInput } from '@mantine/core'
import type { Channel, ChannelType } from '../../../../lib/api/contract.ts'
import { KeyList } from '../../keys/key-list.tsx'
import { ChangedField } from '../changed-field.tsx'
import { vertexType } from '../fields.ts'
import classes from '../form.module.css'
import { useChannelFormMessages } from '../form-messages.ts'
import { Section, useChannelForm } from '../form-parts.tsx'
import type { ModelReading } from '../models/read-models.ts'
import { ProxyField } from '../setting/setting-inputs.tsx'
import { TypePicker } from '../type-picker.tsx'
import { FormTest } from '../unsaved-test/form-test.tsx'
import { AddressField, KeyField, OrganizationField, OtherField, TypeNote } from './connection-fields.tsx'
import { useTabMessages } from './tab-messages.ts'

interface ConnectTabProps {
  /** The stored channel, or undefined when one is made. */
  channel: Channel | undefined
  types: readonly ChannelType[]
  reading: ModelReading
  onType: (type: ChannelType) => void
  onModels: () => void
}

/** Reads the provider's models, which proves that key and address work, and says how many the channel gets. */
const Connect = ({ reading, onModels }: Pick<ConnectTabProps, 'reading' | 'onModels'>) => {
  const say = useChannelFormMessages()
  const sayTab = useTabMessages()
  const { form, type } = useChannelForm()
  return (
    <div className={classes.buttons}>
      {type?.lists_models && (
        <Button size="compact-sm" loading={reading.busy} onClick={() => void reading.read()}>
          {say('connect')}
        </Button>
      )}
      {reading.outcome && (
        <p role="status" className={classes.outcome} data-failed={!reading.outcome.ok || undefined}>
          {reading.outcome.text}
        </p>
      )}
      <p className={classes.chosenCount}>
        {sayTab('chosen', { count: form.getValues().models.length })}
        <button type="button" className="text-button" onClick={onModels}>
          {sayTab('choose')}
        </button>
      </p>
    </div>
  )
}

/** All that a new channel needs: provider, name, address, key, the models that are found, and a test. */
export const ConnectTab = ({ channel, types, reading, onType, onModels }: ConnectTabProps) => {
  const say = useChannelFormMessages()
  const { form } = useChannelForm()
  const { type, name } = form.getValues()
  return (
    <>
      <Section title={say('sectionProvider')}>
        <ChangedField name="type" label={say('type')}>
          <TypePicker
            types={types}
            value={type}
            onChange={onType}
            choosing={channel === undefined}
            onKey={channel ? undefined : (key) => form.setFieldValue('key', key)}
          />
        </ChangedField>
        <ChangedField name="name" label={say('name')}>
          <TextInput
            label={say('name')}
            placeholder={say('namePlaceholder')}
            withAsterisk
            autoComplete="off"
            data-autofocus={channel !== undefined || undefined}
            {...form.getInputProps('name')}
            value={name}
          />
        </ChangedField>
      </Section>
      <Section title={say('sectionKey')}>
        <TypeNote />
        <AddressField />
        <OtherField />
        {channel && <KeyList channelId={channel.id} canAdd={type !== vertexType} />}
        <KeyField hint={channel?.key_hint} />
        <Connect reading={reading} onModels={onModels} />
      </Section>
      <FormTest channel={channel} />
      <Section title={say('sectionMore')}>
        <OrganizationField />
        <ProxyField />
      </Section>
    </>
  )
}
