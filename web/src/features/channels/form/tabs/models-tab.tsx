import { Autocomplete } from '@mantine/core'
import { textPairs } from '../../../../components/form/pairs/pairs.ts'
import { ChangedField } from '../changed-field.tsx'
import { useChannelFormMessages } from '../form-messages.ts'
import { useChannelForm } from '../form-parts.tsx'
import { ModelsField } from '../models/models-field.tsx'
import type { ModelReading } from '../models/read-models.ts'
import { PairsField } from '../pairs-field.tsx'

const mappingTemplate = JSON.stringify({ 'gpt-3.5-turbo': 'gpt-3.5-turbo-0125' }, null, 2)

/**
 * The names by which models are asked for and their names upstream. Once the provider's models were read, a name that it does not
 * offer is said before anything is saved; so is a redirected name that the channel has not among its models.
 */
const MappingField = ({ read }: { read: readonly string[] | undefined }) => {
  const say = useChannelFormMessages()
  const { form } = useChannelForm()
  const { models, mapping } = form.getValues()
  return (
    <PairsField
      {...form.getInputProps('mapping')}
      value={mapping}
      label={say('mapping')}
      description={say('mappingHint')}
      template={mappingTemplate}
      form={textPairs}
      names={[say('requestedModel'), say('upstreamModel')]}
      suggested={[models, read ?? models]}
      doubt={(name, target) => {
        if (name !== '' && !models.includes(name)) return say('mappingUnused', { name })
        return target !== '' && read && !read.includes(target) ? say('mappingNotOffered', { name: target }) : undefined
      }}
    />
  )
}

/** Models that the channel serves, their names upstream, and the one that tests ask. */
export const ModelsTab = ({ reading }: { reading: ModelReading }) => {
  const say = useChannelFormMessages()
  const { form, type, saved } = useChannelForm()
  const values = form.getValues()
  return (
    <>
      <ChangedField name="models" label={say('models')}>
        <ModelsField
          values={values}
          type={type}
          isNew={saved === undefined}
          reading={reading}
          error={form.getInputProps('models').error}
          onChange={(models) => form.setFieldValue('models', models)}
        />
      </ChangedField>
      <ChangedField name="mapping" label={say('mapping')}>
        <MappingField read={reading.all} />
      </ChangedField>
      <ChangedField name="testModel" label={say('testModel')}>
        <Autocomplete
          label={say('testModel')}
          description={say('testModelHint')}
          data={values.models}
          limit={20}
          {...form.getInputProps('testModel')}
        />
      </ChangedField>
    </>
  )
}
