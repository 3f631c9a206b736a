import { TextInput } from '@mantine/core'
import { cacheMarkings } from '@tollgate/contract/channels/channel-rules'
import { ChangedField } from '../changed-field.tsx'
import { useChannelFormMessages } from '../form-messages.ts'
import { FieldName, Section, useChannelForm } from '../form-parts.tsx'
import { SettingSelect } from '../setting/setting-inputs.tsx'
import { CostPricesField } from './cost-prices-field.tsx'

/** Cost of the channel's calls at its provider. */
const Prices = () => {
  const say = useChannelFormMessages()
  const { form } = useChannelForm()
  const { costPrices, models } = form.getValues()
  return (
    <Section title={say('sectionCost')}>
      <ChangedField name="costFactor" label={say('costFactor')}>
        <TextInput
          label={<FieldName name="cost.factor">{say('costFactor')}</FieldName>}
          description={say('costFactorHint')}
          placeholder="1"
          inputMode="decimal"
          {...form.getInputProps('costFactor')}
        />
      </ChangedField>
      <ChangedField name="costPrices" label={say('costPrices')}>
        <CostPricesField {...form.getInputProps('costPrices')} value={costPrices} models={models} />
      </ChangedField>
    </Section>
  )
}

/** The tab of costs: prices at the provider, and what decides about them. */
export const CostTab = () => {
  const say = useChannelFormMessages()
  const { type } = useChannelForm()
  const byDefault = say(type?.bills_aborted === true ? 'billsAbortedYes' : 'billsAbortedNo')
  return (
    <>
      <Prices />
      <Section title={say('sectionCharges')}>
        <SettingSelect
          member="bills_aborted"
          label={say('billsAborted')}
          description={say('billsAbortedHint')}
          choices={[
            { value: undefined, label: say('billsAbortedDefault', { answer: byDefault }) },
            { value: true, label: say('billsAbortedYes') },
            { value: false, label: say('billsAbortedNo') },
          ]}
        />
        <SettingSelect
          member="cache_marks"
          label={say('cacheMarks')}
          description={say('cacheMarksHint')}
          choices={[
            { value: undefined, label: say('cacheMarksGroup') },
            ...cacheMarkings.map((value) => ({ value, label: value === 'off' ? say('cacheMarksOff') : value })),
          ]}
        />
      </Section>
    </>
  )
}
