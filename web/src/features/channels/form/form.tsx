import { useForm } from '@mantine/form'
import { useState } from 'react'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { useChannelTypes } from '../../../components/providers/channel-types.ts'
import { Sheet } from '../../../components/sheet.tsx'
import { type Channel, type ChannelType, calls } from '../../../lib/api/contract.ts'
import { useLanguage } from '../../../lib/i18n.ts'
import { useFresh } from '../../../lib/loading/fresh.ts'
import { CostTab } from './cost/cost-tab.tsx'
import { type ChannelValues, newChannel, valuesOf } from './fields.ts'
import { useChannelFormMessages } from './form-messages.ts'
import { ChannelFormContext } from './form-parts.tsx'
import { useModelReading } from './models/read-models.ts'
import { channelRules, settingProblem } from './rules.ts'
import { useSaveChannel } from './save-channel.ts'
import { AdvancedTab } from './tabs/advanced-tab.tsx'
import { ConnectTab } from './tabs/connect-tab.tsx'
import { ModelsTab } from './tabs/models-tab.tsx'
import { RoutingTab } from './tabs/routing-tab.tsx'
import { TabList, TabPanel } from './tabs/tab-list.tsx'
import { changedTabs, type FormTab, formTabs, invalidTabs } from './tabs/tab-of.ts'

const width = 640

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
  const [tab, setTab] = useState<FormTab>('connect')
  const [initial] = useState(() => initialValues(channel, types))
  const typeOf = (number: number): ChannelType | undefined => types.find((entry) => entry.type === number)
  const form = useForm<ChannelValues>({
    initialValues: initial,
    validate: channelRules({ say, creating: channel === undefined, typeOf, language }),
    validateInputOnBlur: true,
  })
  const values = form.getValues()
  const type = typeOf(values.type)
  const chooseType = (next: ChannelType): void =>
    form.setValues({ type: next.type, models: modelsAfter(values.models, type, next) })
  const reading = useModelReading(values, { id: channel?.id, keyOptional: type?.key_optional === true }, (offered) => {
    // An untouched default list gives way to what the provider offers.
    const untouched = channel === undefined && values.models.join() === (type?.models ?? []).join()
    if (untouched) form.setFieldValue('models', [...offered])
    return untouched
  })
  const invalidIn = (errors: typeof form.errors): ReadonlySet<FormTab> =>
    invalidTabs(
      Object.entries(errors).flatMap(([name, reason]) => (reason ? [name] : [])),
      settingProblem(values.setting, say)?.member,
    )
  const showInvalid = (errors: typeof form.errors): void => {
    const invalid = invalidIn(errors)
    const first = formTabs.find((name) => invalid.has(name))
    if (first && !invalid.has(tab)) setTab(first)
  }
  const save = useSaveChannel(channel, (name, text) => {
    form.setFieldError(name, text)
    showInvalid({ [name]: text })
  })
  const panels = {
    connect: (
      <ConnectTab
        channel={channel}
        types={types}
        reading={reading}
        onType={chooseType}
        onModels={() => setTab('models')}
      />
    ),
    models: <ModelsTab reading={reading} />,
    routing: <RoutingTab />,
    cost: <CostTab />,
    advanced: <AdvancedTab id={channel?.id} />,
  }
  return (
    <ChannelFormContext value={{ form, type, saved: channel && initial }}>
      <FormDrawer
        title={say(channel ? 'editTitle' : 'createTitle')}
        subtitle={channel && `${channel.name} · #${channel.id}`}
        form={form}
        onSubmit={save}
        onInvalid={showInvalid}
        onClose={onClose}
        width={width}
        tabs={
          <TabList
            current={tab}
            changed={changedTabs(initial, values)}
            invalid={invalidIn(form.errors)}
            onChoose={setTab}
          />
        }
      >
        {formTabs.map((name) => (
          <TabPanel key={name} tab={name} current={tab}>
            {panels[name]}
          </TabPanel>
        ))}
      </FormDrawer>
    </ChannelFormContext>
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
