import { Autocomplete, Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { useChannelTypes } from '../../../components/providers/channel-types.ts'
import { Sheet } from '../../../components/sheet.tsx'
import { call } from '../../../lib/api/api.ts'
import { type Channel, type ChannelType, calls } from '../../../lib/api/contract.ts'
import { useLanguage } from '../../../lib/i18n.ts'
import { useFresh } from '../../../lib/loading/fresh.ts'
import { notifyOffer } from '../../../lib/notify.tsx'
import { useAction } from '../../../lib/query.ts'
import { KeyList } from '../keys/key-list.tsx'
import { useTestChannel } from '../tests/test-channel.ts'
import { DirectFields } from './direct-fields.tsx'
import { bodyOf, type ChannelValues, changesOf, newChannel, valuesOf, vertexType } from './fields.ts'
import classes from './form.module.css'
import { useChannelFormMessages } from './form-messages.ts'
import {
  AddressField,
  AdvancedFields,
  KeyField,
  MappingField,
  OtherField,
  RoutingFields,
  TypeNote,
} from './form-sections.tsx'
import { ModelsField } from './models/models-field.tsx'
import { useModelReading } from './models/read-models.ts'
import { channelRules } from './rules.ts'
import { TypePicker } from './type-picker.tsx'

const width = 640

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={classes.section}>
    <legend>{title}</legend>
    {children}
  </fieldset>
)

/** The models of the old type, or none at all, give way to those of the new one; what was picked by hand stays. */
const modelsAfter = (models: readonly string[], before: ChannelType | undefined, after: ChannelType): string[] =>
  models.length === 0 || models.join() === before?.models.join() ? [...after.models] : [...models]

interface FieldsProps {
  /** The stored channel, or undefined when one is made. */
  channel: Channel | undefined
  types: readonly ChannelType[]
  onClose: () => void
}

const initialValues = (channel: Channel | undefined, types: readonly ChannelType[]): ChannelValues => {
  if (channel) return valuesOf(channel)
  return { ...newChannel, models: [...(types.find((type) => type.type === newChannel.type)?.models ?? [])] }
}

const Fields = ({ channel, types, onClose }: FieldsProps) => {
  const say = useChannelFormMessages()
  const language = useLanguage()
  const typeOf = (number: number): ChannelType | undefined => types.find((entry) => entry.type === number)
  const form = useForm<ChannelValues>({
    initialValues: initialValues(channel, types),
    validate: channelRules({ say, creating: channel === undefined, typeOf, language }),
    validateInputOnBlur: true,
  })
  const values = form.getValues()
  const type = typeOf(values.type)
  const chooseType = (next: ChannelType): void =>
    form.setValues({ type: next.type, models: modelsAfter(values.models, type, next) })
  const setModels = (models: string[]): void => form.setFieldValue('models', models)
  const reading = useModelReading(values, { id: channel?.id, keyOptional: type?.key_optional === true }, (offered) => {
    // An untouched default list gives way to what the provider offers.
    const untouched = channel === undefined && values.models.join() === (type?.models ?? []).join()
    if (untouched) setModels([...offered])
    return untouched
  })
  const test = useTestChannel()
  const save = useAction(
    async (values: ChannelValues): Promise<readonly number[]> => {
      if (!channel) return (await call(calls.createChannel, { body: bodyOf(values) })).ids
      await call(calls.updateChannel, { body: { ...changesOf(channel, values), id: channel.id } })
      return []
    },
    {
      done: (ids) => (channel ? say('updated') : ids.length === 1 ? undefined : say('created')),
      onDone: (ids, { name }) => {
        const [id] = ids
        if (id !== undefined && ids.length === 1)
          notifyOffer(say('created'), say('testNow'), () => void test({ id, name }))
      },
      refresh: [
        calls.browseChannels,
        calls.getChannel,
        calls.searchChannels,
        calls.listChannelKeys,
        calls.listUnpricedModels,
      ],
    },
  )
  return (
    <FormDrawer
      title={say(channel ? 'editTitle' : 'createTitle')}
      subtitle={channel && `${channel.name} · #${channel.id}`}
      form={form}
      onSubmit={save.submit}
      onClose={onClose}
      submitLabel={say('submit')}
      width={width}
    >
      <Section title={say('sectionProvider')}>
        <TypePicker
          types={types}
          value={values.type}
          onChange={chooseType}
          choosing={channel === undefined}
          onKey={channel ? undefined : (key) => form.setFieldValue('key', key)}
        />
        <TextInput
          label={say('name')}
          placeholder={say('namePlaceholder')}
          withAsterisk
          autoComplete="off"
          data-autofocus={channel !== undefined || undefined}
          {...form.getInputProps('name')}
        />
      </Section>
      <Section title={say('sectionKey')}>
        <TypeNote type={type} />
        <AddressField form={form} type={type} />
        <OtherField form={form} type={type} />
        {channel && <KeyList channelId={channel.id} canAdd={values.type !== vertexType} />}
        <KeyField form={form} type={type} hint={channel?.key_hint} />
        {type?.lists_models && (
          <div className={classes.buttons}>
            <Button size="compact-sm" loading={reading.busy} onClick={() => void reading.read()}>
              {say('connect')}
            </Button>
            {reading.outcome && (
              <p role="status" className={classes.outcome} data-failed={!reading.outcome.ok || undefined}>
                {reading.outcome.text}
              </p>
            )}
          </div>
        )}
      </Section>
      <Section title={say('sectionModels')}>
        <ModelsField
          values={values}
          type={type}
          isNew={channel === undefined}
          reading={reading}
          error={form.getInputProps('models').error}
          onChange={setModels}
        />
        <MappingField form={form} read={reading.all} />
        <Autocomplete
          label={say('testModel')}
          description={say('testModelHint')}
          data={values.models}
          limit={20}
          {...form.getInputProps('testModel')}
        />
      </Section>
      <Section title={say('sectionRouting')}>
        <RoutingFields form={form} type={type} />
      </Section>
      <Section title={say('sectionAdvanced')}>
        <AdvancedFields form={form} type={type} />
      </Section>
      <Section title={say('sectionDirect', { id: channel ? String(channel.id) : '…' })}>
        <DirectFields form={form} />
      </Section>
    </FormDrawer>
  )
}

/** Makes a channel (`id` undefined) or changes one, over the list or opened by its own address. */
export const ChannelSheet = ({ id, onClose }: { id: number | undefined; onClose: () => void }) => {
  const say = useChannelFormMessages()
  const { types, error, retry } = useChannelTypes()
  const channel = useFresh(calls.getChannel, { params: { id: id ?? 0 } }, id !== undefined)
  if (types.length > 0 && (id === undefined || channel.data))
    return <Fields channel={id === undefined ? undefined : channel.data} types={types} onClose={onClose} />
  return (
    <Sheet
      opened
      title={say(id === undefined ? 'createTitle' : 'editTitle')}
      onClose={onClose}
      width={width}
      loading={!channel.error && !error}
      error={channel.error ?? error}
      onRetry={() => {
        retry()
        if (id !== undefined) void channel.refetch()
      }}
    />
  )
}
