import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { JsonField } from '../../../components/form/json-field.tsx'
import type { ChannelValues } from './fields.ts'
import { useChannelFormMessages } from './form-messages.ts'

const template = JSON.stringify(
  {
    models: { 'gpt-4o': { input: 2.5, output: 10 }, 'gpt-4.1*': { factor: 0.8 }, mj_imagine: { call: 0.04 } },
    discounts: [{ from: '2026-12-01', to: '2026-12-31', factor: 0.9 }],
  },
  null,
  2,
)

/** Cost of the channel's calls at its provider. */
export const CostFields = ({ form }: { form: UseFormReturnType<ChannelValues> }) => {
  const say = useChannelFormMessages()
  const value = form.getValues().costPrices
  return (
    <>
      <TextInput
        label={say('costFactor')}
        description={say('costFactorHint')}
        placeholder="1"
        inputMode="decimal"
        {...form.getInputProps('costFactor')}
      />
      <div>
        <JsonField
          label={say('costPrices')}
          description={say('costPricesHint')}
          placeholder={template}
          {...form.getInputProps('costPrices')}
          value={value}
        />
        {value.trim() === '' && (
          <button type="button" className="text-button" onClick={() => form.setFieldValue('costPrices', template)}>
            {say('template')}
          </button>
        )}
      </div>
    </>
  )
}
